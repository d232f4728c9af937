// The engine phase: what was shown whole gives way once its turn is over, in the harness and on messages handed over.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "agents/dsh_gate.h"
#include "agents/dsh_serve.h"
#include "base/token.h"
#include "run_fixture.h"
#include "store/store.h"

namespace pith {
namespace {

using Json = nlohmann::ordered_json;
using test::Scratch;

struct Host {
  int64_t now = 1000000;
  std::vector<std::string> ledger;
  DshGate::Surroundings Surroundings() {
    return {[this] { return now; }, [this](const std::string& line) { ledger.push_back(line); },
            [](const std::string&) {}};
  }
};

DshFields WithEngine() {
  DshFields fields;
  fields.context_engine = true;
  return fields;
}

std::string Output(int number, size_t lines = 200) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += "output " + std::to_string(number) + " line " + std::to_string(i) + "\n";
  return text;
}

DshCall Call(const std::string& id, const std::string& payload, const std::string& session = "s") {
  DshCall call;
  call.tool = "bash";
  call.payload = payload;
  call.call_id = id;
  call.session = session;
  return call;
}

std::vector<std::string> IdsOf(const std::vector<DshGate::Archivable>& found) {
  std::vector<std::string> ids;
  for (const DshGate::Archivable& one : found) ids.push_back(one.call_id);
  return ids;
}

using Ids = std::vector<std::string>;

TEST_CASE("Engine-Flag-On: a turn's results stay whole in it and are archived in the next, once, with one line") {
  Host host;
  DshGate gate(WithEngine(), host.Surroundings());
  CHECK(gate.PreStep("s", 1).empty());
  CHECK_FALSE(gate.PostExecute(Call("a", Output(1))).has_value());
  CHECK_FALSE(gate.PostExecute(Call("b", Output(2))).has_value());
  CHECK(gate.PreStep("s", 1).empty());  // the same turn
  const std::vector<DshGate::Archivable> found = gate.PreStep("s", 2);
  CHECK(IdsOf(found) == Ids{"a", "b"});
  CHECK(found[0].hash == TokenOf(Output(1)));
  CHECK(found[0].replacement == "[terminal:exit 0 | 200 lines | output 1 line 199]\n<<<CCR:" + TokenOf(Output(1)) +
                                    "|terminal|" + std::to_string(Output(1).size()) + ">>>");
  gate.Archived("s", {"a", "b"});
  CHECK(host.ledger.back() == "ccr: engine archived 2 results");
  CHECK(gate.PreStep("s", 2).empty());  // one pass a turn
  CHECK(gate.PreStep("s", 3).empty());  // nothing is archived twice
  CHECK(gate.Retrieve(TokenOf(Output(1)), std::nullopt).text == Output(1));
}

TEST_CASE("Engine-Flag-On: the line says results also for one, and nothing for none") {
  Host host;
  DshGate gate(WithEngine(), host.Surroundings());
  gate.PostExecute(Call("a", Output(1)));
  gate.PreStep("s", 1);
  gate.Archived("s", {});
  gate.Archived("s", {"never seen"});
  CHECK(host.ledger.back().starts_with("ccr: stored bash terminal "));
  gate.Archived("s", {"a"});
  CHECK(host.ledger.back() == "ccr: engine archived 1 results");
}

TEST_CASE("Engine-Flag-On: left alone are other sessions, small, compressed, nested, expired and evicted results") {
  Host host;
  DshFields fields = WithEngine();
  fields.store_budget_bytes = 8000;
  DshGate gate(fields, host.Surroundings());
  gate.PostExecute(Call("other", Output(1), "t"));
  gate.PostExecute(Call("small", "short\n"));
  DshCall nested = Call("nested", Output(2));
  nested.nested = true;
  gate.PostExecute(nested);
  DshCall failed = Call("failed", Output(3));
  failed.is_error = true;
  gate.PostExecute(failed);
  CHECK(gate.PreStep("s", 1).empty());
  gate.PostExecute(Call("evicted", Output(4)));
  for (int i = 5; i < 8; ++i) gate.PostExecute(Call("kept" + std::to_string(i), Output(i)));
  CHECK(IdsOf(gate.PreStep("s", 2)) == Ids{"kept6", "kept7"});
  host.now += 3600 * 1000;
  CHECK(gate.PreStep("s", 3).empty());
}

TEST_CASE("Engine-Flag-On: a threshold that was raised since leaves a result whole, a failure is archived when asked") {
  Host host;
  DshFields fields = WithEngine();
  fields.compress_failures = true;
  DshGate gate(fields, host.Surroundings());
  DshCall failed = Call("failed", Output(3, 500));
  failed.is_error = true;
  gate.PostExecute(failed);
  gate.PostExecute(Call("plain", Output(1)));
  CHECK(IdsOf(gate.PreStep("s", 1)) == Ids{"failed", "plain"});
  fields.threshold_bytes = 1 << 20;
  gate.SetFields(fields);
  CHECK(gate.PreStep("s", 2).empty());
}

TEST_CASE("Engine-Flag-Off: no pass ever finds anything, and the gate is as with it") {
  Host host;
  DshGate gate(DshFields{}, host.Surroundings());
  CHECK_FALSE(gate.PostExecute(Call("a", Output(1))).has_value());
  for (int turn = 1; turn < 4; ++turn) CHECK(gate.PreStep("s", turn).empty());
  CHECK(host.ledger.size() == 2);
  CHECK(host.ledger[1].starts_with("ccr: stored bash terminal "));
  CHECK(gate.Retrieve(TokenOf(Output(1)), std::nullopt).text == Output(1));
}

TEST_CASE("Engine-Flag-On: over the wire, with fields that a request brings") {
  std::vector<std::string> lines;
  DshServer server([] { return DshFieldsFrom("{\"contextEngine\":true}"); }, [] { return int64_t{0}; },
                   [&](const std::string& line) { lines.push_back(line); });
  CHECK(Json::parse(server.Answer("{\"id\":1,\"op\":\"hello\"}"))["id"] == 1);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("ccr: activated "));
  const Json block = {{"type", "text"}, {"text", Output(1)}};
  Json execute = {{"id", 2},
                  {"op", "post-execute"},
                  {"exec", {{"name", "bash"}, {"callId", "a"}, {"session", "s"}}},
                  {"result", {{"isError", false}, {"content", Json::array({block})}}}};
  CHECK(Json::parse(server.Answer(execute.dump()))["content"].is_null());
  const Json found = Json::parse(server.Answer("{\"id\":3,\"op\":\"pre-step\",\"session\":\"s\",\"turn\":1}"));
  REQUIRE(found["archive"].size() == 1);
  CHECK(found["archive"][0]["callId"] == "a");
  server.Answer("{\"id\":4,\"op\":\"archived\",\"session\":\"s\",\"callIds\":[\"a\"]}");
  CHECK(lines.back() == "ccr: engine archived 1 results");
  execute["fields"] = {{"thresholdBytes", 1 << 20}};
  execute["exec"]["callId"] = "b";
  server.Answer(execute.dump());
  CHECK(lines.back() == "ccr: engine archived 1 results");  // below the raised threshold nothing is stored
}

TEST_CASE("kill switches hold in the served gate: results pass, what is stored can be fetched") {
  bool off = false;
  DshServer server(
      [&] {
        Result<DshFields> fields = DshFieldsFrom("{\"autoExpand\":false}");
        fields->switched_off = off;
        return fields;
      },
      [] { return int64_t{0}; }, [](const std::string&) {});
  const Json block = {{"type", "text"}, {"text", Output(1)}};
  const Json execute = {{"id", 2},
                        {"op", "post-execute"},
                        {"exec", {{"name", "bash"}}},
                        {"result", {{"isError", false}, {"content", Json::array({block})}}}};
  CHECK_FALSE(Json::parse(server.Answer(execute.dump()))["content"].is_null());
  off = true;
  CHECK(Json::parse(server.Answer(execute.dump()))["content"].is_null());
  const std::string retrieve = "{\"id\":3,\"op\":\"retrieve\",\"hash\":\"" + TokenOf(Output(1)) + "\"}";
  CHECK(Json::parse(server.Answer(retrieve))["text"] == Output(1));
}

// One long result a turn, in either wire form; the last turn goes on.
Json Messages(bool blocks) {
  Json messages = Json::array();
  for (int i = 0; i < 3; ++i) {
    const std::string id = "call" + std::to_string(i);
    messages.push_back({{"role", "user"}, {"content", "do it"}});
    if (blocks) {
      const Json use = {{"type", "tool_use"}, {"id", id}, {"name", "bash"}, {"input", {{"command", "make"}}}};
      const Json result = {{"type", "tool_result"}, {"tool_use_id", id}, {"content", Output(i)}};
      messages.push_back({{"role", "assistant"}, {"content", Json::array({use})}});
      messages.push_back({{"role", "user"}, {"content", Json::array({result})}});
    } else {
      const Json function = {{"name", "bash"}, {"arguments", "{\"command\":\"make\"}"}};
      const Json call = {{"id", id}, {"type", "function"}, {"function", function}};
      messages.push_back({{"role", "assistant"}, {"tool_calls", Json::array({call})}});
      messages.push_back({{"role", "tool"}, {"tool_call_id", id}, {"content", Output(i)}});
    }
  }
  return messages;
}

TEST_CASE("Engine-Flag-On: on messages handed over, earlier turns are archived and the one that goes on stays") {
  for (const bool blocks : {false, true}) {
    Scratch scratch;
    setenv("PITH_DSH", "{\"contextEngine\":true}", 1);
    std::vector<std::string> notices;
    const Json before = {{"messages", Messages(blocks)}, {"model", "m"}};
    const Json after = Json::parse(AnswerDshPreStep(before.dump(), &notices));
    unsetenv("PITH_DSH");
    CHECK(notices == std::vector<std::string>{"ccr: engine archived 2 results"});
    CHECK(after["model"] == "m");
    const auto content = [&](int turn) {
      const Json& message = after["messages"][static_cast<size_t>(3 * turn + 2)];
      return blocks ? message["content"][0]["content"] : message["content"];
    };
    StoreOptions options;
    options.folder = scratch.folder() + "/state/pith";
    Result<std::unique_ptr<Store>> store = Store::Open(options);
    REQUIRE(store.ok());
    for (int turn : {0, 1}) {
      const std::string text = content(turn);
      CHECK(text.ends_with("\n<<<CCR:" + TokenOf(Output(turn)) + "|terminal|" + std::to_string(Output(turn).size()) +
                           ">>>"));
      CHECK(*(*store)->Get(TokenOf(Output(turn))) == Output(turn));
    }
    CHECK(content(2) == Output(2));
    setenv("PITH_DSH", "{\"contextEngine\":true}", 1);
    CHECK(AnswerDshPreStep(after.dump(), &notices).empty());  // a second pass changes nothing
    setenv("PITH_NO_HOOKS", "1", 1);
    CHECK(AnswerDshPreStep(before.dump(), &notices).empty());
    unsetenv("PITH_NO_HOOKS");
    unsetenv("PITH_DSH");
  }
}

TEST_CASE("Engine-Flag-Off: messages handed over, and what is no list of messages, are answered with nothing") {
  Scratch scratch;
  std::vector<std::string> notices;
  CHECK(AnswerDshPreStep(Json{{"messages", Messages(true)}}.dump(), &notices).empty());
  setenv("PITH_DSH", "{\"contextEngine\":true}", 1);
  for (const char* payload : {"", "{", "[]", "{\"messages\":{}}", "{\"messages\":[1]}", "{\"messages\":[]}",
                              "{\"messages\":[{\"role\":\"tool\",\"content\":7}]}"}) {
    CHECK_MESSAGE(AnswerDshPreStep(payload, &notices).empty(), payload);
  }
  unsetenv("PITH_DSH");
}

}  // namespace
}  // namespace pith
