// The dsh contract: typing, previews, order of decisions, store, journal, retrieval and ledger, byte for byte.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "agents/dsh_gate.h"
#include "agents/dsh_serve.h"
#include "base/encoding.h"
#include "base/files.h"
#include "base/token.h"
#include "base/utf8.h"
#include "run_fixture.h"

namespace pith {
namespace {

struct Host {
  int64_t now = 1000000;
  std::vector<std::string> ledger, warnings;
  DshGate::Surroundings Surroundings() {
    return {[this] { return now; }, [this](const std::string& line) { ledger.push_back(line); },
            [this](const std::string& line) { warnings.push_back(line); }};
  }
};

DshCall Call(const std::string& tool, const std::string& payload) {
  DshCall call;
  call.tool = tool;
  call.payload = payload;
  return call;
}

std::string Text(size_t size) {
  std::string text;
  while (text.size() < size) text += "word number " + std::to_string(text.size()) + "\n";
  text.resize(size);
  text.back() = '\n';
  return text;
}

std::string Preview(const DshCall& call, uint64_t cap = 240) { return DshPreview(DshTypeOf(call), call, cap); }

TEST_CASE("Config-And-Activation: defaults, the activation line, refused fields") {
  Host host;
  DshGate gate(DshFields{}, host.Surroundings());
  REQUIRE(host.ledger.size() == 1);
  CHECK(host.ledger[0] == "ccr: activated (bundle 0.2.1, targets 8, budget 268435456)");
  Result<DshFields> fields = DshFieldsFrom("{}");
  REQUIRE(fields.ok());
  CHECK(fields->inline_threshold_bytes == 1024);
  CHECK(fields->threshold_bytes == 1024);
  CHECK(fields->auto_expand);
  CHECK(fields->auto_expand_limit_bytes == 102400);
  CHECK(fields->preview_max_chars == 240);
  CHECK(fields->store_budget_bytes == 268435456);
  CHECK_FALSE(fields->context_engine);
  CHECK_FALSE(fields->compress_failures);
  CHECK(fields->journal_path.empty());
  CHECK(DshFieldsFrom("{\"multipliers\":{\"grep\":5}}")->multipliers.at("grep") == 5);
  CHECK(DshFieldsFrom("{\"multipliers\":{\"grep\":5}}")->multipliers.at("error") == 8);
  for (const char* bad :
       {"[]", "{\"nope\":1}", "{\"previewMaxChars\":15}", "{\"ttlSeconds\":0}", "{\"targets\":[\"\"]}",
        "{\"thresholdBytes\":-1}", "{\"multipliers\":{\"a\":0}}", "{\"autoExpand\":1}"}) {
    CHECK_MESSAGE(DshFieldsFrom(bad).error().cause == Cause::kInvalid, bad);
  }
}

TEST_CASE("Retrieve-And-Marker: hash vectors and the marker") {
  CHECK(TokenOf("") == "e3b0c44298fc1c149afbf4c8");
  CHECK(TokenOf("hello\n") == "5891b5b522d5df086d0ff0b1");
  CHECK(TokenOf("\xc3\xa9\n") == "edd3a863872a04239eb29ad4");
  const DshCall call = Call("bash", "a\nmake: *** Error 1\n[exit code: 1]\n");
  CHECK(DshReplacement(DshTypeOf(call), call, "9d3c1f0a7b2e4d5c6a8b9c0d", 240) ==
        "[terminal:exit 1 | 3 lines | make: *** Error 1]\n<<<CCR:9d3c1f0a7b2e4d5c6a8b9c0d|terminal|35>>>");
}

TEST_CASE("Retrieve-And-Marker: a preview for each of the eight types") {
  CHECK(Preview(Call("bash", "one\ntwo\n")) == "[terminal:exit 0 | 2 lines | two]");
  CHECK(Preview(Call("bash", "")) == "[terminal:exit 0 | 0 lines | (no output)]");
  CHECK(Preview(Call("bash", "x\n[killed by signal: SIGKILL]")) == "[terminal:exit signal SIGKILL | 2 lines | x]");
  CHECK(Preview(Call("bash", "x\n[timed out after 5ms]\n")) == "[terminal:exit timeout | 2 lines | x]");
  CHECK(Preview(Call("bash", "TypeError: no id\nat x\n")) == "[error:2 lines | TypeError: no id]");
  CHECK(Preview(Call("grep", "src/a.ts:8:x\nsrc/a.ts:9:y\nsrc/b.ts:1:z\n")) ==
        "[grep:3 matches | 2 files | src/a.ts:8]");
  CHECK(Preview(Call("glob", "a.ts\nb.ts\nc.md\n")) == "[paths:3 paths | .ts x2, .md x1 | a.ts]");
  DshCall read = Call("read", "1: import x\n2: y\n");
  read.path = "src/gate.ts";
  CHECK(Preview(read) == "[file:src/gate.ts | 2 lines | import x]");
  CHECK(Preview(Call("bash", "[{\"id\":1,\"name\":2},{}]")) == "[json:array | 2 items | id, name]");
  CHECK(Preview(Call("bash", "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}")) ==
        "[json:object | 9 keys | a, b, c, d, e, f, g, h +1 more]");
  CHECK(Preview(Call("bash", "[]")) == "[json:array | 0 items | -]");
  DshCall web = Call("web_fetch", "Fetched x\n\n# Release notes\ntext\n");
  web.url = "https://example.org/a?b";
  CHECK(Preview(web) == "[web:example.org | 4 lines | Release notes]");
  CHECK(Preview(Call("other", "name,size\n1,2\n")) == "[default:2 lines | 14 bytes | name,size]");
  DshCall failed = Call("read", "no such file\n");
  failed.is_error = true;
  CHECK(DshTypeOf(failed) == DshType::kError);
  CHECK(DshTypeOf(Call("bash", "0 failed, 3 passed")) == DshType::kTerminal);
  CHECK(DshTypeOf(Call("bash", "2 failed")) == DshType::kError);
}

TEST_CASE("Retrieve-And-Marker: previews are capped in code points, cleaned, and end in a bracket") {
  std::string long_line;
  for (int i = 0; i < 300; ++i) long_line += "\xc3\xa4";
  const std::string preview = Preview(Call("bash", long_line + "\n"), 60);
  CHECK(preview.ends_with("...]"));
  CHECK(CountCodePoints(preview) == 60);
  CHECK(IsUtf8(preview));
  CHECK(Preview(Call("bash", "\x1b[31mred\x1b[0m\ttab  x\xc2\x85y\n")) == "[terminal:exit 0 | 1 lines | red tab x y]");
}

TEST_CASE("Run-One-State: the order of decisions at their thresholds") {
  Host host;
  DshGate gate(DshFields{}, host.Surroundings());
  const auto lines = [&] { return host.ledger.size() - 1; };
  CHECK_FALSE(gate.PostExecute(Call("bash", Text(900))));
  CHECK_FALSE(gate.PostExecute(Call("bash", Text(1024))));
  CHECK_FALSE(gate.PostExecute(Call("grep", Text(2000))));
  CHECK(lines() == 0);
  CHECK_FALSE(gate.PostExecute(Call("bash", Text(5231))));
  CHECK(host.ledger.back() == "ccr: stored bash terminal 5231 -> " + TokenOf(Text(5231)));
  CHECK_FALSE(gate.PostExecute(Call("grep", Text(3000))));
  CHECK_FALSE(gate.PostExecute(Call("web_fetch", Text(102400))));
  CHECK(lines() == 3);
  const std::optional<std::string> marker = gate.PostExecute(Call("web_fetch", Text(102401)));
  REQUIRE(marker.has_value());
  CHECK(host.ledger.back() == "ccr: compressed web_fetch web 102401 -> " + TokenOf(Text(102401)));
  CHECK(marker->ends_with("\n<<<CCR:" + TokenOf(Text(102401)) + "|web|102401>>>"));
  DshCall failing = Call("bash", Text(200000));
  failing.is_error = true;
  DshCall nested = Call("bash", Text(200000));
  nested.nested = true;
  DshCall image = Call("bash", Text(200000));
  image.all_text = false;
  for (const DshCall& call : {failing, nested, image, Call("ccr_retrieve", Text(200000)), Call("edit", Text(200000)),
                              Call("bash", Text(200000) + "<<<CCR:")}) {
    CHECK_FALSE(gate.PostExecute(call));
  }
  CHECK(lines() == 4);
}

TEST_CASE("Run-One-State: failures when asked for, exemption over target, never larger") {
  Host host;
  DshFields fields;
  fields.auto_expand = false;
  fields.compress_failures = true;
  fields.exempt = {"grep"};
  DshGate gate(fields, host.Surroundings());
  DshCall failing = Call("bash", Text(8192));
  failing.is_error = true;
  CHECK_FALSE(gate.PostExecute(failing));
  failing.payload = Text(8193);
  CHECK(gate.PostExecute(failing).has_value());
  CHECK_FALSE(gate.PostExecute(Call("grep", Text(200000))));
  fields.threshold_bytes = 1;
  fields.inline_threshold_bytes = 0;
  gate.SetFields(fields);
  CHECK_FALSE(gate.PostExecute(Call("bash", "ab\n")));  // the replacement would be longer
  CHECK(host.ledger.back().starts_with("ccr: stored bash terminal 3 -> "));
}

TEST_CASE("Volatile-Refresh: a changed threshold holds for the next call, without another activation") {
  Host host;
  DshFields fields;
  fields.auto_expand = false;
  DshGate gate(fields, host.Surroundings());
  CHECK(gate.PostExecute(Call("bash", Text(5231))).has_value());
  fields.threshold_bytes = 10000;
  gate.SetFields(fields);
  CHECK_FALSE(gate.PostExecute(Call("bash", Text(5232))));
  CHECK(std::count_if(host.ledger.begin(), host.ledger.end(),
                      [](const std::string& line) { return line.find("activated") != std::string::npos; }) == 1);
}

TEST_CASE("Run-One-State: budget and time push entries out, in the order of use") {
  Host host;
  DshFields fields;
  fields.store_budget_bytes = 5000;
  fields.ttl_seconds = 10;
  DshGate gate(fields, host.Surroundings());
  const std::string a = Text(2000), b = Text(2100), c = Text(2200);
  gate.PostExecute(Call("bash", a));
  gate.PostExecute(Call("bash", b));
  CHECK(gate.Retrieve(TokenOf(a), std::nullopt).text == a);
  gate.PostExecute(Call("bash", c));
  CHECK(host.ledger[host.ledger.size() - 2] == "ccr: evicted " + TokenOf(b) + " (budget)");
  CHECK(gate.Retrieve(TokenOf(b), std::nullopt).text.find("(unknown)") != std::string::npos);
  CHECK(host.ledger.back() == "ccr: retrieval miss " + TokenOf(b) + " (unknown)");
  host.now += 10000;
  CHECK(gate.Retrieve(TokenOf(a), std::nullopt).text ==
        "ccr: the stored output for hash " + TokenOf(a) + " has expired. Re-run the original tool.");
  CHECK(host.ledger[host.ledger.size() - 2] == "ccr: evicted " + TokenOf(a) + " (ttl)");
  CHECK(host.ledger.back() == "ccr: retrieval miss " + TokenOf(a) + " (expired)");
  CHECK_FALSE(gate.PostExecute(Call("bash", Text(6000))));
  CHECK(host.warnings.size() == 1);
}

TEST_CASE("Retrieve-And-Marker: ranges are lines with their ends, joined slices give the payload") {
  Host host;
  DshGate gate(DshFields{}, host.Surroundings());
  const std::string payload = "one\r\n" + Text(3000) + "last";
  gate.PostExecute(Call("bash", payload));
  const std::string hash = TokenOf(payload);
  std::string joined;
  for (int64_t start = 1; start < 500; start += 7) {
    const DshGate::Retrieved got = gate.Retrieve(hash, std::pair<int64_t, int64_t>{start, 7});
    if (got.text.starts_with("[ccr: line ")) break;
    joined += got.text;
  }
  CHECK(joined == payload);
  CHECK(gate.Retrieve(hash, std::pair<int64_t, int64_t>{1, 1}).text == "one\r\n");
  CHECK(gate.Retrieve(hash, std::pair<int64_t, int64_t>{0, 1}).text ==
        "ccr: range needs integers start >= 1 and count >= 1");
  CHECK(gate.Retrieve(hash.substr(0, 20), std::nullopt).is_error);
}

TEST_CASE("Journal-Compaction: what was put comes back, broken and doubled lines go, the file is written anew") {
  test::Scratch scratch;
  const std::string path = scratch.folder() + "/journal/ccr.jsonl";
  DshFields fields;
  fields.journal_path = path;
  fields.ttl_seconds = 10;
  Host host;
  const std::string payload = Text(2000);
  {
    DshGate gate(fields, host.Surroundings());
    gate.PostExecute(Call("bash", payload));
    gate.PostExecute(Call("bash", payload));
  }
  Result<std::string> text = ReadFile(path, 1 << 20);
  REQUIRE(text.ok());
  CHECK(text->starts_with("{\"hash\":\"" + TokenOf(payload) +
                          "\",\"type\":\"terminal\",\"size\":2000,\"ttlAt\":1010000,\"payload\":\""));
  CHECK(std::count(text->begin(), text->end(), '\n') == 2);
  const std::string forged = "{\"hash\":\"" + std::string(24, 'a') +
                             "\",\"type\":\"json\",\"size\":1,\"ttlAt\":9999999999,\"payload\":\"eA==\"}\n";
  scratch.Write("journal/ccr.jsonl", *text + "broken\n" + forged);
  {
    DshGate gate(fields, host.Surroundings());
    CHECK(gate.entries() == 1);
    CHECK(gate.Retrieve(TokenOf(payload), std::nullopt).text == payload);
  }
  text = ReadFile(path, 1 << 20);
  CHECK(std::count(text->begin(), text->end(), '\n') == 1);
  host.now += 10000;
  DshGate gate(fields, host.Surroundings());
  CHECK(gate.entries() == 0);
  CHECK(gate.Retrieve(TokenOf(payload), std::nullopt).text.find("has expired") != std::string::npos);
}

TEST_CASE("the wire of the plugin: results, retrieval, volatile fields, lines that are no request") {
  test::Scratch scratch;
  std::string fields = "{\"autoExpand\":false,\"log\":true,\"logFile\":\"" + scratch.folder() + "/log/ccr.log\"}";
  std::vector<std::string> errors;
  DshServer server([&] { return DshFieldsFrom(fields); }, [] { return int64_t{0}; },
                   [&](const std::string& line) { errors.push_back(line); });
  const std::string payload = Text(5000);
  nlohmann::json request = {{"id", 7},
                            {"op", "post-execute"},
                            {"exec", {{"name", "bash"}, {"arguments", {{"command", "make"}}}, {"parent", nullptr}}},
                            {"result", {{"isError", false}, {"content", {{{"type", "text"}, {"text", payload}}}}}}};
  nlohmann::json answer = nlohmann::json::parse(server.Answer(request.dump()));
  CHECK(answer["id"] == 7);
  CHECK(answer["content"].size() == 1);
  CHECK(answer["content"][0]["text"].get<std::string>().find("<<<CCR:" + TokenOf(payload)) != std::string::npos);
  answer = nlohmann::json::parse(server.Answer("{\"id\":8,\"op\":\"retrieve\",\"hash\":\"" + TokenOf(payload) + "\"}"));
  CHECK(answer["isError"] == false);
  CHECK(answer["text"] == payload);
  answer = nlohmann::json::parse(server.Answer("{\"id\":9,\"op\":\"retrieve\",\"hash\":\"" + TokenOf(payload) +
                                               "\",\"range\":{\"start\":\"1\"}}"));
  CHECK(answer["isError"] == true);
  fields = "{\"autoExpand\":false,\"thresholdBytes\":9000}";
  request["result"]["content"] = Text(5001);
  CHECK(nlohmann::json::parse(server.Answer(request.dump()))["content"].is_null());
  fields = "{\"autoExpand\":1}";
  CHECK(nlohmann::json::parse(server.Answer(request.dump()))["content"].is_null());
  for (const char* line : {"", "x", "null", "[]", "{\"id\":1}"}) {
    CHECK(nlohmann::json::parse(server.Answer(line))["content"].is_null());
  }
  Result<std::string> log = ReadFile(scratch.folder() + "/log/ccr.log", 1 << 20);
  REQUIRE(log.ok());
  CHECK(log->starts_with("[1970-01-01T00:00:00Z] ccr: activated (bundle 0.2.1, targets 8, budget 268435456)\n"));
  CHECK(log->find("ccr: retrieved " + TokenOf(payload) + "\n") != std::string::npos);
  CHECK(log->find("word number") == std::string::npos);  // I13: no content in a log
}

}  // namespace
}  // namespace pith
