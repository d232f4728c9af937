// One diagnostic of a compiler, linker or checker, as its line spells it: where, how severe, which rule, what.
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

enum class Severity : uint8_t { kNone, kNote, kWarning, kError };

// Views into the line that was read; empty where the line has no such part.
struct DiagnosticText {
  Severity severity = Severity::kNone;
  std::string_view place;      // "src/a.c:3:5", "a.ts(2,1)", "12:5" under a heading that names the file
  std::string_view code;       // "E0053", "-Wformat=", "TS2345", "no-untyped-def"
  std::string_view message;    // without place, severity and code
  bool placed_below = false;   // the place stands on a line of its own below: rustc, ruff
  bool message_below = false;  // and so does the message: webpack, CMake
  bool arrow = false;          // the line is such a place: "  --> src/a.rs:3:5"
};

// Linear in the line (at most its first 4 KiB), no allocation. severity is kNone for what is no diagnostic; `arrow` and
// `place` alone for a line that only places one.
DiagnosticText ReadDiagnostic(std::string_view line);

// "src/a.c:3:5", "src/a.c(3,5)", "src/A.java:[3,5]" at the start of a text, the path without blanks: its length, else
// 0.
size_t DiagnosticPlaceLength(std::string_view text);

// What a line of a build is that is no diagnostic.
enum class BuildRole : uint8_t {
  kOther,
  kTotals,    // counts as printed, the verdict, which target failed
  kProgress,  // what is being done: compiling, downloading, command lines
};
BuildRole ReadBuildRole(std::string_view line);

}  // namespace pith
