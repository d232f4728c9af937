// A request as HTTP brings it: the first line is method and target, then headers to an empty line, then the body.
#include <cctype>

#include "server/http.h"
#include "tests/fuzz/server_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static pith::mcp::HttpHandler handler(pith::fuzz::SmallRegistry(), {});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto line = [&rest] {
    const size_t end = rest.find('\n');
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return text;
  };
  pith::mcp::HttpRequest request;
  const std::string_view start = line();
  request.method = start.substr(0, start.find(' '));
  request.target = start.substr(std::min(start.size(), request.method.size() + 1));
  while (!rest.empty()) {
    const std::string_view header = line();
    if (header.empty()) break;
    const size_t colon = header.find(':');
    if (colon == std::string_view::npos) continue;
    const size_t value = std::min(header.find_first_not_of(" \t", colon + 1), header.size());
    request.headers.emplace_back(header.substr(0, colon), header.substr(value));
  }
  request.body = rest;
  const pith::mcp::HttpReply reply = handler.Handle(std::move(request));
  if (reply.status < 200 || reply.status > 503) std::abort();
  for (const auto& [name, value] : reply.headers) {
    if (value.find_first_of("\r\n") != std::string::npos) std::abort();  // nothing of a request may split a reply
  }
  if (reply.stream) reply.stream->Disconnected();
  return 0;
}
