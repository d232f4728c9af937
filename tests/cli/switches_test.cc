// Every kill switch on every road, as one table. Shims are in agents/shim_test.cc, the served gate of the DeepSeek
// harness in agents/dsh_engine_test.cc; plugins (OpenCode, pi) come in by their hosts' hooks.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/cli/home.h"

namespace pith {
namespace {

using Json = nlohmann::json;
using Variables = std::vector<std::pair<std::string, std::string>>;

const std::string kFooter = "PARTIAL view of " + std::to_string(LogOf(900).size()) + " bytes";

struct Road {
  std::string name;
  std::function<Ended(const Home&, Variables)> send;
  bool hook = false, run = false, mcp = false;
};

Road Hook(const std::string& host, const std::string& event, const Json& payload) {
  return {host,
          [=](const Home& home, Variables variables) {
            return home.Run({"hook", host, event}, payload.dump(), std::move(variables));
          },
          true};
}

std::vector<Road> Roads() {
  const std::string log = LogOf(900);
  const Json shell = {{"command", "make"}};
  std::vector<Road> roads = {
      {"compact",
       [=](const Home& home, Variables v) {
         return home.Run({"compact", "--command", "make"}, log, v);
       }},
      {"jsonl",
       [=](const Home& home, Variables v) {
         return home.Run({"compact", "--jsonl"}, Json{{"id", 1}, {"content", log}}.dump() + "\n", v);
       }},
      {"run",
       [=](const Home& home, Variables v) {
         home.Write("log", log);
         chmod(home.Write("noisy", "#!/bin/sh\ncat log\n").c_str(), 0755);
         v.emplace_back("PITH_AGENT", "1");
         return home.Run({"run", "--", "./noisy"}, "", v);
       },
       false, true},
      {"mcp",
       [=](const Home& home, Variables v) {
         const Json call = {{"jsonrpc", "2.0"},
                            {"id", 1},
                            {"method", "tools/call"},
                            {"params", {{"name", "compact"}, {"arguments", {{"content", log}, {"command", "make"}}}}}};
         const std::string start =
             R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
             "\n"
             R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
             "\n";
         return home.Run({"serve"}, start + call.dump() + "\n", v);
       },
       false, false, true}};
  roads.push_back(Hook("claude-code", "PostToolUse",
                       {{"hook_event_name", "PostToolUse"},
                        {"tool_name", "Grep"},
                        {"tool_input", {{"pattern", "x"}}},
                        {"tool_response", {{"mode", "content"}, {"content", log}}}}));
  roads.push_back(Hook("codex", "PostToolUse",
                       {{"hook_event_name", "PostToolUse"},
                        {"tool_name", "mcp__logs__tail"},
                        {"tool_input", Json::object()},
                        {"tool_response", {{"content", {{{"type", "text"}, {"text", log}}}}}}}));
  roads.push_back(
      Hook("gemini", "AfterTool",
           {{"tool_name", "run_shell_command"}, {"tool_input", shell}, {"tool_response", {{"llmContent", log}}}}));
  roads.push_back(Hook("copilot", "postToolUse",
                       {{"toolName", "bash"},
                        {"toolArgs", shell.dump()},
                        {"toolResult", {{"textResultForLlm", log}, {"resultType", "success"}}}}));
  for (const auto& [host, event] : {std::pair{"opencode", "tool.execute.after"}, std::pair{"pi", "tool_result"}}) {
    roads.push_back(Hook(host, event, {{"tool", "bash"}, {"args", shell}, {"output", log}}));
  }
  return roads;
}

// Where the switch leaves the view out.
struct Switch {
  std::string name;
  bool (*closes)(const Road& road);
};
const std::vector<Switch> kSwitches = {{"PITH_DISABLE", [](const Road&) { return true; }},
                                       {"PITH_MEASURE_ONLY", [](const Road&) { return true; }},
                                       {"PITH_NO_HOOKS", [](const Road& road) { return road.hook; }},
                                       {"PITH_NO_RUN", [](const Road& road) { return road.run; }},
                                       {"PITH_NO_MCP", [](const Road& road) { return road.mcp; }}};

void Holds(const Road& road, const std::string& name, bool closed, const std::string& config, Variables variables) {
  CAPTURE(road.name);
  CAPTURE(name);
  Home home;
  if (!config.empty()) {
    mkdir((home.path() + "/.config").c_str(), 0700);
    mkdir((home.path() + "/.config/pith").c_str(), 0700);
    std::ofstream(home.path() + "/.config/pith/config.json") << config;
  }
  const Ended ended = road.send(home, std::move(variables));
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(Has(ended.out, kFooter) == !closed);
  // Nothing shown, nothing stored: what was left alone leaves no original behind.
  CHECK(CountLines(home.Run({"ls"}).out) == (closed ? 0 : 1));
}

}  // namespace

TEST_CASE("every kill switch closes the roads that it names and no other, from the environment and the configuration") {
  for (const Road& road : Roads()) {
    Holds(road, "none", false, "", {});
    for (const Switch& one : kSwitches) {
      Holds(road, one.name, one.closes(road), "", {{one.name, "1"}});
      std::string key = one.name.substr(5);
      for (char& c : key) c = static_cast<char>(tolower(c));
      Holds(road, "config: " + key, one.closes(road), "{\"" + key + "\": true}", {});
    }
  }
}

}  // namespace pith
