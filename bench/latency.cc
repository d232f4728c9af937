// What a client waits for one retrieval of a 10 KB original, over stdio and over one kept-alive HTTP connection:
// medians and 99th percentiles; then 32 kept-alive connections that ask without pause for some seconds: requests a
// second, errors.
//   bench_latency NAME SECONDS COMMAND...
// COMMAND serves MCP over stdio; with `--http 127.0.0.1:0` after it, over HTTP, and says on stderr "listening on URL".
// It has the tools `compact` {content} and `tokenjuice_retrieve` {token}, in revision 2026-07-28. Answers are compared
// with the original in full once and by length from then on. The client is this process: one thread, the same machine.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/token.h"

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr size_t kBytes = 10'000;
constexpr int kWarmUp = 500;
constexpr int kRounds = 5000;
constexpr int kConnections = 32;

[[noreturn]] void Fail(const std::string& sentence) {
  std::fprintf(stderr, "bench_latency: %s\n", sentence.c_str());
  std::exit(1);
}

std::string Original() {
  std::string out;
  for (int line = 0; out.size() < kBytes; ++line) {
    out += "2024-05-01T10:00:00Z INFO worker: request " + std::to_string(line * 7919) + " done\n";
  }
  out.resize(kBytes);
  return out;
}

std::string CallOf(const char* tool, Json arguments) {
  const Json meta = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  const Json params = {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", meta}};
  return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}, {"params", params}}.dump();
}

// The requests, and what is expected of their answers.
struct Task {
  std::string original = Original();
  std::string token = pith::TokenOf(original);
  std::string compact = CallOf("compact", {{"content", original}});
  std::string retrieve = CallOf("tokenjuice_retrieve", {{"token", token}});

  void CheckInFull(const std::string& answer) const {
    const Json parsed = Json::parse(answer, nullptr, false);
    const Json::json_pointer text("/result/content/0/text");
    if (!parsed.is_object() || !parsed.contains(text) || parsed.at(text) != original) {
      Fail("the original did not come back: " + answer.substr(0, 300));
    }
  }
};

// --- a server process ------------------------------------------------------------------------------------------------

class Server {
 public:
  Server(std::vector<std::string> command, bool http) {
    if (http) command.insert(command.end(), {"--http", "127.0.0.1:0"});
    std::array<int, 2> in{}, out{}, log{};
    if (pipe(in.data()) != 0 || pipe(out.data()) != 0 || pipe(log.data()) != 0) Fail("no pipes");
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);  // also where a failure ends us
      dup2(in[0], 0);
      dup2(out[1], 1);
      if (http) dup2(log[1], 2);
      for (const int end : {in[0], in[1], out[0], out[1], log[0], log[1]}) close(end);
      std::vector<char*> argv;
      for (std::string& word : command) argv.push_back(word.data());
      argv.push_back(nullptr);
      execvp(argv[0], argv.data());
      _exit(127);
    }
    for (const int end : {in[0], out[1], log[1]}) close(end);
    input_ = in[1];
    output_ = out[0];
    log_ = log[0];
    if (http) port_ = ReadPort();
  }
  ~Server() {
    close(input_);
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    close(output_);
    close(log_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const { return port_; }

  std::string Ask(std::string line) {
    line += '\n';
    for (size_t at = 0; at < line.size();) {
      const ssize_t put = write(input_, line.data() + at, line.size() - at);
      if (put <= 0) Fail("the server takes nothing");
      at += static_cast<size_t>(put);
    }
    held_.clear();
    while (held_.empty() || held_.back() != '\n') {
      const ssize_t got = read(output_, buffer_.data(), buffer_.size());
      if (got <= 0) Fail("the server has gone");
      held_.append(buffer_.data(), static_cast<size_t>(got));
    }
    return held_;
  }

 private:
  uint16_t ReadPort() const {
    std::string text;
    for (char c = 0; text.find("/mcp") == std::string::npos;) {
      if (read(log_, &c, 1) != 1) Fail("the server did not say where it listens: " + text);
      text += c;
    }
    return static_cast<uint16_t>(std::atoi(text.c_str() + text.rfind(':') + 1));
  }

  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, log_ = -1;
  uint16_t port_ = 0;
  std::string held_;
  std::array<char, 65536> buffer_{};
};

// --- HTTP, as much as this needs -------------------------------------------------------------------------------------

class Connection {
 public:
  explicit Connection(uint16_t port) {
    descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) Fail("cannot connect");
    const int on = 1;
    setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~Connection() { close(descriptor_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const { return descriptor_; }

  bool Send(const std::string& request) {
    held_.clear();
    sent_at_ = Clock::now();
    return send(descriptor_, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size());
  }
  // Reads what is there. False: the peer has closed.
  bool Receive() {
    const ssize_t got = recv(descriptor_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) return false;
    held_.append(buffer_.data(), static_cast<size_t>(got));
    return true;
  }
  // The body, once all of it is there.
  std::optional<std::string_view> Body() const {
    const size_t end = held_.find("\r\n\r\n");
    if (end == std::string::npos) return std::nullopt;
    const std::string_view head = std::string_view(held_).substr(0, end);
    const std::string_view body = std::string_view(held_).substr(end + 4);
    const size_t length = FindNoCase(head, "content-length:");
    if (length != std::string_view::npos) {
      const size_t wanted = std::strtoul(head.data() + length + 15, nullptr, 10);
      return body.size() >= wanted ? std::optional(body) : std::nullopt;
    }
    return body.ends_with("0\r\n\r\n") ? std::optional(body) : std::nullopt;  // chunked
  }
  bool ok() const { return held_.starts_with("HTTP/1.1 200"); }
  double MicrosecondsSinceSent() const {
    return std::chrono::duration<double, std::micro>(Clock::now() - sent_at_).count();
  }

  // A request and its whole answer.
  std::string_view Ask(const std::string& request) {
    if (!Send(request)) Fail("the connection takes nothing");
    while (true) {
      if (!Receive()) Fail("the connection was closed");
      if (const auto body = Body()) return *body;
    }
  }

 private:
  static size_t FindNoCase(std::string_view text, std::string_view lower) {
    const auto at = std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                                [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
    return at == text.end() ? std::string_view::npos : static_cast<size_t>(at - text.begin());
  }

  int descriptor_ = -1;
  std::string held_;
  Clock::time_point sent_at_;
  std::array<char, 65536> buffer_{};
};

std::string Post(const std::string& body, const char* tool) {
  return "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
         "Mcp-Method: tools/call\r\nMcp-Name: " +
         std::string(tool) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// The JSON of an answer: the body, or an event's data in it.
std::string JsonOf(std::string_view body) {
  const size_t from = body.find("{\"");
  const size_t end = body.find_last_of('}');
  return from == std::string_view::npos ? std::string(body) : std::string(body.substr(from, end - from + 1));
}

// --- what is measured ------------------------------------------------------------------------------------------------

void Print(const std::string& name, const char* what, std::vector<double> times, const std::string& more = "") {
  std::sort(times.begin(), times.end());
  std::printf("  %-12s %-34s %9.1f us p50 %9.1f us p99%s\n", name.c_str(), what, times[times.size() / 2],
              times[times.size() * 99 / 100], more.c_str());
  std::fflush(stdout);
}

template <typename Work>
std::vector<double> Timed(Work work) {
  std::vector<double> times;
  for (int i = -kWarmUp; i < kRounds; ++i) {
    const auto from = Clock::now();
    work();
    if (i >= 0) times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - from).count());
  }
  return times;
}

void MeasureStdio(const std::string& name, const std::vector<std::string>& command, const Task& task) {
  Server server(command, false);
  server.Ask(task.compact);
  task.CheckInFull(server.Ask(task.retrieve));
  Print(name, "stdio", Timed([&] {
          if (server.Ask(task.retrieve).size() < kBytes) Fail("a short answer");
        }));
}

void MeasureHttp(const std::string& name, uint16_t port, const Task& task) {
  Connection connection(port);
  const std::string request = Post(task.retrieve, "tokenjuice_retrieve");
  connection.Ask(Post(task.compact, "compact"));
  task.CheckInFull(JsonOf(connection.Ask(request)));
  Print(name, "HTTP, one kept-alive connection", Timed([&] {
          if (connection.Ask(request).size() < kBytes) Fail("a short answer");
        }));
}

void MeasureMany(const std::string& name, uint16_t port, const Task& task, std::chrono::seconds how_long) {
  const std::string request = Post(task.retrieve, "tokenjuice_retrieve");
  std::vector<std::unique_ptr<Connection>> connections;
  std::vector<pollfd> waits;
  for (int i = 0; i < kConnections; ++i) {
    connections.push_back(std::make_unique<Connection>(port));
    waits.push_back({connections.back()->descriptor(), POLLIN, 0});
    connections.back()->Send(request);
  }
  std::vector<double> times;
  size_t errors = 0;
  const auto from = Clock::now();
  while (Clock::now() - from < how_long) {
    if (poll(waits.data(), waits.size(), 1000) <= 0) Fail("no answer within a second");
    for (size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents == 0) continue;
      Connection& connection = *connections[i];
      if (!connection.Receive()) {
        ++errors;
        connections[i] = std::make_unique<Connection>(port);
        waits[i].fd = connections[i]->descriptor();
        connections[i]->Send(request);
        continue;
      }
      const auto body = connection.Body();
      if (!body) continue;
      times.push_back(connection.MicrosecondsSinceSent());
      if (!connection.ok() || body->size() < kBytes) ++errors;
      connection.Send(request);
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - from).count();
  Print(name, "HTTP, 32 connections without pause", times,
        ", " + std::to_string(static_cast<int>(static_cast<double>(times.size()) / seconds)) + " requests/s, " +
            std::to_string(errors) + " errors");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) Fail("bench_latency NAME SECONDS COMMAND...");
  signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> command(argv + 3, argv + argc);
  const Task task;
  MeasureStdio(argv[1], command, task);
  const Server server(command, true);
  MeasureHttp(argv[1], server.port(), task);
  MeasureMany(argv[1], server.port(), task, std::chrono::seconds(std::atoi(argv[2])));
  return 0;
}
