// Streamable HTTP without sockets: a request goes in, a reply or a stream comes out. What listens and reads bytes lies
// beyond this interface (server/httplib/), and tests need none of it.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/registry.h"

namespace pith::mcp {

struct HttpRequest {
  std::string method;                                        // as sent
  std::string target;                                        // path and query, as sent
  std::vector<std::pair<std::string, std::string>> headers;  // as sent, values without surrounding blanks
  std::string body;

  // First header of that lower-case name.
  std::optional<std::string> Header(std::string_view lower_name) const;
};

// The rest of a reply that goes on: chunks as they come. One reader.
class HttpStream {
 public:
  virtual ~HttpStream() = default;
  enum class State { kData, kIdle, kEnd };
  // Waits up to `wait` for bytes to send; kEnd may come with a last chunk.
  virtual State Next(std::string* chunk, std::chrono::milliseconds wait) = 0;
  virtual void Disconnected() = 0;  // the client has gone; cancels where its revision says so
  virtual bool events() const = 0;  // true: an event stream, into which comments may be put to keep it alive
};

struct HttpReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // without Content-Length and Transfer-Encoding
  std::string body;
  std::shared_ptr<HttpStream> stream;  // if set: sent after the head, chunked; the body is empty
};

struct HttpOptions {
  std::string host = "127.0.0.1";  // a literal address or localhost
  uint16_t port = 0;               // 0: any free one
  std::string path = "/mcp";
  std::string token;                         // bearer token; empty: none is asked for
  std::vector<std::string> allowed_hosts;    // names beside the loopback ones, without port
  std::vector<std::string> allowed_origins;  // whole origins beside those of loopback, "https://example.org"
  std::string name_space;                    // of all that come in
  std::string certificate, private_key;      // paths of PEM files; both set: TLS

  size_t longest_body = 32 * 1024 * 1024;      // bytes, one request
  size_t most_body_bytes = 256 * 1024 * 1024;  // bytes, all requests under way
  size_t most_connections = 64;
  size_t most_streams = 48;
  size_t most_sessions = 1024;
  size_t most_headers = 100;
  std::chrono::minutes session_idle{30};
  std::chrono::milliseconds first_wait{300};  // how long a modern call may take before its reply becomes a stream
  std::chrono::seconds drain{10};             // how long running requests may go on after SIGTERM
  std::function<std::string()> more_metrics;  // Prometheus text to add to /metrics; may be null
};

class HttpHandler {
 public:
  // The registry must outlive it.
  HttpHandler(const Registry& registry, const HttpOptions& options);
  ~HttpHandler();
  HttpHandler(const HttpHandler&) = delete;
  HttpHandler& operator=(const HttpHandler&) = delete;

  // The reply to a request whose body need not be read, decided by its head alone; none: read the body, then Handle.
  std::optional<HttpReply> CheckHead(const HttpRequest& request);
  // The whole of it. Blocks until the answer or its first event is there.
  HttpReply Handle(HttpRequest request);
  // What to say to a body that went over the limit, or to one connection too many.
  HttpReply TooLarge() const;
  HttpReply Busy() const;

  // No new requests, open listens get their result. Running requests go on.
  void Drain();
  bool WaitIdle(std::chrono::milliseconds most);
  void CancelAll();

  std::string Metrics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pith::mcp
