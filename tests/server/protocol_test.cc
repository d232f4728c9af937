// Rows of the protocol's rules, each asked over stdio and over HTTP in every revision it applies to.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/server/driver.h"

using namespace pith::mcp;        // NOLINT
using namespace pith::mcp::test;  // NOLINT

namespace {

constexpr unsigned kLegacy = 0b01111, kModern = 0b10000, kAll = kLegacy | kModern;

bool Applies(unsigned revisions, const RevisionTraits& revision) {
  return (revisions & (1u << static_cast<unsigned>(revision.revision))) != 0;
}

const Json kNothing = Json::object();

}  // namespace

TEST_CASE("errors have the code of their revision over stdio, and the status of it over HTTP") {
  struct Row {
    const char* what;
    unsigned revisions;
    const char* method;
    Json params;
    int code;
    int status;
  };
  const Json bad_uri = {{"uri", "test://nothing"}};
  const Row rows[] = {
      {"unknown method", kLegacy, "no/such", kNothing, -32601, 200},
      {"unknown method", kModern, "no/such", kNothing, -32601, 404},
      {"initialize is gone", kModern, "initialize", kNothing, -32601, 404},
      {"ping is gone", kModern, "ping", kNothing, -32601, 404},
      {"logging/setLevel is gone", kModern, "logging/setLevel", {{"level", "info"}}, -32601, 404},
      {"resources/subscribe is gone", kModern, "resources/subscribe", {{"uri", "test://x"}}, -32601, 404},
      {"resources/unsubscribe is gone", kModern, "resources/unsubscribe", {{"uri", "test://x"}}, -32601, 404},
      {"listen is new", kLegacy, "subscriptions/listen", {{"notifications", kNothing}}, -32601, 200},
      {"unknown tool", kAll, "tools/call", {{"name", "nothing"}}, -32602, 200},
      {"tool without a name", kAll, "tools/call", kNothing, -32602, 200},
      {"tool name of another type", kAll, "tools/call", {{"name", 5}}, -32602, 200},
      {"arguments of another type",
       kAll,
       "tools/call",
       {{"name", "test_simple_text"}, {"arguments", {1}}},
       -32602,
       200},
      {"a handler that throws", kAll, "tools/call", {{"name", "test_throwing"}}, -32603, 200},
      {"unknown prompt", kAll, "prompts/get", {{"name", "nothing"}}, -32602, 200},
      {"prompt argument missing", kAll, "prompts/get", {{"name", "test_prompt_with_arguments"}}, -32602, 200},
      {"unknown resource", kLegacy, "resources/read", bad_uri, -32002, 200},
      {"unknown resource", kModern, "resources/read", bad_uri, -32602, 200},
      {"resource without URI", kAll, "resources/read", kNothing, -32602, 200},
      {"bad cursor of tools", kAll, "tools/list", {{"cursor", "x"}}, -32602, 200},
      {"bad cursor of prompts", kAll, "prompts/list", {{"cursor", "x"}}, -32602, 200},
      {"bad cursor of resources", kAll, "resources/list", {{"cursor", "x"}}, -32602, 200},
      {"cursor of another type", kAll, "resources/list", {{"cursor", 5}}, -32602, 200},
      {"bad log level", kLegacy, "logging/setLevel", {{"level", "loud"}}, -32602, 200},
      {"completion without reference", kAll, "completion/complete", kNothing, -32602, 200},
      {"completion of nothing known",
       kAll,
       "completion/complete",
       {{"ref", {{"type", "ref/prompt"}, {"name", "nothing"}}}, {"argument", {{"name", "a"}, {"value", ""}}}},
       -32602,
       200},
      {"a missing client capability", kModern, "tools/call", {{"name", "test_missing_capability"}}, -32021, 400},
      {"a listen without filter", kModern, "subscriptions/listen", kNothing, -32602, 200},
      {"inputResponses of another type",
       kModern,
       "tools/call",
       {{"name", "test_simple_text"}, {"inputResponses", 5}},
       -32602,
       200},
      {"a state that is not ours",
       kModern,
       "tools/call",
       {{"name", "test_input_required_result_tampered_state"}, {"requestState", "forged"}},
       -32602,
       200},
  };
  for (const Row& row : rows) {
    for (const RevisionTraits& revision : Revisions()) {
      if (!Applies(row.revisions, revision)) continue;
      CAPTURE(row.what);
      CAPTURE(revision.name);
      const Json over_stdio = AnswerOverStdio(revision, row.method, row.params);
      CHECK(over_stdio.value("/error/code"_json_pointer, 0) == row.code);
      CHECK(over_stdio.value("id", 0) == 1);
      CHECK(over_stdio.value("/error/message"_json_pointer, "") != "");
      int status = 0;
      const Json over_http = AnswerOverHttp(revision, row.method, row.params, &status);
      CHECK(over_http == over_stdio);
      CHECK(status == row.status);
    }
  }
}

TEST_CASE("results are the same over both transports, with the fields of their revision") {
  struct Row {
    const char* method;
    Json params;
    unsigned revisions;
    const char* pointer;  // must be there
  };
  const Row rows[] = {
      {"ping", kNothing, kLegacy, "/result"},
      {"server/discover", kNothing, kModern, "/result/supportedVersions/0"},
      {"tools/list", kNothing, kAll, "/result/tools/0/inputSchema"},
      {"tools/list", {{"cursor", ""}}, kAll, "/result/tools/0"},
      {"tools/call", {{"name", "test_simple_text"}}, kAll, "/result/content/0/text"},
      {"tools/call", {{"name", "test_simple_text"}, {"arguments", nullptr}}, kAll, "/result/content/0/text"},
      {"tools/call", {{"name", "test_error_handling"}}, kAll, "/result/isError"},
      {"tools/call", {{"name", "test_image_content"}}, kAll, "/result/content/0/data"},
      {"tools/call", {{"name", "test_invalid_utf8"}}, kAll, "/result/content/0/text"},
      {"tools/call", {{"name", "test_sampling"}, {"arguments", kNothing}}, kAll, "/result/isError"},
      {"resources/list", kNothing, kAll, "/result/nextCursor"},
      {"resources/list", {{"cursor", "page-2"}}, kAll, "/result/resources/0/uri"},
      {"resources/templates/list", kNothing, kAll, "/result/resourceTemplates/0/uriTemplate"},
      {"resources/read", {{"uri", "test://static-text"}}, kAll, "/result/contents/0/text"},
      {"resources/read", {{"uri", "test://static-binary"}}, kAll, "/result/contents/0/blob"},
      {"resources/subscribe", {{"uri", "test://watched-resource"}}, kLegacy, "/result"},
      {"resources/unsubscribe", {{"uri", "test://watched-resource"}}, kLegacy, "/result"},
      {"logging/setLevel", {{"level", "debug"}}, kLegacy, "/result"},
      {"prompts/list", kNothing, kAll, "/result/prompts/0/name"},
      {"prompts/get", {{"name", "test_simple_prompt"}}, kAll, "/result/messages/0/content/text"},
      {"completion/complete",
       {{"ref", {{"type", "ref/resource"}, {"uri", "test://template/{id}/data"}}},
        {"argument", {{"name", "id"}, {"value", "id-1"}}}},
       kAll,
       "/result/completion/values/0"},
  };
  for (const Row& row : rows) {
    for (const RevisionTraits& revision : Revisions()) {
      if (!Applies(row.revisions, revision)) continue;
      CAPTURE(row.method);
      CAPTURE(revision.name);
      const Json over_stdio = AnswerOverStdio(revision, row.method, row.params);
      CAPTURE(over_stdio.dump());
      CHECK(over_stdio.contains(Json::json_pointer(row.pointer)));
      int status = 0;
      CHECK(AnswerOverHttp(revision, row.method, row.params, &status) == over_stdio);
      CHECK(status == 200);
      // Each modern result says what it is and who gives it; no earlier one does.
      CHECK(over_stdio.value("/result/resultType"_json_pointer, "") == (revision.modern ? "complete" : ""));
      CHECK(over_stdio.contains("/result/_meta/io.modelcontextprotocol~1serverInfo/name"_json_pointer) ==
            revision.modern);
    }
  }
}

TEST_CASE("the six cacheable results carry ttlMs and cacheScope in the modern revision, and nothing else does") {
  const std::pair<const char*, Json> cacheable[] = {{"server/discover", kNothing},
                                                    {"tools/list", kNothing},
                                                    {"prompts/list", kNothing},
                                                    {"resources/list", kNothing},
                                                    {"resources/templates/list", kNothing},
                                                    {"resources/read", {{"uri", "test://static-text"}}}};
  const RevisionTraits& modern = Revisions().back();
  for (const auto& row : cacheable) {
    const char* method = row.first;
    const Json& params = row.second;
    CAPTURE(method);
    const Json answer = AnswerOverStdio(modern, method, params);
    CHECK(answer.at("result").at("ttlMs").is_number_unsigned());
    const std::string scope = answer.at("result").at("cacheScope");
    CHECK((scope == "public" || scope == "private"));
    if (method != std::string("server/discover")) {
      CHECK_FALSE(AnswerOverStdio(LatestLegacy(), method, params).at("result").contains("ttlMs"));
    }
  }
  CHECK_FALSE(AnswerOverStdio(modern, "tools/call", {{"name", "test_simple_text"}}).at("result").contains("ttlMs"));
}

TEST_CASE("a resource that is not there is named in the error, a missing capability in its data") {
  for (const RevisionTraits& revision : Revisions()) {
    const Json answer = AnswerOverStdio(revision, "resources/read", {{"uri", "test://nothing"}});
    CHECK(answer.at("/error/data/uri"_json_pointer) == "test://nothing");
    CHECK_FALSE(answer.contains("result"));
  }
  const Json missing = AnswerOverStdio(Revisions().back(), "tools/call", {{"name", "test_missing_capability"}});
  CHECK(missing.at("/error/data/requiredCapabilities"_json_pointer) == Json{{"sampling", kNothing}});
}

TEST_CASE("all pages of a list have one cache scope, and pages join without a gap or a double") {
  std::vector<std::string> uris;
  std::string cursor, scope;
  do {
    const Json params = cursor.empty() ? kNothing : Json{{"cursor", cursor}};
    const Json page = AnswerOverStdio(Revisions().back(), "resources/list", params).at("result");
    for (const Json& resource : page.at("resources")) uris.push_back(resource.at("uri"));
    if (!scope.empty()) CHECK(page.at("cacheScope") == scope);
    scope = page.at("cacheScope");
    cursor = page.value("nextCursor", "");
  } while (!cursor.empty());
  CHECK(uris.size() > 2);
  std::sort(uris.begin(), uris.end());
  CHECK(std::adjacent_find(uris.begin(), uris.end()) == uris.end());
}

TEST_CASE("discovery and the handshake tell who serves, what, and how it is to be used") {
  Registry registry = Fixtures();
  registry.instructions = "Use it.";
  const Json discover =
      WithId(OverStdio({Request(Revisions().back(), 1, "server/discover")}, registry), 1).at("result");
  for (const char* field : {"supportedVersions", "capabilities", "instructions", "ttlMs", "cacheScope", "resultType"}) {
    CAPTURE(field);
    CHECK(discover.contains(field));
  }
  CHECK(discover.at("supportedVersions") == Json{"2026-07-28"});
  CHECK(discover.at("cacheScope") == "public");
  const std::string handshake =
      Request(LatestLegacy(), 1, "initialize",
              {{"protocolVersion", "2025-06-18"}, {"capabilities", kNothing}, {"clientInfo", kNothing}});
  const Json initialized = WithId(OverStdio({handshake}, registry), 1).at("result");
  CHECK(initialized.at("instructions") == "Use it.");
  CHECK(initialized.at("/serverInfo/version"_json_pointer).is_string());
  CHECK(initialized.at("capabilities") == discover.at("capabilities"));
}

TEST_CASE("requests before the handshake are served, over both transports") {
  for (const char* method : {"ping", "tools/list", "prompts/list", "resources/list"}) {
    CAPTURE(method);
    const std::string line = Request(LatestLegacy(), 1, method);
    CHECK(WithId(OverStdio({line}), 1).contains("result"));
    HttpHandler handler(Fixtures(), {});
    CHECK(Json::parse(handler.Handle(Post(line)).body).contains("result"));
  }
}

TEST_CASE("a handshake cannot be cancelled, and a second one is answered anew") {
  const auto handshake = [](const char* id, const char* version) {
    return Request(LatestLegacy(), id, "initialize",
                   {{"protocolVersion", version}, {"capabilities", kNothing}, {"clientInfo", kNothing}});
  };
  const std::vector<std::string> lines =
      OverStdio({R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}})",
                 handshake("a", "2025-06-18"),
                 R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}})",
                 handshake("b", "2024-11-05")});
  CHECK(WithId(lines, "a").at("/result/protocolVersion"_json_pointer) == "2025-06-18");
  CHECK(WithId(lines, "b").at("/result/protocolVersion"_json_pointer) == "2024-11-05");
}

TEST_CASE("a client is asked only for what it declared, and never in the newest revision") {
  for (const RevisionTraits& revision : Revisions()) {
    CAPTURE(revision.name);
    const Json call = {{"name", "test_sampling"}, {"arguments", {{"prompt", "hi"}}}};
    const Json answer = AnswerOverStdio(revision, "tools/call", call);  // the handshake declared nothing
    CHECK(answer.at("/result/isError"_json_pointer) == true);
  }
}

TEST_CASE("no revision gives a code that it does not know") {
  const std::pair<const char*, Json> faults[] = {
      {"no/such", kNothing},
      {"tools/call", {{"name", "nothing"}}},
      {"tools/call", {{"name", "test_throwing"}}},
      {"tools/call", {{"name", "test_missing_capability"}}},
      {"resources/read", {{"uri", "test://nothing"}}},
      {"prompts/get", {{"name", "nothing"}}},
      {"resources/list", {{"cursor", "x"}}},
  };
  for (const RevisionTraits& revision : Revisions()) {
    for (const auto& fault : faults) {
      CAPTURE(revision.name);
      CAPTURE(fault.first);
      const Json answer = AnswerOverStdio(revision, fault.first, fault.second);
      const int code = answer.value("/error/code"_json_pointer, 0);
      const bool of_json_rpc = code <= -32600 && code >= -32603;
      const bool modern = code == -32020 || code == -32021 || code == -32022;
      CHECK((of_json_rpc || (revision.modern ? modern : code == -32002) || answer.contains("result")));
    }
  }
}

TEST_CASE("fields that a revision does not know are left out") {
  for (const RevisionTraits& revision : Revisions()) {
    CAPTURE(revision.name);
    const Json tools = AnswerOverStdio(revision, "tools/list", kNothing);
    CHECK(tools.at("/result/tools/0"_json_pointer).contains("title") == revision.titles);
    const Json structured = AnswerOverStdio(revision, "tools/call", {{"name", "test_structured"}});
    CHECK(structured.at("result").contains("structuredContent") == revision.titles);
    const Json link = AnswerOverStdio(revision, "tools/call", {{"name", "test_resource_link"}});
    CHECK(link.at("/result/content/0/type"_json_pointer) == (revision.titles ? "resource_link" : "text"));
    const Json audio = AnswerOverStdio(revision, "tools/call", {{"name", "test_audio_content"}});
    CHECK(audio.at("/result/content/0/type"_json_pointer) == (revision.audio ? "audio" : "text"));
  }
}

TEST_CASE("initialize echoes a revision that is served and else offers the latest one that has it") {
  const std::pair<const char*, const char*> rows[] = {{"2024-11-05", "2024-11-05"},
                                                      {"2025-03-26", "2025-03-26"},
                                                      {"2025-06-18", "2025-06-18"},
                                                      {"2025-11-25", "2025-11-25"},
                                                      {"2026-07-28", "2025-11-25"},
                                                      {"1999-01-01", "2025-11-25"},
                                                      {"", "2025-11-25"}};
  for (const auto& row : rows) {
    const char* asked = row.first;
    const char* given = row.second;
    CAPTURE(asked);
    const std::string line = Request(
        LatestLegacy(), 1, "initialize",
        {{"protocolVersion", asked}, {"capabilities", kNothing}, {"clientInfo", {{"name", "t"}, {"version", "1"}}}});
    const Json answer = WithId(OverStdio({line}), 1);
    CHECK(answer.at("/result/protocolVersion"_json_pointer) == given);
    CHECK(answer.at("/result/serverInfo/name"_json_pointer) == "pith-fixtures");
    CHECK(answer.at("/result/capabilities/completions"_json_pointer.parent_pointer()).contains("completions") ==
          (std::string(given) != "2024-11-05"));
  }
}

TEST_CASE("initialize without version or clientInfo is refused") {
  const Json rows[] = {{{"capabilities", kNothing}, {"clientInfo", {{"name", "t"}}}},
                       {{"protocolVersion", 5}, {"capabilities", kNothing}, {"clientInfo", {{"name", "t"}}}},
                       {{"protocolVersion", "2025-06-18"}, {"capabilities", kNothing}},
                       {{"protocolVersion", "2025-06-18"}, {"capabilities", 5}, {"clientInfo", kNothing}}};
  for (const Json& params : rows) {
    CAPTURE(params.dump());
    const Json answer = WithId(OverStdio({Request(LatestLegacy(), 1, "initialize", params)}), 1);
    CHECK(answer.at("/error/code"_json_pointer) == -32602);
  }
}

TEST_CASE("a modern envelope must be whole, and name a revision that is served") {
  struct Row {
    Json meta;
    int code;
  };
  const char* version = "io.modelcontextprotocol/protocolVersion";
  const char* capabilities = "io.modelcontextprotocol/clientCapabilities";
  const Row rows[] = {
      {{{version, "2026-07-28"}}, -32602},
      {{{version, 5}, {capabilities, kNothing}}, -32602},
      {{{version, "2026-07-28"}, {capabilities, 5}}, -32602},
      {{{version, "2025-11-25"}, {capabilities, kNothing}}, -32022},
      {{{version, "2099-01-01"}, {capabilities, kNothing}}, -32022},
      {{{version, "2026-07-28"}, {capabilities, kNothing}, {"io.modelcontextprotocol/logLevel", "loud"}}, -32602},
      {{{version, "2026-07-28"}, {capabilities, kNothing}, {"unknown.example/key", 1}}, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.meta.dump());
    const std::string line = Request(Revisions().back(), 1, "tools/list", {{"_meta", row.meta}});
    const Json answer = WithId(OverStdio({line}), 1);
    CHECK(answer.value("/error/code"_json_pointer, 0) == row.code);
    if (row.code == -32022) {
      CHECK(answer.at("/error/data/requested"_json_pointer) == row.meta.at(version));
      CHECK(answer.at("/error/data/supported"_json_pointer) == Json{"2026-07-28"});
    }
  }
  const Json bare = WithId(OverStdio({R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})"}), 1);
  CHECK(bare.at("/error/code"_json_pointer) == -32602);
}

TEST_CASE("both eras are served on one process, decided by each message") {
  const RevisionTraits& modern = Revisions().back();
  const std::vector<std::string> lines = OverStdio({
      Request(modern, "d", "server/discover"),
      Request(LatestLegacy(), "i", "initialize",
              {{"protocolVersion", "2025-06-18"}, {"capabilities", kNothing}, {"clientInfo", kNothing}}),
      Request(LatestLegacy(), "l", "tools/list"),
      Request(modern, "m", "tools/list"),
      Request(LatestLegacy(), "p", "ping"),
      Request(LatestLegacy(), "i2", "initialize",
              {{"protocolVersion", "2025-11-25"}, {"capabilities", kNothing}, {"clientInfo", kNothing}}),
      Request(modern, "d2", "server/discover"),
  });
  CHECK(lines.size() == 7);
  CHECK(WithId(lines, "d").contains("result"));
  CHECK(WithId(lines, "i").at("/result/protocolVersion"_json_pointer) == "2025-06-18");
  CHECK_FALSE(WithId(lines, "l").at("result").contains("resultType"));
  CHECK(WithId(lines, "m").at("result").contains("resultType"));
  CHECK(WithId(lines, "i2").at("/result/protocolVersion"_json_pointer) == "2025-11-25");
  CHECK(WithId(lines, "d2").contains("result"));
}

TEST_CASE("what a registry does not offer has no methods and is not declared") {
  Registry bare;
  bare.name = "bare";
  bare.version = "1";
  for (const char* method : {"tools/list", "tools/call", "prompts/list", "resources/list", "resources/read",
                             "resources/templates/list", "completion/complete"}) {
    CAPTURE(method);
    const Json answer = WithId(OverStdio({Request(Revisions().back(), 1, method)}, bare), 1);
    CHECK(answer.at("/error/code"_json_pointer) == -32601);
  }
  for (const char* method : {"tools/list", "prompts/list", "resources/list", "resources/subscribe",
                             "resources/unsubscribe", "logging/setLevel", "completion/complete"}) {
    CAPTURE(method);
    const Json answer = WithId(OverStdio({Request(LatestLegacy(), 1, method)}, bare), 1);
    CHECK(answer.at("/error/code"_json_pointer) == -32601);
  }
  const Json discover = WithId(OverStdio({Request(Revisions().back(), 1, "server/discover")}, bare), 1);
  CHECK(discover.at("/result/capabilities"_json_pointer) == kNothing);
}

TEST_CASE("batches: served on 2025-03-26, refused elsewhere") {
  // The answer to initialize first: answers come in the order in which they are ready.
  const auto ask = [](const char* version, const std::string& batch) {
    std::vector<std::string> lines =
        OverStdio({Request(LatestLegacy(), "i", "initialize",
                           {{"protocolVersion", version}, {"capabilities", kNothing}, {"clientInfo", kNothing}}),
                   batch});
    std::stable_partition(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.find(R"("id":"i")") != std::string::npos; });
    return lines;
  };
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const std::string notice = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const std::string init =
      R"({"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-03-26","clientInfo":{}}})";
  struct Row {
    std::string batch;
    std::string answer;  // beside that to initialize; "" for none
  };
  const std::string ok = R"({"jsonrpc":"2.0","id":1,"result":{}})";
  const Row rows[] = {
      {"[" + ping + "]", "[" + ok + "]"},
      {"[" + ping + "," + notice + "," + ping + "]", "[" + ok + "," + ok + "]"},
      {"[" + notice + "]", ""},
      {"[" + notice + ",{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}]", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.batch);
    const std::vector<std::string> lines = ask("2025-03-26", row.batch);
    REQUIRE(lines.size() == (row.answer.empty() ? 1 : 2));
    if (!row.answer.empty()) CHECK(lines[1] == row.answer);
  }
  const Json empty = Json::parse(ask("2025-03-26", "[]").at(1));
  CHECK(empty.at("/error/code"_json_pointer) == -32600);
  const Json mixed = Json::parse(ask("2025-03-26", "[5," + ping + "," + init + "]").at(1));
  REQUIRE(mixed.size() == 3);
  CHECK(mixed.at("/0/error/code"_json_pointer) == -32600);
  CHECK(mixed.at("/1/id"_json_pointer) == 1);
  CHECK(mixed.at("/2/error/code"_json_pointer) == -32600);
  std::string long_batch = "[" + ping;
  for (int i = 0; i < 1000; ++i) long_batch += "," + ping;
  CHECK(Json::parse(ask("2025-03-26", long_batch + "]").at(1)).at("/error/code"_json_pointer) == -32600);
  for (const char* version : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    CAPTURE(version);
    CHECK(Json::parse(ask(version, "[" + ping + "]").at(1)).at("/error/code"_json_pointer) == -32600);
  }
}

TEST_CASE("bad arguments of a tool are a result that a model can act on") {
  for (const RevisionTraits& revision : Revisions()) {
    CAPTURE(revision.name);
    const Json answer =
        AnswerOverStdio(revision, "tools/call", {{"name", "test_sampling"}, {"arguments", {{"prompt", 5}}}});
    CHECK(answer.at("/result/isError"_json_pointer) == true);
    CHECK(answer.at("/result/content/0/text"_json_pointer) == "Nothing was done: `prompt` must be a string; got 5");
  }
}

TEST_CASE("completion gives at most a hundred values and says that there are more") {
  const Json answer = AnswerOverStdio(LatestLegacy(), "completion/complete",
                                      {{"ref", {{"type", "ref/prompt"}, {"name", "test_prompt_with_arguments"}}},
                                       {"argument", {{"name", "arg1"}, {"value", ""}}}});
  CHECK(answer.at("/result/completion/values"_json_pointer).size() == 100);
  CHECK(answer.at("/result/completion/hasMore"_json_pointer) == true);
  CHECK(answer.at("/result/completion/total"_json_pointer) == 150);
}

TEST_CASE("the tool list has the same bytes every time") {
  const std::string line = Request(Revisions().back(), 1, "tools/list");
  const std::vector<std::string> lines = OverStdio({line, line, line});
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == lines[1]);
  CHECK(lines[1] == lines[2]);
  CHECK(lines[0] == OverStdio({line}).at(0));
}
