// What stays byte-identical: by tool, by command, by size, by being a view already.
#include "compact/policy.h"

#include <doctest/doctest.h>

#include <string>

namespace pith {
namespace {

std::string Long() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + " of something that was printed\n";
  return text;
}

std::string Reason(std::string_view bytes, Policy policy, std::string_view tool, std::string_view command) {
  Hints hints;
  hints.policy = policy;
  hints.tool_name = tool;
  hints.command = command;
  return std::string(ExactReason(bytes, hints, ParseCommand(command)));
}

bool Exact(Policy policy, std::string_view tool, std::string_view command) {
  static const std::string kLong = Long();
  return !Reason(kLong, policy, tool, command).empty();
}

TEST_CASE("file viewers and selections stay exact when nobody asked for a view") {
  for (const char* command : {"cat a.py",
                              "head -n 20 a.py",
                              "tail -n 5 a",
                              "sed -n '1,9p' a",
                              "awk '{print}' a",
                              "nl a",
                              "od -c a",
                              "jq . a.json",
                              "git show HEAD:src/a.c",
                              "git cat-file -p HEAD",
                              "base64 -d a",
                              "grep -c x a",
                              "grep -o x a",
                              "grep -rl x .",
                              "rg --json x",
                              "git status --porcelain",
                              "git diff -z --name-only",
                              "wc -l a",
                              "cd x && cat a",
                              "echo; cat a; cat b",
                              "bash -lc 'cat a'",
                              "cat a | head -5",
                              "find . -print0",
                              "sudo cat /etc/hosts",
                              "make | wc -l",
                              "cat a; make"}) {
    CHECK_MESSAGE(Exact(Policy::kHook, "Bash", command), command);
    CHECK_FALSE_MESSAGE(Exact(Policy::kExplicit, "Bash", command), command);
  }
}

TEST_CASE("what is printed for a reader may be compacted") {
  for (const char* command :
       {"make -j8", "pytest -q | tail -50", "git log", "git diff", "grep -rn x .", "find . -type f",
        "cargo test 2>&1 | tee log", "docker logs web", "npm ci", "python script.py", ""}) {
    CHECK_FALSE_MESSAGE(Exact(Policy::kHook, "Bash", command), command);
  }
}

TEST_CASE("reads and edits of agents stay exact, other tools do not") {
  for (const char* tool :
       {"Read", "Edit", "Write", "NotebookEdit", "read_file", "view", "apply_patch", "mcp__fs__read_text_file"}) {
    CHECK_MESSAGE(Exact(Policy::kHook, tool, ""), tool);
    CHECK_FALSE_MESSAGE(Exact(Policy::kExplicit, tool, ""), tool);
  }
  for (const char* tool : {"Grep", "Glob", "WebFetch", "Task", "mcp__github__list_issues", "mcp__x", ""}) {
    CHECK_FALSE_MESSAGE(Exact(Policy::kHook, tool, ""), tool);
  }
}

TEST_CASE("I8: the output of recovery tools and a view of ours are exact under either policy") {
  for (Policy policy : {Policy::kExplicit, Policy::kHook}) {
    for (const char* tool : {"tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve",
                             "mcp__pith__tokenjuice_retrieve", "mcp__plugin_x_pith__ccr_retrieve"}) {
      CHECK_MESSAGE(Exact(policy, tool, ""), tool);
    }
    CHECK(Exact(policy, "Bash", "pith retrieve last --lines 1-900"));
    FooterFacts facts;
    facts.bytes = 123456;
    facts.lines = 200;
    facts.token = "0123456789abcdef01234567";
    CHECK_FALSE(Reason(Long() + Footer(MarkerStyle::kMcp, facts), policy, "Bash", "make").empty());
  }
}

TEST_CASE("a text that only quotes a footer at its end is no view") {
  const std::string footer = " lines; full original: tokenjuice_retrieve token \"0123456789abcdef01234567\"]\n";
  const std::string text = Long();
  const auto reason = [](const std::string& bytes) { return Reason(bytes, Policy::kExplicit, "", ""); };
  CHECK(reason(text + "[PARTIAL view of 287848 bytes, 4000" + footer).empty());  // it has no gap, and too few lines
  CHECK(reason(text + "[PARTIAL view of 2878 bytes, 40" + footer).empty());      // it is larger than its original
  CHECK_FALSE(reason(text + "[84 lines omitted: 31-114]\n[PARTIAL view of 287848 bytes, 4000" + footer).empty());
  CHECK_FALSE(reason(text + "[PARTIAL view of 287848 bytes, 200" + footer).empty());  // without its colours
  const std::string lossless =
      "[reformatted, nothing dropped; exact original: tokenjuice_retrieve token \"0123456789abcdef01234567\"]\n";
  CHECK(reason(text + lossless).empty());  // it has no form that is shorter than what it stands for
  CHECK_FALSE(reason(text + "[the line above 57 more times: 11-67]\n" + lossless).empty());
  CHECK_FALSE(reason("src/\n a.cc\n12:x\n" + text + lossless).empty());
}

TEST_CASE("small outputs stay exact, and unasked the floor is higher") {
  CHECK(Reason(std::string(300, 'x'), Policy::kExplicit, "", "make") == "small");
  CHECK(Reason(std::string(600, 'x'), Policy::kHook, "", "make") == "small");
  CHECK(Reason(std::string(600, 'x'), Policy::kExplicit, "", "make").empty());
}

}  // namespace
}  // namespace pith
