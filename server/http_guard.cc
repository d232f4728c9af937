// A page in the user's browser can reach a server on loopback, also under a name of its own that resolves to 127.0.0.1.
// Origin gives away the first, Host the second. Both are parsed strictly: whatever does not read as scheme, name and
// port is foreign.
#include "server/http_guard.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/sha256.h"
#include "server/headers.h"

namespace pith::mcp {
namespace {

bool AllDigits(std::string_view text) {
  return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// "name" and ":port" of "name[:port]"; the brackets of an IPv6 literal stay with the name.
struct Authority {
  std::string name;
  std::string port;  // digits, "" if there is none
};
std::optional<Authority> ParseAuthority(std::string_view text) {
  size_t end = text.find(':');
  if (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    end = close + 1 == text.size() ? std::string_view::npos : close + 1;
    if (end != std::string_view::npos && text[end] != ':') return std::nullopt;
  }
  Authority authority{Lower(text.substr(0, end)), ""};
  if (end == std::string_view::npos) return authority;
  authority.port = text.substr(end + 1);
  if (!AllDigits(authority.port)) return std::nullopt;
  return authority;
}

std::string_view CutAt(std::string_view text, char mark) { return text.substr(0, text.find(mark)); }

}  // namespace

bool IsLoopbackName(std::string_view host) {
  if (host == "localhost" || host == "::1" || host == "[::1]") return true;
  if (!host.starts_with("127.") || host.size() > 15) return false;
  int groups = 0;
  while (true) {
    const std::string_view group = CutAt(host, '.');
    if (!AllDigits(group) || group.size() > 3 || ++groups > 4) return false;
    if (group.size() == host.size()) return groups == 4;
    host.remove_prefix(group.size() + 1);
  }
}

std::optional<std::string> AllowedOrigin(std::string_view origin, const std::vector<std::string>& allowed) {
  for (const std::string& known : allowed) {
    if (known == origin) return known;
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const std::optional<Authority> authority = ParseAuthority(origin.substr(scheme.size()));
    if (!authority || !IsLoopbackName(authority->name)) return std::nullopt;
    return std::string(scheme) + authority->name + (authority->port.empty() ? "" : ":" + authority->port);
  }
  return std::nullopt;
}

bool AllowedHost(std::string_view host, const std::vector<std::string>& allowed) {
  const std::optional<Authority> authority = ParseAuthority(host);
  if (!authority) return false;
  return IsLoopbackName(authority->name) ||
         std::ranges::any_of(allowed, [&](const std::string& known) { return Lower(known) == authority->name; });
}

bool TokenMatches(std::string_view authorization, std::string_view token) {
  const size_t blank = authorization.find(' ');
  if (blank == std::string_view::npos || Lower(authorization.substr(0, blank)) != "bearer") return false;
  const Digest given = Sha256Of(Trimmed(authorization.substr(blank)));
  const Digest right = Sha256Of(token);
  return CRYPTO_memcmp(given.data(), right.data(), right.size()) == 0;
}

bool IsJsonContentType(std::string_view content_type) {
  return Lower(Trimmed(CutAt(content_type, ';'))) == "application/json";
}

Acceptance WhatIsAccepted(const std::optional<std::string>& accept) {
  if (!accept) return {};
  Acceptance accepted{false, false};
  std::string_view rest = *accept;
  while (true) {
    const std::string_view item = CutAt(rest, ',');
    const std::string type = Lower(Trimmed(CutAt(item, ';')));
    accepted.json = accepted.json || type == "application/json" || type == "application/*" || type == "*/*";
    accepted.events = accepted.events || type == "text/event-stream" || type == "text/*" || type == "*/*";
    if (item.size() == rest.size()) return accepted;
    rest.remove_prefix(item.size() + 1);
  }
}

std::optional<BodyShape> ShapeOfBody(const HttpRequest& request) {
  BodyShape shape;
  bool has_length = false;
  for (const auto& [name, value] : request.headers) {
    const std::string lower = Lower(name);
    if (lower == "content-length") {
      if (has_length || value.empty() || value.size() > 18) return std::nullopt;
      has_length = true;
      for (const char c : value) {
        if (c < '0' || c > '9') return std::nullopt;
        shape.length = shape.length * 10 + static_cast<uint64_t>(c - '0');
      }
    } else if (lower == "transfer-encoding") {
      if (shape.chunked || Lower(value) != "chunked") return std::nullopt;
      shape.chunked = true;
    }
  }
  if (has_length && shape.chunked) return std::nullopt;
  return shape;
}

std::string_view PathOf(std::string_view target) { return CutAt(target, '?'); }

}  // namespace pith::mcp
