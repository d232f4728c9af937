// Hook payloads of each host: the answer has the tool's own shape, or there is none.
#include "agents/hook.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "agents/reach.h"
#include "base/files.h"
#include "run_fixture.h"
#include "tools/service.h"

namespace pith {
namespace {

using test::Scratch;
using Json = nlohmann::ordered_json;

std::string LongLog() {
  std::string text;
  for (int i = 0; i < 900; ++i) text += "2026-01-02 03:04:05 INFO worker processed item " + std::to_string(i) + "\n";
  return text + "2026-01-02 03:04:06 ERROR disk full at /var/x\n";
}

Json Claude(const std::string& tool, const Json& input, const Json& response) {
  return {{"session_id", "s"},   {"transcript_path", "/t"},
          {"cwd", "/w"},         {"permission_mode", "default"},
          {"tool_name", tool},   {"hook_event_name", "PostToolUse"},
          {"tool_input", input}, {"tool_response", response},
          {"tool_use_id", "u1"}, {"duration_ms", 5}};
}

std::string Answer(std::string_view host, std::string_view event, const Json& payload) {
  std::vector<std::string> notices;
  const std::string answer = AnswerHook({host, event, MarkerStyle::kMcp}, payload.dump(), &notices);
  CHECK(notices.empty());
  return answer;
}

Json Output(const std::string& answer, const char* key) {
  REQUIRE_FALSE(answer.empty());
  const Json parsed = Json::parse(answer);
  CHECK(parsed.size() == 1);
  CHECK(parsed["hookSpecificOutput"]["hookEventName"] == "PostToolUse");
  CHECK(parsed["hookSpecificOutput"].size() == 2);  // nothing but the replacement: no decision, no context
  return parsed["hookSpecificOutput"][key];
}

bool IsView(const std::string& text) {
  return text.find("PARTIAL view of") != std::string::npos && text.find("disk full") != std::string::npos;
}

TEST_CASE("Claude Code: a view stands in the tool's own shape, and every other field stays") {
  Scratch scratch;
  const std::string log = LongLog();
  const Json bash = {
      {"stdout", log}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}, {"noOutputExpected", false}};
  Json got =
      Output(Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "make"}}, bash)), "updatedToolOutput");
  CHECK(IsView(got["stdout"]));
  got["stdout"] = log;
  CHECK(got == bash);

  const Json grep = {
      {"mode", "content"}, {"numFiles", 0}, {"filenames", Json::array()}, {"content", log}, {"numLines", 901}};
  got = Output(Answer("claude-code", "PostToolUse", Claude("Grep", {{"pattern", "x"}}, grep)), "updatedToolOutput");
  CHECK(got["content"].get<std::string>().size() < log.size());
  got["content"] = log;
  CHECK(got == grep);

  const Json web = {{"bytes", 5}, {"code", 200}, {"codeText", "OK"}, {"result", log}, {"url", "https://x"}};
  got = Output(Answer("claude-code", "PostToolUse", Claude("WebFetch", {{"url", "https://x"}}, web)),
               "updatedToolOutput");
  CHECK(IsView(got["result"]));

  const Json task = {{"status", "completed"}, {"content", {{{"type", "text"}, {"text", log}}}}, {"totalTokens", 5}};
  got = Output(Answer("claude-code", "PostToolUse", Claude("Task", {{"prompt", "p"}}, task)), "updatedToolOutput");
  CHECK(IsView(got["content"][0]["text"]));
  CHECK(got["totalTokens"] == 5);

  const Json blocks = {{{"type", "text"}, {"text", log}}};
  got = Output(Answer("claude-code", "PostToolUse", Claude("mcp__x__logs", Json::object(), blocks)),
               "updatedMCPToolOutput");
  CHECK(IsView(got[0]["text"]));

  Json names = Json::array();
  for (int i = 0; i < 900; ++i) names.push_back("/src/module/part/file" + std::to_string(i) + ".ts");
  const Json glob = {{"filenames", names}, {"durationMs", 3}, {"numFiles", 900}, {"truncated", false}};
  const std::string answer = Answer("claude-code", "PostToolUse", Claude("Glob", {{"pattern", "**"}}, glob));
  if (!answer.empty()) {
    got = Output(answer, "updatedToolOutput");
    CHECK(got["filenames"].is_array());
    CHECK(got["numFiles"] == 900);
  }
}

TEST_CASE("Claude Code: file reads, selections, failures, saved outputs and foreign shapes are left alone") {
  Scratch scratch;
  const std::string log = LongLog();
  const Json bash = {{"stdout", log}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  const auto silent = [&](const Json& payload) { return Answer("claude-code", "PostToolUse", payload).empty(); };
  CHECK(silent(Claude("Read", {{"file_path", "/a"}}, {{"type", "text"}, {"file", {{"content", log}}}})));
  CHECK(silent(Claude("Edit", {{"file_path", "/a"}}, {{"content", log}})));
  CHECK(silent(Claude("Bash", {{"command", "cat a.log"}}, bash)));
  CHECK(silent(Claude("Bash", {{"command", "sed -n 1,900p a"}}, bash)));
  CHECK(silent(Claude("Bash", {{"command", "env"}}, bash)));
  CHECK(silent(Claude("mcp__pith__tokenjuice_retrieve", Json::object(), {{{"type", "text"}, {"text", log}}})));
  CHECK(silent(Claude("mcp__x__shot", Json::object(), {{{"type", "image"}, {"data", log}}})));
  CHECK(silent(Claude("Bash", {{"command", "make"}}, log)));  // a bare string is not Bash's shape
  CHECK(silent(Claude("NewTool", Json::object(), {{"stdout", log}})));
  Json saved = bash;
  saved["persistedOutputPath"] = "/h/tool-results/1.txt";
  CHECK(silent(Claude("Bash", {{"command", "make"}}, saved)));
  CHECK(silent(Claude("Bash", {{"command", "make"}}, {{"stdout", "short"}, {"stderr", ""}})));
  Json failure = Claude("Bash", {{"command", "make"}}, bash);
  CHECK(Answer("claude-code", "PostToolUseFailure", failure).empty());
  CHECK(Answer("claude-code", "SessionStart", failure).empty());
  CHECK(Answer("claude-code", "NoSuchEvent", failure).empty());
}

TEST_CASE("Claude Code: a whole Read of what the host saved is an output, a part of it is not") {
  Scratch scratch;
  const Json response = {{"type", "text"},
                         {"file", {{"filePath", "/p/tool-results/b1.txt"}, {"content", LongLog()}, {"numLines", 901}}}};
  const Json got =
      Output(Answer("claude-code", "PostToolUse", Claude("Read", {{"file_path", "/p/tool-results/b1.txt"}}, response)),
             "updatedToolOutput");
  CHECK(IsView(got["file"]["content"]));
  CHECK(Answer("claude-code", "PostToolUse",
               Claude("Read", {{"file_path", "/p/tool-results/b1.txt"}, {"offset", 5}, {"limit", 900}}, response))
            .empty());
}

TEST_CASE(
    "one road per call: a result that is a view of `pith run` already is left alone, and so is an answer given twice") {
  Scratch scratch;
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  const Json payload = Claude("Bash", {{"command", "make"}}, bash);
  const std::string first = Answer("claude-code", "PostToolUse", payload);
  CHECK(Answer("claude-code", "PostToolUse", payload) == first);  // a host that fires twice
  const Json viewed = Claude("Bash", {{"command", "make"}}, Output(first, "updatedToolOutput"));
  CHECK(Answer("claude-code", "PostToolUse", viewed).empty());
}

TEST_CASE("what a hook shows is in the store first") {
  Scratch scratch;
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  const Json got =
      Output(Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "make"}}, bash)), "updatedToolOutput");
  const std::vector<std::string> tokens = FindTokens(got["stdout"].get<std::string>());
  REQUIRE_FALSE(tokens.empty());
  StoreOptions options;
  options.folder = scratch.folder() + "/state/pith";
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  REQUIRE(store.ok());
  Result<std::string> kept = (*store)->Get(tokens.back());
  REQUIRE(kept.ok());
  CHECK(*kept == LongLog());
}

TEST_CASE("I2: a hook killed at any instant has printed no token that the store does not know") {
  Scratch scratch;
  const std::string log = LongLog() + LongLog() + LongLog();
  const Json block = {{"type", "text"}, {"text", log}};
  const Json make = {{"command", "make"}};
  struct Row {
    std::string host, event;
    Json payload;
  };
  std::vector<Row> rows;
  rows.push_back(
      {"claude-code", "PostToolUse", Claude("Bash", make, {{"stdout", log}, {"stderr", ""}, {"interrupted", false}})});
  rows.push_back({"codex",
                  "PostToolUse",
                  {{"hook_event_name", "PostToolUse"},
                   {"tool_name", "mcp__logs__tail"},
                   {"tool_response", {{"content", Json::array({block})}}}}});
  rows.push_back(
      {"gemini",
       "AfterTool",
       {{"tool_name", "run_shell_command"}, {"tool_input", make}, {"tool_response", {{"llmContent", log}}}}});
  rows.push_back({"copilot",
                  "postToolUse",
                  {{"toolName", "bash"}, {"toolArgs", make.dump()}, {"toolResult", {{"textResultForLlm", log}}}}});
  rows.push_back({"opencode", "tool.execute.after", {{"tool", "bash"}, {"args", make}, {"output", log}}});
  rows.push_back({"pi", "tool_result", {{"tool", "bash"}, {"args", make}, {"output", log}}});
  StoreOptions options;
  options.folder = scratch.folder() + "/state/pith";
  int shown = 0;
  for (const Row& row : rows) {
    const std::string file = scratch.Write("payload", row.payload.dump());
    for (int i = 0; i < 6; ++i) {
      const test::Seen seen = test::InChild(
          test::Streams::kSeparate,
          [&] {
            dup2(open(file.c_str(), O_RDONLY | O_CLOEXEC), 0);
            std::string host = row.host, event = row.event;
            char* words[] = {host.data(), event.data()};
            return Hook(words);
          },
          [&](pid_t child) {
            usleep(static_cast<useconds_t>(i) * 900);
            if (i < 5) kill(child, SIGKILL);
          });
      for (const std::string& token : FindTokens(seen.out)) {
        Result<std::unique_ptr<Store>> store = Store::Open(options);
        REQUIRE(store.ok());
        REQUIRE_MESSAGE((*store)->Get(token).ok(), row.host);
        ++shown;
      }
    }
  }
  CHECK(shown >= static_cast<int>(rows.size()));  // at least those that were not killed
}

TEST_CASE("the other hosts' own forms") {
  Scratch scratch;
  const std::string log = LongLog();
  const Json block = {{"type", "text"}, {"text", log}};
  Json answer = Json::parse(Answer("codex", "PostToolUse",
                                   {{"hook_event_name", "PostToolUse"},
                                    {"tool_name", "mcp__logs__tail"},
                                    {"tool_input", {{"name", "a"}}},
                                    {"tool_response", {{"content", Json::array({block})}}}}));
  CHECK(answer["decision"] == "block");
  CHECK(IsView(answer["reason"]));
  const Json bash = {{"hook_event_name", "PostToolUse"},
                     {"tool_name", "Bash"},
                     {"tool_input", {{"command", "make"}}},
                     {"tool_response", log}};
  CHECK(Answer("codex", "PostToolUse", bash).empty());  // the answer would hide how the command ended
  answer = Json::parse(Answer("gemini", "AfterTool",
                              {{"hook_event_name", "AfterTool"},
                               {"tool_name", "run_shell_command"},
                               {"tool_input", {{"command", "make"}}},
                               {"tool_response", {{"llmContent", log}, {"returnDisplay", log}}}}));
  CHECK(answer["decision"] == "deny");
  CHECK(IsView(answer["reason"]));
  const std::string framed =
      "<untrusted_context>\nOutput: " + log + "\nExit Code: 2\nProcess Group PGID: 77\n</untrusted_context>";
  answer = Json::parse(Answer("gemini", "AfterTool",
                              {{"tool_name", "run_shell_command"},
                               {"tool_input", {{"command", "make"}}},
                               {"tool_response", {{"llmContent", framed}}}}));
  const std::string reason = answer["reason"];
  CHECK(reason.starts_with("[the command has run; its output]\n<untrusted_context>\nOutput: "));
  CHECK(reason.ends_with("\nExit Code: 2\nProcess Group PGID: 77\n</untrusted_context>"));
  CHECK(reason.find("[exit code 2]\n[PARTIAL view of " + std::to_string(log.size()) + " bytes") != std::string::npos);
  const std::string passed = "<untrusted_context>\nOutput: " + log + "\nProcess Group PGID: 77\n</untrusted_context>";
  answer = Json::parse(Answer("gemini", "AfterTool",
                              {{"tool_name", "run_shell_command"},
                               {"tool_input", {{"command", "make"}}},
                               {"tool_response", {{"llmContent", passed}}}}));
  CHECK(std::string(answer["reason"]).starts_with("[no error: the command ended with exit code 0]\n"));
  answer = Json::parse(Answer("copilot", "postToolUse",
                              {{"toolName", "bash"},
                               {"toolArgs", "{\"command\":\"make\"}"},
                               {"toolResult", {{"textResultForLlm", log}, {"resultType", "success"}}}}));
  CHECK(IsView(answer["modifiedResult"]["textResultForLlm"]));
  CHECK(answer["modifiedResult"]["resultType"] == "success");
  answer = Json::parse(
      Answer("opencode", "tool.execute.after", {{"tool", "bash"}, {"args", {{"command", "make"}}}, {"output", log}}));
  CHECK(IsView(answer["output"]));
  // Qwen takes no result in place of another: an answer could only add text or stop the agent.
  CHECK(Answer("qwen", "PostToolUse",
               {{"hook_event_name", "PostToolUse"},
                {"tool_name", "run_shell_command"},
                {"tool_input", {{"command", "make"}}},
                {"tool_response", {{"llmContent", log}, {"returnDisplay", log}}}})
            .empty());
  CHECK(Answer("cursor", "postToolUse", {{"tool_name", "Shell"}, {"tool_output", log}}) == "{}");
  CHECK(Answer("copilot", "postToolUse",
               {{"toolName", "bash"},
                {"toolArgs", "{\"command\":\"make\"}"},
                {"toolResult", {{"textResultForLlm", log}, {"resultType", "failure"}}}})
            .empty());
}

TEST_CASE("a host that fires twice gets the same answer twice") {
  Scratch scratch;
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  const std::string first = Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "make"}}, bash));
  CHECK_FALSE(first.empty());
  CHECK(Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "make"}}, bash)) == first);
}

TEST_CASE("payloads that are no payload change nothing") {
  Scratch scratch;
  std::vector<std::string> notices;
  for (const std::string& payload : {std::string(), std::string("{"), std::string("null"), std::string(5000, '['),
                                     std::string(5000, 'x'), std::string("\0\xff{\"tool_name\":\"Bash\"", 22),
                                     "{\"tool_name\":\"Bash\",\"x\":\"" + std::string(5000, 'y') + "\"}"}) {
    for (const HookHost& host : HookHosts()) {
      for (const HookEvent& event : host.events) {
        CHECK(AnswerHook({host.name, event.name, std::nullopt}, payload, &notices) == host.nothing);
      }
    }
  }
}

TEST_CASE("a payload that nests as deep as its bytes go changes nothing and ends nobody") {
  Scratch scratch;
  const auto nested = [](const char* open, const char* close) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += open;
    text += "1";
    for (int i = 0; i < 200000; ++i) text += close;
    return text;
  };
  std::vector<std::string> notices;
  for (const std::string& deep : {nested("[", "]"), nested("{\"a\":", "}")}) {
    for (const HookHost& host : HookHosts()) {
      for (const HookEvent& event : host.events) {
        for (const char* key : {"tool_response", "tool_input", "toolResult", "toolArgs", "output", "args"}) {
          const std::string payload = "{\"hook_event_name\":\"" + std::string(event.name) + "\",\"" +
                                      std::string(host.tool_key) + "\":\"Grep\",\"" + key + "\":" + deep + "}";
          CHECK(AnswerHook({host.name, event.name, std::nullopt}, payload, &notices) == host.nothing);
        }
      }
    }
  }
}

TEST_CASE("what is plainly not for us is known before anything is parsed") {
  const HookHost& host = *FindHookHost("claude-code");
  const std::string filler(5000, 'x');
  CHECK(PlainlyNotForUs(host, "{\"tool_name\":\"Bash\"}") == "small");
  CHECK(PlainlyNotForUs(host, "{\"tool_name\":\"Read\",\"x\":\"" + filler + "\"}") == "shows or changes a file");
  CHECK(PlainlyNotForUs(host, "{\"tool_name\" : \"mcp__pith__ccr_retrieve\",\"x\":\"" + filler + "\"}") ==
        "gives an original back");
  CHECK(PlainlyNotForUs(host, "{\"tool_name\":\"Bash\",\"x\":\"" + filler + "\"}").empty());
  CHECK(PlainlyNotForUs(host,
                        "{\"a\":\"\\\"tool_name\\\":\\\"Read\\\"\",\"tool_name\":\"Bash\",\"x\":\"" + filler + "\"}")
            .empty());
}

TEST_CASE("the subcommand ends in 0 on a garbage command line") {
  char no_host[] = "no-such-host", event[] = "x";
  char* words[] = {no_host, event};
  CHECK(Hook(words) == 0);
  CHECK(Hook({}) == 0);
}

TEST_CASE("I10: a store that cannot be written leaves the result as it is") {
  Scratch scratch;
  scratch.Write("state", "a file where the folder should be");
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  std::vector<std::string> notices;
  CHECK(AnswerHook({"claude-code", "PostToolUse", std::nullopt}, Claude("Bash", {{"command", "make"}}, bash).dump(),
                   &notices)
            .empty());
  CHECK_FALSE(notices.empty());
}

TEST_CASE("kill switches and exclusions hold on hooks") {
  for (const auto& row : {std::pair{"PITH_DISABLE", "1"}, std::pair{"PITH_NO_HOOKS", "1"},
                          std::pair{"PITH_MEASURE_ONLY", "1"}, std::pair{"PITH_EXCLUDE", "make"}}) {
    Scratch scratch;
    const char* name = row.first;
    setenv(name, row.second, 1);
    const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
    CHECK_MESSAGE(Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "make all"}}, bash)).empty(), name);
    unsetenv(name);
  }
}

TEST_CASE("I15: a hook answers for the result that it was handed and alters nothing that was sent before") {
  Scratch scratch;
  const std::string before = "{\"type\":\"user\",\"toolUseResult\":\"" + std::string(3000, 'x') + "\"}\n";
  const std::string transcript = scratch.Write("transcript.jsonl", before);
  Json payload = Claude("Bash", {{"command", "make"}}, {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}});
  payload["transcript_path"] = transcript;
  Output(Answer("claude-code", "PostToolUse", payload), "updatedToolOutput");
  CHECK(*ReadFile(transcript, 1 << 20) == before);
}

TEST_CASE("I13: what is said on a fault names the fault and holds no content") {
  Scratch scratch;
  scratch.Write("state", "a file where the folder should be");
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}};
  std::vector<std::string> notices;
  AnswerHook({"claude-code", "PostToolUse", std::nullopt}, Claude("Bash", {{"command", "make"}}, bash).dump(),
             &notices);
  REQUIRE_FALSE(notices.empty());
  for (const std::string& notice : notices) {
    CHECK(notice.find("worker") == std::string::npos);
    CHECK(notice.find("disk full at") == std::string::npos);
    CHECK(notice.size() < 500);
  }
}

TEST_CASE("measuring changes nothing, counts sizes, and writes nothing of the content") {
  Scratch scratch;
  setenv("PITH_MEASURE_ONLY", "1", 1);
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}};
  std::vector<std::string> notices;
  ReachCall reach;
  CHECK(AnswerHook({"claude-code", "PostToolUse", std::nullopt}, Claude("Bash", {{"command", "make all"}}, bash).dump(),
                   &notices, &reach)
            .empty());
  unsetenv("PITH_MEASURE_ONLY");
  CHECK(reach.outcome == ReachOutcome::kMeasured);
  CHECK(reach.shown_tokens < reach.original_tokens);
}

// What a call comes to in the log.
ReachCall Reached(const std::string& tool, const Json& input, const Json& response) {
  std::vector<std::string> notices;
  ReachCall reach;
  AnswerHook({"claude-code", "PostToolUse", MarkerStyle::kMcp}, Claude(tool, input, response).dump(), &notices, &reach);
  return reach;
}

TEST_CASE("each call is accounted for: what became of it, and why it was left alone") {
  Scratch scratch;
  const auto bash = [](const std::string& text) {
    return Json{{"stdout", text}, {"stderr", ""}, {"interrupted", false}};
  };
  const ReachCall view = Reached("Bash", {{"command", "make all"}}, bash(LongLog()));
  CHECK(view.outcome == ReachOutcome::kView);
  CHECK(view.original_bytes == LongLog().size());
  CHECK(view.host_tokens == view.original_tokens);
  const ReachCall long_view = Reached("Bash", {{"command", "make all"}}, bash(LongLog() + LongLog()));
  CHECK(long_view.host_tokens < long_view.original_tokens / 10);  // Claude Code would have saved it and shown 2 KB
  CHECK(view.mcp_tools);
  CHECK(Reached("Bash", {{"command", "make all"}}, bash("short")).reason == "small");
  CHECK(Reached("Read", {{"file_path", "/a"}}, {{"file", {{"content", LongLog()}}}}).reason ==
        "shows or changes a file");
  const ReachCall viewer = Reached("Bash", {{"command", "cat a.log"}}, bash(LongLog()));
  CHECK(viewer.outcome == ReachOutcome::kLeft);
  CHECK_FALSE(viewer.reason.empty());
  CHECK_FALSE(viewer.touchable);
  CHECK(Reached("Bash", {{"command", "printenv"}}, bash(LongLog())).outcome == ReachOutcome::kLeft);
  setenv("PITH_EXCLUDE", "make", 1);
  CHECK(Reached("Bash", {{"command", "make all"}}, bash(LongLog())).reason == "excluded");
  unsetenv("PITH_EXCLUDE");

  const Config config = Config::Defaults();
  for (const ReachCall& call : {view, viewer}) NoteReach(config, call);
  ReachCall other = view;
  other.host = "gemini";
  other.tool = "run_shell_command";
  other.command = "git log --password=hunter2";
  NoteReach(config, other);
  Result<std::string> file = ReadFile(scratch.folder() + "/state/pith/reach.jsonl", 1 << 20);
  REQUIRE(file.ok());
  CHECK(file->find("hunter2") == std::string::npos);
  CHECK(file->find("worker") == std::string::npos);
  const Reach sum = SumOfReach(config);
  CHECK(sum.all.calls == 3);
  CHECK(sum.all.views == 2);
  CHECK(sum.by_host.at("gemini").views == 1);
  CHECK(sum.by_tool.at("Bash").calls == 2);
  CHECK(sum.by_family.contains("vcs"));
  CHECK(sum.by_reason.at(viewer.reason).calls == 1);
  CHECK(sum.by_day.size() == 1);
  CHECK(sum.sessions == 1);
  CHECK(sum.all.gross() == static_cast<int64_t>(2 * view.host_tokens) - static_cast<int64_t>(2 * view.shown_tokens));
  const Json json = Json::parse(ReachJson(sum, 1000));
  CHECK(json["net_saved_tokens"] == json["gross_saved_tokens"].get<int64_t>() - 1000);
  CHECK(ReachText(sum, 1000).find("could be touched") != std::string::npos);
}

TEST_CASE("a log of calls with torn and foreign lines is summed up by its whole lines") {
  Scratch scratch;
  const Config config = Config::Defaults();
  ReachCall call;
  call.host = "codex";
  call.road = "hook";
  call.outcome = ReachOutcome::kMeasured;
  call.original_tokens = 100;
  call.shown_tokens = 10;
  for (int i = 0; i < 50; ++i) NoteReach(config, call);
  const std::string path = scratch.folder() + "/state/pith/reach.jsonl";
  std::string text = *ReadFile(path, 1 << 20);
  text.insert(0, std::string("\0\xff[]\n{\"outcome\":7,\"tokens\":\"x\"}\n", 32));
  scratch.Write("state/pith/reach.jsonl", text + "{\"outcome\":\"view\",\"tok");
  const Reach sum = SumOfReach(config);
  CHECK(sum.all.measured == 50);
  CHECK(sum.all.measured_tokens == 5000);
  CHECK(ReachText(sum, 0).find("enough to decide") != std::string::npos);
}

TEST_CASE("include and exclude decide on hooks as they do for pith run") {
  test::Scratch scratch;
  const Json bash = {{"stdout", LongLog()}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}};
  const auto answer = [&] {
    return Answer("claude-code", "PostToolUse", Claude("Bash", {{"command", "cat a.log"}}, bash));
  };
  CHECK(answer().empty());
  setenv("PITH_INCLUDE", "cat", 1);
  CHECK(IsView(Output(answer(), "updatedToolOutput")["stdout"]));
  setenv("PITH_EXCLUDE", "cat", 1);
  CHECK(answer().empty());
}

}  // namespace
}  // namespace pith
