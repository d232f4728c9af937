#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "tests/server/driver.h"

using namespace pith::mcp;        // NOLINT
using namespace pith::mcp::test;  // NOLINT

namespace {

const RevisionTraits& kModern = Revisions().back();

// A server in a process of its own, on two pipes.
class ServerProcess {
 public:
  explicit ServerProcess(bool leave_output_open = true) {
    Fixtures();
    std::array<int, 2> in{}, out{};
    REQUIRE(pipe2(in.data(), O_CLOEXEC) == 0);
    REQUIRE(pipe2(out.data(), O_CLOEXEC) == 0);
    std::fflush(nullptr);  // what the test runner has not yet written is not the child's to write
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      for (const int end : {in[0], in[1], out[0], out[1]}) close(end);
      _exit(ServeStdio(Fixtures()));
    }
    close(in[0]);
    close(out[1]);
    input_ = in[1];
    output_ = out[0];
    if (!leave_output_open) CloseOutput();
  }
  ~ServerProcess() {
    CloseInput();
    CloseOutput();
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void Send(const std::string& line) {
    const std::string text = line + "\n";
    CHECK(write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  std::string ReadLine() {
    std::string line;
    for (char c = 0; read(output_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  void CloseInput() { Close(&input_); }
  void CloseOutput() { Close(&output_); }
  void Signal(int which) const { kill(pid_, which); }
  pid_t pid() const { return pid_; }

  // The wait status; -1 if it has not ended within ten seconds (a bound for a stuck server, not a measurement).
  int Wait() {
    for (int i = 0; i < 1000; ++i) {
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return -1;
  }

 private:
  static void Close(int* descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
  }
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
};

std::string Cancel(const Json& id) {
  return Dump(Json{{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", id}}}});
}

Json WithProgress(const Json& token) {
  Json meta = ModernMeta();
  meta["progressToken"] = token;
  return meta;
}

}  // namespace

TEST_CASE("each bad line is answered as it deserves, and the next one is served") {
  struct Row {
    std::string line;
    int code;  // 0: no answer
  };
  const Row rows[] = {
      {"", 0},
      {"   \t", 0},
      {"\r", 0},
      {"nonsense", -32700},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", -32700},
      {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\xffng\"}", -32700},
      {std::string("\0\0\0", 3), -32700},
      {std::string(100'000, '['), -32600},
      {"{}", -32600},
      {"5", -32600},
      {"[]", -32600},
      {"[1,2]", -32600},
      {R"({"jsonrpc":"2.0","method":"no/such/notification"})", 0},
      {R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", 0},
      {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}})", 0},
      {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":7})", 0},
      {R"({"jsonrpc":"2.0","id":77,"result":{}})", 0},
      {R"({"jsonrpc":"2.0","id":"pith-1","error":{"code":1,"message":"x"}})", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.line.substr(0, 80));
    const std::vector<std::string> lines = OverStdio({row.line, R"({"jsonrpc":"2.0","id":"after","method":"ping"})"});
    CHECK(lines.size() == (row.code == 0 ? 1 : 2));
    CHECK(WithId(lines, "after").contains("result"));
    if (row.code != 0) CHECK(WithId(lines, nullptr).at("/error/code"_json_pointer) == row.code);
  }
}

TEST_CASE("lines may end in CR LF") {
  CHECK(OverStdio({"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r"}).size() == 1);
}

TEST_CASE("a last line without newline is served") {
  // OverStdio ends each line; a line that holds two messages' worth of text shows that only newlines part them.
  std::array<int, 2> in{}, out{};
  REQUIRE(pipe(in.data()) == 0);
  REQUIRE(pipe(out.data()) == 0);
  const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  REQUIRE(write(in[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  close(in[1]);
  StdioOptions options;
  options.input = in[0];
  options.output = out[1];
  options.own_process = false;
  CHECK(ServeStdio(Fixtures(), options) == 0);
  std::array<char, 256> answer{};
  CHECK(read(out[0], answer.data(), answer.size()) > 0);
  for (const int end : {in[0], out[0], out[1]}) close(end);
}

TEST_CASE("a line over the limit is refused once and skipped to its end") {
  StdioOptions options;
  options.longest_line = 1000;
  const std::string ping = R"({"jsonrpc":"2.0","id":"after","method":"ping"})";
  const std::vector<std::string> lines = OverStdio({std::string(500'000, 'x'), ping}, Fixtures(), options);
  REQUIRE(lines.size() == 2);
  CHECK(WithId(lines, nullptr).at("/error/code"_json_pointer) == -32600);
  CHECK(WithId(lines, "after").contains("result"));
}

TEST_CASE("every output line is one JSON object, also for a tool whose text is no UTF-8") {
  const std::vector<std::string> lines =
      OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_invalid_utf8"}})});
  REQUIRE(lines.size() == 1);
  CHECK(Json::accept(lines[0]));
  CHECK(lines[0].find("before \xef\xbf\xbd after") != std::string::npos);
}

TEST_CASE("two requests with one id are both answered") {
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  CHECK(OverStdio({ping, ping}).size() == 2);
}

TEST_CASE("ids 1 and \"1\" are two") {
  const std::vector<std::string> lines =
      OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_long_running"}}), Cancel("1"), Cancel(1)});
  CHECK(lines.empty());
}

TEST_CASE("requests are served while others run, and a cancelled one is not answered") {
  ServerProcess server;
  server.Send(Request(kModern, "long", "tools/call", {{"name", "test_long_running"}}));
  server.Send(R"({"jsonrpc":"2.0","id":"ping","method":"ping"})");
  CHECK(WithId({server.ReadLine()}, "ping").contains("result"));
  server.Send(Cancel("long"));
  server.Send(R"({"jsonrpc":"2.0","id":"ping2","method":"ping"})");
  CHECK(WithId({server.ReadLine()}, "ping2").contains("result"));
  server.CloseInput();
  CHECK(server.ReadLine().empty());
  CHECK(server.Wait() == 0);
}

TEST_CASE("progress comes only with a token, rises, and keeps the token's type") {
  for (const Json& token : {Json(7), Json("seven")}) {
    const std::vector<std::string> lines = OverStdio(
        {Request(kModern, 1, "tools/call", {{"name", "test_tool_with_progress"}, {"_meta", WithProgress(token)}})});
    REQUIRE(lines.size() == 4);
    double last = -1;
    for (int i = 0; i < 3; ++i) {
      const Json progress = Json::parse(lines[static_cast<size_t>(i)]);
      CHECK(progress.at("method") == "notifications/progress");
      CHECK(progress.at("/params/progressToken"_json_pointer) == token);
      CHECK(progress.at("/params/progress"_json_pointer).get<double>() > last);
      last = progress.at("/params/progress"_json_pointer);
    }
    CHECK(Json::parse(lines[3]).at("id") == 1);
  }
  CHECK(OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_tool_with_progress"}})}).size() == 1);
}

TEST_CASE("after a cancellation nothing more is said of a request, not even progress") {
  ServerProcess server;
  server.Send(Request(kModern, "long", "tools/call", {{"name", "test_long_running"}, {"_meta", WithProgress("t")}}));
  CHECK(Json::parse(server.ReadLine()).at("method") == "notifications/progress");
  server.Send(Cancel("long"));
  server.Send(R"({"jsonrpc":"2.0","id":"after","method":"ping"})");
  while (!WithId({server.ReadLine()}, "after").contains("result")) {
  }  // progress that was under way
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  server.CloseInput();
  CHECK(server.ReadLine().empty());
  CHECK(server.Wait() == 0);
}

TEST_CASE("more requests than there are threads: all are answered, and cancellations are heard meanwhile") {
  ServerProcess server;
  for (int i = 0; i < 12; ++i) server.Send(Request(kModern, i, "tools/call", {{"name", "test_long_running"}}));
  for (int i = 0; i < 12; ++i) server.Send(Cancel(i));
  for (int i = 100; i < 140; ++i) server.Send(Request(kModern, i, "tools/call", {{"name", "test_simple_text"}}));
  std::vector<std::string> lines;
  for (int i = 0; i < 40; ++i) lines.push_back(server.ReadLine());
  for (int i = 100; i < 140; ++i) CHECK(WithId(lines, i).contains("result"));
  server.CloseInput();
  CHECK(server.ReadLine().empty());
  CHECK(server.Wait() == 0);
}

TEST_CASE("a long run's progress is held to a rate") {
  ServerProcess server;
  server.Send(Request(kModern, 1, "tools/call", {{"name", "test_long_running"}, {"_meta", WithProgress(1)}}));
  Json last;
  for (int i = 0; i < 12; ++i) last = Json::parse(server.ReadLine());
  // Ten go through at once; after them one each tenth of a second, in which the tool reports about ten times.
  CHECK(last.at("/params/progress"_json_pointer).get<double>() > 15);
}

TEST_CASE("log messages: in earlier revisions from the level set, in the modern one only where asked for") {
  const auto count = [](const std::vector<std::string>& lines) {
    size_t logs = 0;
    for (const std::string& line : lines) logs += line.find("notifications/message") != std::string::npos ? 1 : 0;
    return logs;
  };
  const std::string call = Request(LatestLegacy(), 1, "tools/call", {{"name", "test_tool_with_logging"}});
  const auto level = [](const char* name) {
    return Request(LatestLegacy(), "level", "logging/setLevel", {{"level", name}});
  };
  CHECK(count(OverStdio({call})) == 3);
  Json meta = ModernMeta();
  CHECK(count(OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_tool_with_logging"}, {"_meta", meta}})})) ==
        0);
  meta["io.modelcontextprotocol/logLevel"] = "debug";
  CHECK(count(OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_tool_with_logging"}, {"_meta", meta}})})) ==
        3);
  meta["io.modelcontextprotocol/logLevel"] = "error";
  CHECK(count(OverStdio({Request(kModern, 1, "tools/call", {{"name", "test_tool_with_logging"}, {"_meta", meta}})})) ==
        0);
  ServerProcess server;
  server.Send(level("error"));
  CHECK(WithId({server.ReadLine()}, "level").contains("result"));
  server.Send(call);
  CHECK(WithId({server.ReadLine()}, 1).contains("result"));
}

TEST_CASE("a listen is acknowledged first, filtered, tagged with its id, and ended with a result") {
  ServerProcess server;
  server.Send(Request(kModern, 42, "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  const Json acknowledged = Json::parse(server.ReadLine());
  CHECK(acknowledged.at("method") == "notifications/subscriptions/acknowledged");
  CHECK(acknowledged.at("/params/notifications"_json_pointer) == Json{{"toolsListChanged", true}});
  CHECK(acknowledged.at("/params/_meta/io.modelcontextprotocol~1subscriptionId"_json_pointer) == 42);
  server.Send(Request(kModern, "p", "tools/call", {{"name", "test_trigger_prompt_change"}}));
  CHECK(WithId({server.ReadLine()}, "p").contains("result"));
  server.Send(Request(kModern, "t", "tools/call", {{"name", "test_trigger_tool_change"}}));
  const Json changed = Json::parse(server.ReadLine());
  CHECK(changed.at("method") == "notifications/tools/list_changed");
  CHECK(changed.at("/params/_meta/io.modelcontextprotocol~1subscriptionId"_json_pointer) == 42);
  CHECK(WithId({server.ReadLine()}, "t").contains("result"));
  server.CloseInput();
  const Json ended = Json::parse(server.ReadLine());
  CHECK(ended.at("id") == 42);
  CHECK(ended.at("/result/resultType"_json_pointer) == "complete");
  CHECK(server.Wait() == 0);
}

TEST_CASE("a cancelled listen hears nothing more") {
  ServerProcess server;
  server.Send(Request(kModern, "l", "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  server.ReadLine();
  server.Send(Cancel("l"));
  server.Send(Request(kModern, "t", "tools/call", {{"name", "test_trigger_tool_change"}}));
  CHECK(WithId({server.ReadLine()}, "t").contains("result"));
  server.CloseInput();
  CHECK(server.ReadLine().empty());
}

TEST_CASE("earlier revisions are told of changes after their handshake, of resources they subscribed to") {
  ServerProcess server;
  server.Send(
      Request(LatestLegacy(), "i", "initialize",
              {{"protocolVersion", "2025-06-18"}, {"capabilities", Json::object()}, {"clientInfo", Json::object()}}));
  server.ReadLine();
  server.Send(Request(LatestLegacy(), "s", "resources/subscribe", {{"uri", "test://watched-resource"}}));
  server.ReadLine();
  server.Send(Request(LatestLegacy(), "t", "tools/call", {{"name", "test_trigger_resource_update"}}));
  const Json updated = Json::parse(server.ReadLine());
  CHECK(updated.at("method") == "notifications/resources/updated");
  CHECK(updated.at("/params/uri"_json_pointer) == "test://watched-resource");
}

TEST_CASE("the client can be asked in earlier revisions") {
  ServerProcess server;
  server.Send(Request(LatestLegacy(), "i", "initialize",
                      {{"protocolVersion", "2025-06-18"},
                       {"capabilities", {{"sampling", Json::object()}}},
                       {"clientInfo", Json::object()}}));
  server.ReadLine();
  server.Send(
      Request(LatestLegacy(), "t", "tools/call", {{"name", "test_sampling"}, {"arguments", {{"prompt", "hi"}}}}));
  const Json asked = Json::parse(server.ReadLine());
  CHECK(asked.at("method") == "sampling/createMessage");
  server.Send(Dump(Json{
      {"jsonrpc", "2.0"}, {"id", asked.at("id")}, {"result", {{"content", {{"type", "text"}, {"text", "yes"}}}}}}));
  CHECK(WithId({server.ReadLine()}, "t").at("/result/content/0/text"_json_pointer) == "LLM response: yes");
}

TEST_CASE("SIGINT and SIGTERM end the server with code 0, also while a request runs") {
  for (const int which : {SIGINT, SIGTERM, SIGHUP}) {
    for (const bool busy : {false, true}) {
      ServerProcess server;
      if (busy) server.Send(Request(kModern, "long", "tools/call", {{"name", "test_long_running"}}));
      server.Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
      server.ReadLine();
      server.Signal(which);
      const int status = server.Wait();
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 0);
    }
  }
}

TEST_CASE("the end of the input ends the server, after what was read is answered") {
  ServerProcess server;
  for (int i = 0; i < 20; ++i) server.Send(Request(kModern, i, "tools/call", {{"name", "test_simple_text"}}));
  server.CloseInput();
  for (int i = 0; i < 20; ++i) CHECK_FALSE(server.ReadLine().empty());
  CHECK(server.ReadLine().empty());
  CHECK(server.Wait() == 0);
}

TEST_CASE("a closed output ends the server quietly") {
  ServerProcess server(false);
  server.Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  CHECK(server.Wait() == 0);
}

TEST_CASE("a client that does not read does not keep the server from hearing a signal") {
  ServerProcess server;
  server.Send(R"({"jsonrpc":"2.0","id":"up","method":"ping"})");
  server.ReadLine();
  for (int i = 0; i < 300; ++i) server.Send(Request(kModern, i, "tools/list"));
  server.Signal(SIGTERM);
  const int status = server.Wait();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("prints of a library do not reach the client") {
  Registry noisy;
  noisy.name = "noisy";
  noisy.version = "1";
  Tool tool;
  tool.name = "print";
  tool.input_schema = R"({"type":"object"})";
  tool.call = [](const Json&, CallContext&) {
    const ssize_t written = write(1, "stray\n", 6);
    return ToolResult{{}, written != 6, "", ""};
  };
  noisy.tools.push_back(tool);
  std::array<int, 2> in{}, out{}, log{};
  REQUIRE(pipe(in.data()) == 0);
  REQUIRE(pipe(out.data()) == 0);
  REQUIRE(pipe(log.data()) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(log[1], 2);
    for (const int end : {in[0], in[1], out[0], out[1], log[0], log[1]}) close(end);
    _exit(ServeStdio(noisy));
  }
  for (const int end : {in[0], out[1], log[1]}) close(end);
  const std::string line = Request(kModern, 1, "tools/call", {{"name", "print"}}) + "\n";
  CHECK(write(in[1], line.data(), line.size()) > 0);
  close(in[1]);
  waitpid(pid, nullptr, 0);
  std::array<char, 4096> text{};
  const ssize_t got = read(out[0], text.data(), text.size());
  CHECK(std::string_view(text.data(), static_cast<size_t>(got)).find("stray") == std::string_view::npos);
  CHECK(read(log[0], text.data(), text.size()) == 6);
  close(out[0]);
  close(log[0]);
}
