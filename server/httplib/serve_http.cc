// cpp-httplib accepts, parses and frames; this file stands between it and the handler.
//   - process_and_close_socket is overridden: each connection is our own Stream (see connection.h), kept for up to
//     100,000 requests, and one connection too many gets a 503 and is closed at once.
//   - all that a head decides is answered in the pre-routing handler, before any body is read; a POST that may go on
//     reaches the only route there is, whose body is counted as it comes (the library's own limit passes over chunked
//     bodies).
//   - the end: SIGTERM starts the drain. The library's stop() tears down open streams, so it comes last.
#include "server/httplib/serve_http.h"

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <thread>

#include "server/http_guard.h"
#include "server/httplib/connection.h"
#include "server/log.h"
#include "server/pool.h"

namespace pith::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int kRequestsPerConnection = 100'000;
constexpr seconds kIdleConnection{60};
constexpr milliseconds kStreamPoll{300};
constexpr seconds kKeepAliveComment{15};
constexpr int kBacklog = 128;
constexpr seconds kAfterCancel{2};

// The connection that this thread serves, and whether it is one too many. A connection is served by one thread.
thread_local Connection* current_connection = nullptr;
thread_local HttpRequest current_request;
thread_local bool one_too_many = false;

// A thread a connection up to the cap; beyond it the accepting thread says no.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(size_t most) : most_(most), pool_(std::make_unique<WorkerPool>(most)) {}
  void enqueue(std::function<void()> serve) override {
    if (busy_ >= most_) {
      one_too_many = true;
      serve();
      one_too_many = false;
      return;
    }
    ++busy_;
    pool_->Post([this, serve = std::move(serve)] {
      serve();
      --busy_;
    });
  }
  void shutdown() override { pool_.reset(); }

 private:
  const size_t most_;
  std::atomic<size_t> busy_ = 0;
  std::unique_ptr<WorkerPool> pool_;
};

void CopyHead(const HttpReply& from, httplib::Response* into) {
  into->status = from.status;
  for (const auto& [name, value] : from.headers) into->set_header(name, value);
}

// Sends a stream's chunks as they come; notices a client that has gone.
class StreamPump {
 public:
  explicit StreamPump(std::shared_ptr<HttpStream> stream) : stream_(std::move(stream)) {}
  bool operator()(size_t, httplib::DataSink& sink) {
    Connection& connection = *current_connection;
    if (!connection.Flush()) return Gone();
    std::string chunk;
    const HttpStream::State state = stream_->Next(&chunk, kStreamPoll);
    if (chunk.empty() && stream_->events() && steady_clock::now() - last_sent_ > kKeepAliveComment)
      chunk = ": here\n\n";
    if (!chunk.empty()) {
      if (!sink.write(chunk.data(), chunk.size())) return Gone();
      last_sent_ = steady_clock::now();
    }
    if (state == HttpStream::State::kEnd) {
      sink.done();
      return true;
    }
    return connection.PeerAlive() ? true : Gone();
  }

 private:
  bool Gone() {
    stream_->Disconnected();
    return false;
  }
  std::shared_ptr<HttpStream> stream_;
  steady_clock::time_point last_sent_ = steady_clock::now();
};

void Apply(HttpReply reply, httplib::Response* into) {
  CopyHead(reply, into);
  if (current_connection->ends()) into->set_header("Connection", "close");
  if (!reply.stream) {
    into->body = std::move(reply.body);
    return;
  }
  std::string type;
  for (const auto& [name, value] : reply.headers) {
    if (name == "Content-Type") type = value;
  }
  into->headers.erase("Content-Type");
  const auto stream = reply.stream;
  into->set_chunked_content_provider(type, StreamPump(stream), [stream](bool) { stream->Disconnected(); });
}

class McpServer final : public httplib::Server {
 public:
  McpServer(HttpHandler& handler, const HttpOptions& options, SSL_CTX* tls)
      : handler_(handler), options_(options), tls_(tls) {
    new_task_queue = [this] { return new ConnectionThreads(options_.most_connections); };
    set_keep_alive_max_count(kRequestsPerConnection);
    set_keep_alive_timeout(kIdleConnection.count());
    set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_pre_routing_handler([this](const httplib::Request&, httplib::Response& response) { return Before(response); });
    Post(".*", [this](const httplib::Request&, httplib::Response& response, const httplib::ContentReader& reader) {
      TakePost(response, reader);
    });
  }

  int Bind(const std::string& host) {
    const int port = options_.port == 0                  ? bind_to_any_port(host)
                     : bind_to_port(host, options_.port) ? options_.port
                                                         : -1;
    if (port > 0) listen(svr_sock_, kBacklog);
    return port;
  }
  using httplib::Server::listen_after_bind;
  void StopConnections() { stopping_ = true; }

 private:
  static int listen(socket_t socket, int backlog) { return ::listen(socket, backlog); }

  bool process_and_close_socket(socket_t socket) override {
    {
      Connection connection(socket, tls_);
      current_connection = &connection;
      if (one_too_many) {
        SayBusy(connection);
      } else if (connection.Handshake()) {
        Serve(connection);
      }
      current_connection = nullptr;
    }
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return true;
  }

  void Serve(Connection& connection) {
    for (int i = 1; i <= kRequestsPerConnection; ++i) {
      if (!connection.WaitForRequest(kIdleConnection, stopping_)) return;
      connection.BeginHead();
      bool closed = false;
      const bool served =
          process_request(connection, i == kRequestsPerConnection, closed, [](httplib::Request& request) {
            request.ranges.clear();
            request.headers.erase("Accept-Encoding");  // answers are small and loopback is fast: never compress
          });
      if (!connection.Flush() || !served || closed || connection.ends() || !connection.head_whole()) return;
    }
  }

  void SayBusy(Connection& connection) {
    if (tls_ != nullptr) return;
    const HttpReply busy = handler_.Busy();
    std::string text = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: " +
                       std::to_string(busy.body.size()) + "\r\n\r\n" + busy.body;
    connection.write(text.data(), text.size());
    connection.Flush();
  }

  HandlerResponse Before(httplib::Response& response) {
    Connection& connection = *current_connection;
    HttpRequest request = connection.ParseHead();
    std::optional<HttpReply> reply = handler_.CheckHead(request);
    const std::optional<BodyShape> shape = ShapeOfBody(request);
    const bool has_body = shape && (shape->chunked || shape->length > 0);
    if (!reply && has_body) {
      current_request = std::move(request);
      return HandlerResponse::Unhandled;
    }
    if (!reply) reply = handler_.Handle(std::move(request));  // a POST without a body
    if (!shape || (has_body && !connection.DiscardBody(shape->length, shape->chunked))) connection.EndAfterReply();
    Apply(std::move(*reply), &response);
    return HandlerResponse::Handled;
  }

  void TakePost(httplib::Response& response, const httplib::ContentReader& reader) {
    HttpRequest request = std::move(current_request);
    bool too_large = false;
    const bool whole = reader([&](const char* bytes, size_t size) {
      too_large = request.body.size() + size > options_.longest_body;
      if (!too_large) request.body.append(bytes, size);
      return !too_large;
    });
    if (!whole) current_connection->EndAfterReply();
    if (!whole && !too_large) {
      response.status = 400;
      return;
    }
    Apply(too_large ? handler_.TooLarge() : handler_.Handle(std::move(request)), &response);
  }

  HttpHandler& handler_;
  const HttpOptions& options_;
  SSL_CTX* const tls_;
  std::atomic<bool> stopping_ = false;
};

struct TlsDeleter {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using TlsContext = std::unique_ptr<SSL_CTX, TlsDeleter>;

// Null with ok: no TLS asked for.
Result<TlsContext> MakeTls(const HttpOptions& options) {
  if (options.certificate.empty() && options.private_key.empty()) return TlsContext();
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (!context) return Error{Cause::kInternal, "TLS cannot be set up"};
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (SSL_CTX_use_certificate_chain_file(context.get(), options.certificate.c_str()) != 1) {
    return Error{Cause::kInvalid, "the certificate " + options.certificate + " cannot be read"};
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), options.private_key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context.get()) != 1) {
    return Error{Cause::kInvalid, "the private key " + options.private_key + " cannot be read or is another's"};
  }
  return context;
}

sigset_t EndingSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// Waits for a signal, then brings everything to its end.
void DrainOnSignal(HttpHandler& handler, McpServer& server, const HttpOptions& options) {
  const sigset_t set = EndingSignals();
  int which = 0;
  sigwait(&set, &which);
  handler.Drain();
  if (!handler.WaitIdle(options.drain)) {
    handler.CancelAll();
    if (!handler.WaitIdle(kAfterCancel)) _exit(0);
  }
  server.StopConnections();
  server.stop();
}

int Fail(int code, const std::string& sentence) {
  std::fprintf(stderr, "pith: %s\n", sentence.c_str());
  return code;
}

}  // namespace

int ServeHttp(const Registry& registry, const HttpOptions& given) {
  HttpOptions options = given;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const bool loopback = IsLoopbackName(host);
  if (!loopback && options.token.empty()) {
    return Fail(2, "listening on " + host + " lets others in: give a bearer token, or listen on 127.0.0.1");
  }
  if (!loopback && host != "0.0.0.0" && host != "::") {
    options.allowed_hosts.push_back(host.find(':') == std::string::npos ? host : "[" + host + "]");
  }
  Result<TlsContext> tls = MakeTls(options);
  if (!tls.ok()) return Fail(1, tls.error().sentence);

  signal(SIGPIPE, SIG_IGN);
  const sigset_t set = EndingSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  HttpHandler handler(registry, options);
  McpServer server(handler, options, tls->get());
  const int port = server.Bind(host);
  if (port <= 0) return Fail(1, "cannot listen on " + host + " port " + std::to_string(options.port));
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  std::fprintf(stderr, "pith: listening on %s://%s:%d%s%s\n", *tls ? "https" : "http", shown.c_str(), port,
               options.path.c_str(), options.token.empty() ? "" : " (bearer token needed)");
  std::thread drain([&] { DrainOnSignal(handler, server, options); });
  server.listen_after_bind();
  drain.join();
  return 0;
}

}  // namespace pith::mcp
