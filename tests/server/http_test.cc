#include <doctest/doctest.h>

#include <set>
#include <thread>

#include "server/http_guard.h"
#include "server/http_status.h"
#include "tests/server/driver.h"

using namespace pith::mcp;        // NOLINT
using namespace pith::mcp::test;  // NOLINT

namespace {

using std::chrono::milliseconds;

const RevisionTraits& kModern = Revisions().back();

const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string kNotice = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string Initialize(const char* version = "2025-06-18", const Json& capabilities = Json::object()) {
  return Request(LatestLegacy(), 1, "initialize",
                 {{"protocolVersion", version}, {"capabilities", capabilities}, {"clientInfo", Json::object()}});
}

int CodeOf(const HttpReply& reply) {
  return Json::parse(reply.body, nullptr, false).is_object()
             ? Json::parse(reply.body).value("/error/code"_json_pointer, 0)
             : 0;
}

HttpRequest With(HttpRequest request, std::string method, std::string target = "/mcp") {
  request.method = std::move(method);
  request.target = std::move(target);
  return request;
}

}  // namespace

TEST_CASE("the status matrix: each situation over HTTP, in both eras where they differ") {
  struct Row {
    const char* what;
    HttpRequest request;
    int status;
    int code;  // of the JSON-RPC error in the body, 0 if there is none
  };
  const std::string modern_list = Request(kModern, 1, "tools/list");
  const std::string modern_call = Request(kModern, 1, "tools/call", {{"name", "test_simple_text"}});
  Json other_version = ModernMeta();
  other_version["io.modelcontextprotocol/protocolVersion"] = "2099-01-01";
  const std::string future = Request(kModern, 1, "tools/list", {{"_meta", other_version}});
  const Row rows[] = {
      {"a plain request", Post(kPing), 200, 0},
      {"a modern request", ModernPost(modern_list), 200, 0},
      {"foreign origin", Post(kPing, {{"Origin", "http://evil.example"}}), 403, 0},
      {"origin null", Post(kPing, {{"Origin", "null"}}), 403, 0},
      {"origin that begins like loopback", Post(kPing, {{"Origin", "http://localhost.evil.example"}}), 403, 0},
      {"origin with a name before loopback", Post(kPing, {{"Origin", "http://a@127.0.0.1"}}), 403, 0},
      {"loopback origin", Post(kPing, {{"Origin", "http://localhost:6274"}}), 200, 0},
      {"loopback origin, IPv6", Post(kPing, {{"Origin", "http://[::1]:6274"}}), 200, 0},
      {"foreign host", Post(kPing, {{"Host", "evil.example"}}), 403, 0},
      {"foreign host with a port", Post(kPing, {{"Host", "evil.example:8080"}}), 403, 0},
      {"no host", Post(kPing, {{"Host", ""}}), 403, 0},
      {"host with a port that is none", Post(kPing, {{"Host", "127.0.0.1:x"}}), 403, 0},
      {"host localhost", Post(kPing, {{"Host", "LOCALHOST"}}), 200, 0},
      {"host [::1]", Post(kPing, {{"Host", "[::1]:80"}}), 200, 0},
      {"foreign origin on GET", With(Post("", {{"Origin", "http://evil.example"}}), "GET"), 403, 0},
      {"foreign origin on OPTIONS", With(Post("", {{"Origin", "http://evil.example"}}), "OPTIONS"), 403, 0},
      {"other path", With(Post(kPing), "POST", "/other"), 404, 0},
      {"the path with a query", With(Post(kPing), "POST", "/mcp?x=1"), 200, 0},
      {"GET", With(Post(""), "GET"), 405, 0},
      {"GET with modern header", With(Post("", {{"MCP-Protocol-Version", "2026-07-28"}}), "GET"), 405, 0},
      {"DELETE with modern header", With(Post("", {{"MCP-Protocol-Version", "2026-07-28"}}), "DELETE"), 405, 0},
      {"DELETE without session", With(Post(""), "DELETE"), 400, 0},
      {"DELETE of an unknown session", With(Post("", {{"Mcp-Session-Id", "nothing"}}), "DELETE"), 404, 0},
      {"PUT", With(Post(kPing), "PUT"), 405, 0},
      {"PATCH", With(Post(kPing), "PATCH"), 405, 0},
      {"OPTIONS without origin", With(Post(""), "OPTIONS"), 405, 0},
      {"OPTIONS of a loopback origin", With(Post("", {{"Origin", "http://localhost"}}), "OPTIONS"), 204, 0},
      {"no content type", Post(kPing, {{"Content-Type", ""}}), 415, 0},
      {"another content type", Post(kPing, {{"Content-Type", "text/plain"}}), 415, 0},
      {"content type with parameters", Post(kPing, {{"Content-Type", "application/json; charset=utf-8"}}), 200, 0},
      {"compressed body", Post(kPing, {{"Content-Encoding", "gzip"}}), 415, 0},
      {"accepts only JSON", Post(kPing, {{"Accept", "application/json"}}), 200, 0},
      {"accepts only events", Post(kPing, {{"Accept", "text/event-stream"}}), 200, 0},
      {"accepts anything", Post(kPing, {{"Accept", "*/*"}}), 200, 0},
      {"accepts by default", Post(kPing, {{"Accept", ""}}), 200, 0},
      {"accepts neither", Post(kPing, {{"Accept", "text/html, image/png"}}), 406, 0},
      {"length that is no number", Post(kPing, {{"Content-Length", "abc"}}), 400, 0},
      {"negative length", Post(kPing, {{"Content-Length", "-1"}}), 400, 0},
      {"length beside chunked", Post(kPing, {{"Transfer-Encoding", "chunked"}}), 400, 0},
      {"length over the limit", Post(kPing, {{"Content-Length", "99999999999"}}), 413, 0},
      {"not JSON", Post("nonsense"), 400, -32700},
      {"empty body", Post(""), 400, -32700},
      {"too deep", Post(std::string(1000, '[')), 400, -32600},
      {"not JSON-RPC", Post("{}"), 400, -32600},
      {"fractional id", Post(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), 400, -32600},
      {"null id", Post(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), 400, -32600},
      {"batch without a header", Post("[" + kPing + "]"), 200, 0},
      {"batch of notifications", Post("[" + kNotice + "]"), 202, 0},
      {"empty batch", Post("[]"), 400, -32600},
      {"batch on 2025-06-18", Post("[" + kPing + "]", {{"MCP-Protocol-Version", "2025-06-18"}}), 400, -32600},
      {"batch with modern header", Post("[" + kPing + "]", {{"MCP-Protocol-Version", "2026-07-28"}}), 400, -32600},
      {"notification", Post(kNotice), 202, 0},
      {"modern notification", Post(kNotice, {{"MCP-Protocol-Version", "2026-07-28"}}), 202, 0},
      {"response", Post(R"({"jsonrpc":"2.0","id":1,"result":{}})"), 202, 0},
      {"response with modern header",
       Post(R"({"jsonrpc":"2.0","id":1,"result":{}})", {{"MCP-Protocol-Version", "2026-07-28"}}), 400, -32600},
      {"unknown method, legacy", Post(R"({"jsonrpc":"2.0","id":1,"method":"no/such"})"), 200, -32601},
      {"unknown method, modern", ModernPost(Request(kModern, 1, "no/such")), 404, -32601},
      {"unknown version header", Post(kPing, {{"MCP-Protocol-Version", "1999-01-01"}}), 400, -32022},
      {"unknown version in header and body", ModernPost(future, {{"MCP-Protocol-Version", "2099-01-01"}}), 400, -32022},
      {"unknown version in the body only", ModernPost(future), 400, -32020},
      {"modern envelope without version header", ModernPost(modern_list, {{"MCP-Protocol-Version", ""}}), 400, -32020},
      {"modern envelope with older header", ModernPost(modern_list, {{"MCP-Protocol-Version", "2025-06-18"}}), 400,
       -32020},
      {"modern header without envelope",
       Post(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", {{"MCP-Protocol-Version", "2026-07-28"}}), 400,
       -32602},
      {"modern header, initialize", Post(Initialize(), {{"MCP-Protocol-Version", "2026-07-28"}}), 400, -32602},
      {"no method header", ModernPost(modern_list, {{"Mcp-Method", ""}}), 400, -32020},
      {"another method header", ModernPost(modern_list, {{"Mcp-Method", "tools/call"}}), 400, -32020},
      {"method header in other case", ModernPost(modern_list, {{"Mcp-Method", "Tools/List"}}), 400, -32020},
      {"no name header", ModernPost(modern_call, {{"Mcp-Name", ""}}), 400, -32020},
      {"another name header", ModernPost(modern_call, {{"Mcp-Name", "test_other"}}), 400, -32020},
      {"name header in base64", ModernPost(modern_call, {{"Mcp-Name", "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?="}}), 200, 0},
      {"name header in bad base64", ModernPost(modern_call, {{"Mcp-Name", "=?base64?dGVzdA=?="}}), 400, -32020},
      {"name header, percent-encoded", ModernPost(modern_call, {{"Mcp-Name", "test%5Fsimple_text"}}), 400, -32020},
      {"session id on a modern request", ModernPost(modern_list, {{"Mcp-Session-Id", "nothing"}}), 200, 0},
      {"unknown session", Post(kPing, {{"Mcp-Session-Id", "nothing"}}), 404, -32600},
      {"discover without envelope", Post(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})"), 400, -32602},
      {"missing capability", ModernPost(Request(kModern, 1, "tools/call", {{"name", "test_missing_capability"}})), 400,
       -32021},
      {"unknown tool, modern", ModernPost(Request(kModern, 1, "tools/call", {{"name", "nothing"}})), 200, -32602},
      {"a listen that takes no events",
       ModernPost(Request(kModern, 1, "subscriptions/listen", {{"notifications", Json::object()}}),
                  {{"Accept", "application/json"}}),
       406, 0},
      {"no token asked for: register is nothing", With(Post("{}"), "POST", "/register"), 404, 0},
      {"health", With(Post(""), "GET", "/healthz"), 200, 0},
      {"metrics", With(Post(""), "GET", "/metrics"), 200, 0},
      {"POST to metrics", With(Post(""), "POST", "/metrics"), 404, 0},
  };
  HttpHandler handler(Fixtures(), {});
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const HttpReply reply = handler.Handle(row.request);
    CAPTURE(reply.body);
    CHECK(reply.status == row.status);
    CHECK(CodeOf(reply) == row.code);
    if (reply.status == 405) CHECK(HeaderOf(reply, "Allow") == "POST");
    if (reply.status == 202) CHECK(reply.body.empty());
  }
}

TEST_CASE("limits of the head: headers, target") {
  HttpHandler handler(Fixtures(), {});
  HttpRequest request = Post(kPing);
  for (int i = 0; i < 10'000; ++i) request.headers.emplace_back("X-" + std::to_string(i), "x");
  CHECK(handler.Handle(request).status == 431);
  CHECK(handler.Handle(With(Post(kPing), "POST", "/" + std::string(5000, 'x'))).status == 414);
}

TEST_CASE("a body over the limit is refused, also one that was not announced") {
  HttpOptions options;
  options.longest_body = 100;
  HttpHandler handler(Fixtures(), options);
  CHECK(handler.Handle(Post(std::string(101, ' '))).status == 413);
  HttpRequest chunked = Post(std::string(101, ' '), {{"Content-Length", ""}, {"Transfer-Encoding", "chunked"}});
  CHECK(handler.Handle(chunked).status == 413);
  options.longest_body = 1000;
  options.most_body_bytes = 100;
  HttpHandler small(Fixtures(), options);
  const HttpReply busy = small.Handle(Post(std::string(101, ' ')));
  CHECK(busy.status == 503);
  CHECK(HeaderOf(busy, "Retry-After") == "1");
}

TEST_CASE("a bearer token: asked for, compared, and kept out of the way of discovery") {
  HttpOptions options;
  options.token = "secret";
  HttpHandler handler(Fixtures(), options);
  CHECK(handler.Handle(Post(kPing)).status == 401);
  CHECK(HeaderOf(handler.Handle(Post(kPing)), "WWW-Authenticate") == "Bearer realm=\"pith\"");
  CHECK(handler.Handle(Post(kPing, {{"Authorization", "Bearer secret"}})).status == 200);
  CHECK(handler.Handle(Post(kPing, {{"Authorization", "bearer  secret"}})).status == 200);
  for (const char* wrong : {"Bearer wrong", "Bearer secre", "Bearer secrets", "Basic secret", "secret", "Bearer"}) {
    CAPTURE(wrong);
    CHECK(handler.Handle(Post(kPing, {{"Authorization", wrong}})).status == 401);
  }
  CHECK(handler.Handle(With(Post(""), "GET")).status == 401);
  CHECK(handler.Handle(With(Post(""), "GET", "/metrics")).status == 401);
  CHECK(handler.Handle(With(Post(""), "GET", "/healthz")).status == 200);
  CHECK(handler.Handle(With(Post(""), "GET", "/.well-known/oauth-protected-resource")).status == 404);
  const HttpReply advice = handler.Handle(With(Post("{}"), "POST", "/register"));
  CHECK(advice.status == 404);
  CHECK(advice.body.find("--header \"Authorization: Bearer <token>\"") != std::string::npos);
}

TEST_CASE("a preflight of an allowed origin learns what it may send, what goes back is not its own text") {
  HttpOptions options;
  options.allowed_origins = {"https://tools.example"};
  HttpHandler handler(Fixtures(), options);
  const HttpReply preflight = handler.Handle(With(Post("", {{"Origin", "http://LOCALHOST:5000"}}), "OPTIONS"));
  CHECK(HeaderOf(preflight, "Access-Control-Allow-Origin") == "http://localhost:5000");
  CHECK(HeaderOf(preflight, "Access-Control-Allow-Methods") == "POST, DELETE");
  CHECK(handler.Handle(Post(kPing, {{"Origin", "https://tools.example"}})).status == 200);
  CHECK(handler.Handle(Post(kPing, {{"Origin", "https://tools.example.evil"}})).status == 403);
}

TEST_CASE("a session lives from initialize to DELETE, and remembers its revision") {
  HttpHandler handler(Fixtures(), {});
  const HttpReply opened = handler.Handle(Post(Initialize("2024-11-05")));
  const std::string id = HeaderOf(opened, "Mcp-Session-Id");
  CHECK(id.size() == 32);
  CHECK(HeaderOf(handler.Handle(Post(Initialize())), "Mcp-Session-Id") != id);
  const std::string list = Request(LatestLegacy(), 1, "tools/list");
  const Json tools = Json::parse(handler.Handle(Post(list, {{"Mcp-Session-Id", id}})).body);
  CHECK_FALSE(tools.at("/result/tools/0"_json_pointer).contains("title"));
  CHECK(handler.Handle(Post(kNotice, {{"Mcp-Session-Id", id}})).status == 202);
  CHECK(handler.Handle(With(Post("", {{"Mcp-Session-Id", id}}), "DELETE")).status == 200);
  CHECK(handler.Handle(Post(list, {{"Mcp-Session-Id", id}})).status == 404);
  CHECK(handler.Handle(Post(kNotice, {{"Mcp-Session-Id", id}})).status == 404);
}

TEST_CASE("sessions are bounded: the one unused for longest goes, and idle ones expire") {
  HttpOptions options;
  options.most_sessions = 2;
  HttpHandler handler(Fixtures(), options);
  const std::string first = HeaderOf(handler.Handle(Post(Initialize())), "Mcp-Session-Id");
  const std::string second = HeaderOf(handler.Handle(Post(Initialize())), "Mcp-Session-Id");
  CHECK(handler.Handle(Post(kPing, {{"Mcp-Session-Id", first}})).status == 200);
  handler.Handle(Post(Initialize()));
  CHECK(handler.Handle(Post(kPing, {{"Mcp-Session-Id", first}})).status == 200);
  CHECK(handler.Handle(Post(kPing, {{"Mcp-Session-Id", second}})).status == 404);
  options.session_idle = std::chrono::minutes(0);
  HttpHandler forgetful(Fixtures(), options);
  const std::string brief = HeaderOf(forgetful.Handle(Post(Initialize())), "Mcp-Session-Id");
  CHECK(forgetful.Handle(Post(kPing, {{"Mcp-Session-Id", brief}})).status == 404);
}

TEST_CASE("an answer is plain JSON, and a stream where a message comes before it") {
  HttpHandler handler(Fixtures(), {});
  Json meta = ModernMeta();
  const Json call = {{"name", "test_tool_with_progress"}, {"_meta", meta}};
  const HttpReply plain = handler.Handle(ModernPost(Request(kModern, 1, "tools/call", call)));
  CHECK_FALSE(plain.stream);
  CHECK(HeaderOf(plain, "Content-Type") == "application/json");
  meta["progressToken"] = "t";
  const std::string body = Request(kModern, 1, "tools/call", {{"name", "test_tool_with_progress"}, {"_meta", meta}});
  const HttpReply streamed = handler.Handle(ModernPost(body));
  REQUIRE(streamed.stream);
  CHECK(HeaderOf(streamed, "Content-Type") == "text/event-stream");
  CHECK(HeaderOf(streamed, "X-Accel-Buffering") == "no");
  const std::vector<Json> events = Events(*streamed.stream);
  REQUIRE(events.size() == 4);
  CHECK(events[0].at("method") == "notifications/progress");
  CHECK(events[3].at("id") == 1);
  // A client that takes no events gets the answer alone.
  const HttpReply alone = handler.Handle(ModernPost(body, {{"Accept", "application/json"}}));
  CHECK(Json::parse(alone.body).at("id") == 1);
}

TEST_CASE("a modern call that takes long becomes a stream, and a client that leaves cancels it") {
  HttpOptions options;
  options.first_wait = milliseconds(20);
  HttpHandler handler(Fixtures(), options);
  const std::string body = Request(kModern, 1, "tools/call", {{"name", "test_long_running"}});
  for (const char* accept : {"application/json, text/event-stream", "application/json"}) {
    HttpReply reply = handler.Handle(ModernPost(body, {{"Accept", accept}}));
    REQUIRE(reply.stream);
    CHECK(handler.WaitIdle(milliseconds(0)) == false);
    reply.stream->Disconnected();
    reply.stream.reset();
    CHECK(handler.WaitIdle(std::chrono::seconds(5)));
  }
}

TEST_CASE("in earlier revisions a request is cancelled by a notification of its session") {
  HttpHandler handler(Fixtures(), {});
  const std::string id = HeaderOf(handler.Handle(Post(Initialize())), "Mcp-Session-Id");
  HttpReply reply;
  std::thread caller([&] {
    reply = handler.Handle(
        Post(Request(LatestLegacy(), "long", "tools/call", {{"name", "test_long_running"}}), {{"Mcp-Session-Id", id}}));
  });
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long"}})";
  while (handler.WaitIdle(milliseconds(1))) {
  }
  for (int i = 0; i < 500 && !handler.WaitIdle(milliseconds(10)); ++i) {
    handler.Handle(Post(cancel, {{"Mcp-Session-Id", id}}));
  }
  caller.join();
  CHECK(reply.body.empty());
}

TEST_CASE("a listen over HTTP: acknowledged first, told of what it asked for, ended by the drain") {
  HttpHandler handler(Fixtures(), {});
  const HttpReply listen = handler.Handle(
      ModernPost(Request(kModern, "l", "subscriptions/listen", {{"notifications", {{"promptsListChanged", true}}}})));
  REQUIRE(listen.stream);
  CHECK(Events(*listen.stream, 1).at(0).at("method") == "notifications/subscriptions/acknowledged");
  handler.Handle(ModernPost(Request(kModern, 1, "tools/call", {{"name", "test_trigger_tool_change"}})));
  handler.Handle(ModernPost(Request(kModern, 1, "tools/call", {{"name", "test_trigger_prompt_change"}})));
  CHECK(Events(*listen.stream, 1).at(0).at("method") == "notifications/prompts/list_changed");
  handler.Drain();
  const std::vector<Json> rest = Events(*listen.stream);
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].at("id") == "l");
  CHECK(rest[0].at("/result/resultType"_json_pointer) == "complete");
  CHECK(handler.Handle(Post(kPing)).status == 503);
  CHECK(handler.Handle(With(Post(""), "GET", "/healthz")).status == 503);
}

TEST_CASE("streams are capped below connections") {
  HttpOptions options;
  options.most_streams = 2;
  HttpHandler handler(Fixtures(), options);
  const HttpRequest listen =
      ModernPost(Request(kModern, "l", "subscriptions/listen", {{"notifications", Json::object()}}));
  std::vector<HttpReply> open;
  open.push_back(handler.Handle(listen));
  open.push_back(handler.Handle(listen));
  const HttpReply busy = handler.Handle(listen);
  CHECK(busy.status == 503);
  CHECK(HeaderOf(busy, "Retry-After") == "1");
  CHECK(handler.Handle(Post(kPing)).status == 200);
  open.back().stream->Disconnected();
  open.pop_back();
  CHECK(handler.Handle(listen).stream != nullptr);
}

TEST_CASE("the client can be asked over the stream of its own request") {
  HttpHandler handler(Fixtures(), {});
  const std::string id =
      HeaderOf(handler.Handle(Post(Initialize("2025-06-18", {{"sampling", Json::object()}}))), "Mcp-Session-Id");
  const HttpReply reply = handler.Handle(
      Post(Request(LatestLegacy(), "t", "tools/call", {{"name", "test_sampling"}, {"arguments", {{"prompt", "hi"}}}}),
           {{"Mcp-Session-Id", id}}));
  REQUIRE(reply.stream);
  const Json asked = Events(*reply.stream, 1).at(0);
  CHECK(asked.at("method") == "sampling/createMessage");
  const std::string answer = Dump(
      Json{{"jsonrpc", "2.0"}, {"id", asked.at("id")}, {"result", {{"content", {{"type", "text"}, {"text", "yes"}}}}}});
  CHECK(handler.Handle(Post(answer, {{"Mcp-Session-Id", id}})).status == 202);
  CHECK(Events(*reply.stream).at(0).at("/result/content/0/text"_json_pointer) == "LLM response: yes");
}

TEST_CASE("parameters that headers repeat must agree with them") {
  HttpHandler handler(Fixtures(), {});
  const auto call = [&](Json arguments, std::initializer_list<std::pair<std::string, std::string>> headers) {
    const std::string body =
        Request(kModern, 1, "tools/call", {{"name", "test_header_parameters"}, {"arguments", std::move(arguments)}});
    return handler.Handle(ModernPost(body, headers)).status;
  };
  CHECK(call({{"region", "eu"}}, {{"Mcp-Param-Region", "eu"}}) == 200);
  CHECK(call({{"region", "eu"}}, {{"mcp-param-region", " eu "}}) == 200);
  CHECK(call({{"region", "eu"}}, {}) == 400);
  CHECK(call({{"region", "eu"}}, {{"Mcp-Param-Region", "us"}}) == 400);
  CHECK(call({{"region", "eu"}}, {{"Mcp-Param-Region", "=?base64?ZXU=?="}}) == 200);
  CHECK(call({{"region", "\xc3\xa9"}}, {{"Mcp-Param-Region", "=?base64?w6k=?="}}) == 200);
  CHECK(call({{"region", "\xc3\xa9"}}, {{"Mcp-Param-Region", "\xc3\xa9"}}) == 400);
  CHECK(call({{"region", "eu"}, {"size", 42}}, {{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Size", "42.0"}}) == 200);
  CHECK(call({{"region", "eu"}, {"size", 42}}, {{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Size", "43"}}) == 400);
  CHECK(call({{"region", "eu"}, {"size", 42}}, {{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Size", "0x2a"}}) == 400);
  CHECK(call({{"region", "eu"}, {"size", nullptr}}, {{"Mcp-Param-Region", "eu"}}) == 200);
  CHECK(call({{"region", "eu"}}, {{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Size", "1"}}) == 400);
}

TEST_CASE("metrics count by method and status, and hold nothing of a request") {
  HttpOptions options;
  options.more_metrics = [] { return std::string("pith_store_entries 7\n"); };
  HttpHandler handler(Fixtures(), options);
  handler.Handle(Post(kPing));
  handler.Handle(Post(R"({"jsonrpc":"2.0","id":1,"method":"evil\"} 1"})"));
  const std::string text = handler.Handle(With(Post(""), "GET", "/metrics")).body;
  CHECK(text.find("pith_http_requests_total{method=\"ping\",status=\"200\"} 1\n") != std::string::npos);
  CHECK(text.find("evil") == std::string::npos);
  CHECK(text.find("pith_store_entries 7\n") != std::string::npos);
}

TEST_CASE("names of this machine, and what only looks like one") {
  for (const char* name : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"}) CHECK(IsLoopbackName(name));
  for (const char* name : {"", "127.0.0", "127.0.0.1.", "127.0.0.1.evil", "127.0.0.x", "1270.0.0.1", "localhost.",
                           "0.0.0.0", "::", "127.0.0.1234"}) {
    CAPTURE(name);
    CHECK_FALSE(IsLoopbackName(name));
  }
}

TEST_CASE("every situation of the status table has a status that is said in words") {
  std::set<int> seen;
  for (const StatusRow& row : StatusTable()) {
    CHECK_FALSE(row.meaning.empty());
    for (const int status : {row.modern, row.legacy}) {
      CHECK(ReasonPhrase(status) != "Status");
      seen.insert(status);
    }
  }
  CHECK(seen.count(403) == 1);
}
