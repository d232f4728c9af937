// What the head of an HTTP request must satisfy before anything else looks at it: where it claims to come from, whom it
// asks for, what it carries. Pure functions, any thread.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "server/http.h"
#include "server/http_status.h"

namespace pith::mcp {

// "http://localhost:6274" as it may be sent back, if it is a loopback origin of http or https or one of `allowed`.
std::optional<std::string> AllowedOrigin(std::string_view origin, const std::vector<std::string>& allowed);

// Host header: a loopback name or one of `allowed`, any port.
bool AllowedHost(std::string_view host, const std::vector<std::string>& allowed);

// "127.0.0.1", "::1", "localhost", anything in 127.0.0.0/8.
bool IsLoopbackName(std::string_view host);

// The bearer token of an Authorization header against the right one; takes the same time wherever they differ.
bool TokenMatches(std::string_view authorization, std::string_view token);

bool IsJsonContentType(std::string_view content_type);

struct Acceptance {
  bool json = true, events = true;
};
Acceptance WhatIsAccepted(const std::optional<std::string>& accept);

// Content-Length and Transfer-Encoding agree with each other and with themselves. nullopt: the head is malformed.
struct BodyShape {
  bool chunked = false;
  uint64_t length = 0;
};
std::optional<BodyShape> ShapeOfBody(const HttpRequest& request);

std::string_view PathOf(std::string_view target);  // without the query

}  // namespace pith::mcp
