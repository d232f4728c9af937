#include "tests/server/driver.h"

#include <unistd.h>

#include <array>
#include <thread>

#include "tests/clients/conformance/fixtures.h"

namespace pith::mcp::test {

const Registry& Fixtures() {
  static const Registry registry = fixtures::MakeRegistry();
  return registry;
}

std::vector<std::string> OverStdio(const std::vector<std::string>& lines, const Registry& registry,
                                   StdioOptions options) {
  std::array<int, 2> in{}, out{};
  if (pipe(in.data()) != 0 || pipe(out.data()) != 0) return {};
  options.input = in[0];
  options.output = out[1];
  options.own_process = false;
  std::thread server([&] {
    ServeStdio(registry, options);
    close(out[1]);
  });
  std::thread writer([&] {
    for (const std::string& line : lines) {
      std::string text = line + "\n";
      for (size_t at = 0; at < text.size();) {
        const ssize_t put = write(in[1], text.data() + at, text.size() - at);
        if (put <= 0) break;
        at += static_cast<size_t>(put);
      }
    }
    close(in[1]);
  });
  std::string output;
  std::array<char, 65536> buffer{};
  for (ssize_t got = 0; (got = read(out[0], buffer.data(), buffer.size())) > 0;) {
    output.append(buffer.data(), static_cast<size_t>(got));
  }
  writer.join();
  server.join();
  close(in[0]);
  close(out[0]);
  std::vector<std::string> answers;
  while (!output.empty()) {
    const size_t end = output.find('\n');
    answers.push_back(output.substr(0, end));
    output.erase(0, end == std::string::npos ? output.size() : end + 1);
  }
  return answers;
}

Json WithId(const std::vector<std::string>& lines, const Json& id) {
  for (const std::string& line : lines) {
    Json parsed = Json::parse(line, nullptr, false);
    if (parsed.is_object() && parsed.contains("id") && parsed["id"] == id && !parsed.contains("method")) return parsed;
  }
  return nullptr;
}

Json ModernMeta() {
  return {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
          {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
}

std::string Request(const RevisionTraits& revision, const Json& id, std::string_view method, Json params) {
  if (revision.modern && !params.contains("_meta")) params["_meta"] = ModernMeta();
  return Dump(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

namespace {

std::string Handshake(const RevisionTraits& revision) {
  return Request(LatestLegacy(), "handshake", "initialize",
                 {{"protocolVersion", revision.name},
                  {"capabilities", Json::object()},
                  {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
}

void SetHeader(HttpRequest* request, const std::string& name, const std::string& value) {
  std::erase_if(request->headers, [&](const auto& header) { return header.first == name; });
  if (!value.empty()) request->headers.emplace_back(name, value);
}

}  // namespace

Json AnswerOverStdio(const RevisionTraits& revision, std::string_view method, const Json& params) {
  std::vector<std::string> lines;
  if (!revision.modern) lines.push_back(Handshake(revision));
  lines.push_back(Request(revision, 1, method, params));
  return WithId(OverStdio(lines), 1);
}

Json AnswerOverHttp(const RevisionTraits& revision, std::string_view method, const Json& params, int* status) {
  return RawOverHttp(revision, Request(revision, 1, method, params), status);
}

Json RawOverStdio(const RevisionTraits& revision, const std::string& text) {
  std::vector<std::string> lines = {text};
  if (!revision.modern) lines.insert(lines.begin(), Handshake(revision));
  for (const std::string& line : OverStdio(lines)) {
    Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object() || answer.value("id", Json()) != "handshake") return answer;
  }
  return nullptr;
}

Json RawOverHttp(const RevisionTraits& revision, const std::string& body, int* status) {
  HttpHandler handler(Fixtures(), {});
  HttpReply reply;
  if (revision.modern) {
    reply = handler.Handle(ModernPost(body));
  } else {
    const HttpReply handshake = handler.Handle(Post(Handshake(revision)));
    HttpRequest request = Post(body);
    SetHeader(&request, "Mcp-Session-Id", HeaderOf(handshake, "Mcp-Session-Id"));
    if (revision.version_header) SetHeader(&request, "MCP-Protocol-Version", std::string(revision.name));
    reply = handler.Handle(request);
  }
  *status = reply.status;
  if (!reply.stream) return reply.body.empty() ? Json() : Json::parse(reply.body, nullptr, false);
  const std::vector<Json> events = Events(*reply.stream);
  return events.empty() ? Json() : events.back();
}

HttpRequest Post(std::string body, std::initializer_list<std::pair<std::string, std::string>> more) {
  HttpRequest request{"POST", "/mcp", {}, std::move(body)};
  request.headers = {{"Host", "127.0.0.1:8080"},
                     {"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"},
                     {"Content-Length", std::to_string(request.body.size())}};
  for (const auto& [name, value] : more) SetHeader(&request, name, value);
  return request;
}

HttpRequest ModernPost(const std::string& body, std::initializer_list<std::pair<std::string, std::string>> more) {
  HttpRequest request = Post(body);
  SetHeader(&request, "MCP-Protocol-Version", "2026-07-28");
  const pith::Result<Json> read = ParseMessage(body);
  const Json parsed = read.ok() ? *read : Json();
  if (parsed.is_object() && parsed.contains("method") && parsed["method"].is_string()) {
    SetHeader(&request, "Mcp-Method", parsed["method"]);
    const Json params = parsed.contains("params") ? parsed["params"] : Json::object();
    if (params.contains("name") && params["name"].is_string()) SetHeader(&request, "Mcp-Name", params["name"]);
    if (params.contains("uri") && params["uri"].is_string()) SetHeader(&request, "Mcp-Name", params["uri"]);
  }
  for (const auto& [name, value] : more) SetHeader(&request, name, value);
  return request;
}

std::string HeaderOf(const HttpReply& reply, std::string_view name) {
  for (const auto& [header, value] : reply.headers) {
    if (header == name) return value;
  }
  return "";
}

std::vector<Json> Events(HttpStream& stream, size_t most) {
  std::vector<Json> events;
  std::string text;
  while (events.size() < most) {
    const HttpStream::State state = stream.Next(&text, std::chrono::seconds(5));
    for (size_t at = text.find("data: "); at != std::string::npos; at = text.find("data: ", at + 1)) {
      events.push_back(Json::parse(text.substr(at + 6, text.find('\n', at) - at - 6), nullptr, false));
    }
    if (state != HttpStream::State::kData) break;
  }
  return events;
}

}  // namespace pith::mcp::test
