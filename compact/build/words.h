// The words by which tools say how severe a diagnostic is, what they are doing and how it ended. A new tool is rows
// here.
#pragma once
#include <array>
#include <string_view>

#include "compact/begins.h"
#include "compact/build/diagnostics.h"

namespace pith::build_words {

struct Word {
  std::string_view word;
  Severity severity;
};
inline constexpr Word kSeverities[] = {
    {"fatal error", Severity::kError},   {"internal compiler error", Severity::kError},
    {"error", Severity::kError},         {"Error", Severity::kError},
    {"ERROR", Severity::kError},         {"warning", Severity::kWarning},
    {"Warning", Severity::kWarning},     {"WARNING", Severity::kWarning},
    {"note", Severity::kNote},           {"info", Severity::kWarning},
    {"information", Severity::kWarning}, {"style", Severity::kWarning},
    {"hint", Severity::kNote},           {"help", Severity::kNote},
    {"remark", Severity::kNote},         {"suggestion", Severity::kWarning},
};

inline constexpr auto kSeverityBytes = ByByte(kSeverities, [](const Word& row) { return row.word; });

struct Start {
  std::string_view text;
  BuildRole role;
};
inline constexpr Start kStarts[] = {
    {"error: could not compile", BuildRole::kTotals},
    {"error: aborting due", BuildRole::kTotals},
    {"error: test failed", BuildRole::kTotals},
    {"warning: build failed", BuildRole::kTotals},
    {"Some errors have detailed explanations", BuildRole::kTotals},
    {"Found ", BuildRole::kTotals},
    {"Success: no issues", BuildRole::kTotals},
    {"All checks passed", BuildRole::kTotals},
    {"All done!", BuildRole::kTotals},
    {"make: ***", BuildRole::kTotals},
    {"make: Entering", BuildRole::kTotals},
    {"make: Leaving", BuildRole::kTotals},
    {"make: Nothing", BuildRole::kTotals},
    {"make[", BuildRole::kTotals},
    {"gmake: ***", BuildRole::kTotals},
    {"gmake[", BuildRole::kTotals},
    {"ninja: build stopped", BuildRole::kTotals},
    {"ninja: error", BuildRole::kTotals},
    {"ninja: no work to do", BuildRole::kTotals},
    {"FAILED: ", BuildRole::kTotals},
    {"collect2: error", BuildRole::kTotals},
    {"clang: error", BuildRole::kTotals},
    {"BUILD ", BuildRole::kTotals},
    {"Build FAILED", BuildRole::kTotals},
    {"Build succeeded", BuildRole::kTotals},
    {"Build failed in", BuildRole::kTotals},
    {"FAILURE: ", BuildRole::kTotals},
    {"Execution failed for task", BuildRole::kTotals},
    {"Your code has been rated", BuildRole::kTotals},
    {"compilation terminated", BuildRole::kTotals},
    {"webpack ", BuildRole::kTotals},
    {"\xE2\x9C\x96 ", BuildRole::kTotals},
    {"Finished ", BuildRole::kTotals},
    {"-- Configuring incomplete", BuildRole::kTotals},
    {"Failed to execute goal", BuildRole::kTotals},
    {"x Build failed", BuildRole::kTotals},
    {"x ", BuildRole::kTotals},
    {"\xE2\x9C\x93 ", BuildRole::kTotals},
    {"[*] ", BuildRole::kTotals},
    {"No fixes available", BuildRole::kTotals},
    {"too many errors", BuildRole::kTotals},
    {"ERROR: failed to build", BuildRole::kTotals},
    {"Error: Process completed", BuildRole::kTotals},
    {"exit status", BuildRole::kTotals},
    {"Note: ", BuildRole::kTotals},
    {"[ERROR] Failed to execute", BuildRole::kTotals},
    {"# ", BuildRole::kTotals},
    {"Oh no! ", BuildRole::kTotals},
    {"would reformat ", BuildRole::kTotals},
    {"Compiling ", BuildRole::kProgress},
    {"Downloading ", BuildRole::kProgress},
    {"Downloaded ", BuildRole::kProgress},
    {"Checking ", BuildRole::kProgress},
    {"Fresh ", BuildRole::kProgress},
    {"Updating ", BuildRole::kProgress},
    {"Locking ", BuildRole::kProgress},
    {"Blocking ", BuildRole::kProgress},
    {"Adding ", BuildRole::kProgress},
    {"Running `", BuildRole::kProgress},
    {"Scanning dependencies", BuildRole::kProgress},
    {"-- ", BuildRole::kProgress},
    {"[INFO] ", BuildRole::kProgress},
    {"> Task ", BuildRole::kProgress},
    {"gcc ", BuildRole::kProgress},
    {"g++ ", BuildRole::kProgress},
    {"cc ", BuildRole::kProgress},
    {"c++ ", BuildRole::kProgress},
    {"clang ", BuildRole::kProgress},
    {"clang++ ", BuildRole::kProgress},
    {"ar ", BuildRole::kProgress},
    {"ld ", BuildRole::kProgress},
    {"/usr/bin/", BuildRole::kProgress},
    {"libtool: ", BuildRole::kProgress},
    {"checking ", BuildRole::kProgress},
    {"************* Module", BuildRole::kProgress},
    {"asset ", BuildRole::kTotals},
    {"transforming", BuildRole::kProgress},
    {"For more information about", BuildRole::kProgress},
    {"Determining projects", BuildRole::kProgress},
    {"Restored ", BuildRole::kProgress},
    {"To see the full stack trace", BuildRole::kProgress},
    {"Re-run Maven", BuildRole::kProgress},
    {"[ERROR] To see the full stack", BuildRole::kProgress},
    {"[ERROR] Re-run Maven", BuildRole::kProgress},
    {"[ERROR] For more information", BuildRole::kProgress},
    {"[ERROR] [Help", BuildRole::kProgress},
    {"[ERROR] -> [Help", BuildRole::kProgress},
    {"* Get more help", BuildRole::kProgress},
    {"rustc --explain", BuildRole::kProgress},
};

// First bytes of the table: most lines are told by theirs to be none of these.
inline constexpr auto kStartBytes = ByByte(kStarts, [](const Start& row) { return row.text; });

// Totals by a number and a word: "2 errors generated.", "15 errors", "26 errors, 0 warnings", "3 problems".
inline constexpr std::string_view kCounted[] = {"error", "errors", "warning",  "warnings",   "problem", "problems",
                                                "issue", "issues", "Error(s)", "Warning(s)", "file",    "modules"};

// Heads that say where or that something failed, and what failed below.
inline constexpr Word kHeadsOfMessages[] = {
    {"ERROR in ", Severity::kError},
    {"WARNING in ", Severity::kWarning},
    {"CMake Error at ", Severity::kError},
    {"CMake Error in ", Severity::kError},
    {"CMake Error:", Severity::kError},
    {"CMake Warning at ", Severity::kWarning},
    {"CMake Warning (dev) at ", Severity::kWarning},
    {"error during build", Severity::kError},
    {"* What went wrong:", Severity::kError},
    {"Error: Build failed with ", Severity::kError},
    {"Build failed with ", Severity::kError},
    {"Failed to compile", Severity::kError},
    {"Module build failed", Severity::kError},
    {"Module not found", Severity::kError},
};
inline constexpr auto kHeadBytes = ByByte(kHeadsOfMessages, [](const Word& row) { return row.word; });

}  // namespace pith::build_words
