// What a request's head alone decides, check by check; http.cc has them in their order.
#include "server/http_head.h"

#include "server/http_guard.h"
#include "server/revisions.h"

namespace pith::mcp {

std::optional<std::string> HttpRequest::Header(std::string_view lower_name) const {
  for (const auto& [name, value] : headers) {
    if (name.size() != lower_name.size()) continue;
    bool same = true;
    for (size_t i = 0; same && i < name.size(); ++i) {
      const char c = name[i];
      same = (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == lower_name[i];
    }
    if (same) return value;
  }
  return std::nullopt;
}

HttpReply PlainReply(int status, std::string body) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(body), nullptr};
}

HttpReply JsonReply(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}}, std::move(body), nullptr};
}

bool HeaderIsModern(const HttpRequest& request) {
  const auto version = request.Header("mcp-protocol-version");
  const RevisionTraits* revision = version ? RevisionNamed(*version) : nullptr;
  return revision != nullptr && revision->modern;
}

HttpReply Refuse(Situation situation, bool modern, std::string_view sentence) {
  const int status = StatusOf(situation, modern);
  HttpReply reply = PlainReply(status, std::string(sentence) + "\n");
  if (status == 405) reply.headers.emplace_back("Allow", "POST");
  if (status == 503) reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

HttpReply RefuseRpc(Situation situation, bool modern, const Json& id, const RpcError& error) {
  return JsonReply(StatusOf(situation, modern), ErrorReply(id, error));
}

std::optional<HttpReply> CheckOrigin(const HttpRequest& request, const HttpOptions& options) {
  const bool modern = HeaderIsModern(request);
  const auto origin = request.Header("origin");
  if (origin && !AllowedOrigin(*origin, options.allowed_origins)) {
    return Refuse(Situation::kForeignOrigin, modern, "This origin is not allowed.");
  }
  const auto host = request.Header("host");
  if (!host || !AllowedHost(*host, options.allowed_hosts)) {
    return Refuse(Situation::kForeignHost, modern, "This server does not answer to that host name.");
  }
  return std::nullopt;
}

std::optional<HttpReply> CheckToken(const HttpRequest& request, const HttpOptions& options) {
  if (options.token.empty()) return std::nullopt;
  const auto authorization = request.Header("authorization");
  if (authorization && TokenMatches(*authorization, options.token)) return std::nullopt;
  HttpReply reply = Refuse(authorization ? Situation::kWrongToken : Situation::kNoToken, false,
                           authorization ? "The bearer token is wrong." : "A bearer token is needed.");
  reply.headers.emplace_back(
      "WWW-Authenticate", authorization ? "Bearer realm=\"pith\", error=\"invalid_token\"" : "Bearer realm=\"pith\"");
  return reply;
}

std::optional<HttpReply> CheckPost(const HttpRequest& request, const HttpOptions& options, size_t bytes_under_way) {
  const bool modern = HeaderIsModern(request);
  const auto type = request.Header("content-type");
  if (!type || !IsJsonContentType(*type)) {
    return Refuse(Situation::kWrongContentType, modern, "Content-Type must be application/json.");
  }
  const auto encoding = request.Header("content-encoding");
  if (encoding && *encoding != "identity") {
    return Refuse(Situation::kContentEncoding, modern, "Bodies must not be compressed.");
  }
  const Acceptance accepts = WhatIsAccepted(request.Header("accept"));
  if (!accepts.json && !accepts.events) {
    return Refuse(Situation::kNotAcceptable, modern, "Accept must take application/json or text/event-stream.");
  }
  const std::optional<BodyShape> shape = ShapeOfBody(request);
  if (!shape) return Refuse(Situation::kMalformedHead, modern, "Content-Length or Transfer-Encoding is malformed.");
  if (shape->length > options.longest_body) return Refuse(Situation::kBodyTooLarge, modern, "The body is too large.");
  if (bytes_under_way + shape->length > options.most_body_bytes) {
    return Refuse(Situation::kBusy, modern, "Too many bytes are under way.");
  }
  return std::nullopt;
}

// Only for origins that CheckOrigin let through; what goes out is our own spelling of them.
void AddCors(const HttpRequest& request, const HttpOptions& options, HttpReply* reply) {
  const auto origin = request.Header("origin");
  const auto allowed = origin ? AllowedOrigin(*origin, options.allowed_origins) : std::nullopt;
  if (!allowed) return;
  reply->headers.emplace_back("Access-Control-Allow-Origin", *allowed);
  reply->headers.emplace_back("Vary", "Origin");
  reply->headers.emplace_back("Access-Control-Expose-Headers", "Mcp-Session-Id");
  if (request.method != "OPTIONS") return;
  reply->headers.emplace_back("Access-Control-Allow-Methods", "POST, DELETE");
  reply->headers.emplace_back("Access-Control-Allow-Headers",
                              "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, "
                              "Mcp-Protocol-Version, Mcp-Session-Id");
  reply->headers.emplace_back("Access-Control-Max-Age", "600");
}

}  // namespace pith::mcp
