// Traces are read line by line with no memory but the caller's. Each language's frame has a fixed beginning and a place
// `path:line` in it; whose code it is shows in folder and package names, which are listed here. A line that starts with
// a name ending in Error or Exception is what was raised, in nearly every language.
#include "compact/frames.h"

#include <algorithm>
#include <array>

#include "compact/begins.h"
#include "compact/characters.h"

namespace pith {
namespace {

constexpr std::string_view kLibraryParts[] = {
    "site-packages/",
    "dist-packages/",
    "/lib/python",
    "/lib64/python",
    "<frozen ",
    "<string>",
    "<__array_function__",
    "node_modules/",
    "node:internal",
    "node:async_hooks",
    "internal/modules",
    "internal/process",
    "(native)",
    "/usr/lib/",
    "/usr/include/",
    "/usr/local/go/",
    "/usr/lib/go",
    "/go/pkg/mod/",
    "/libexec/src/",
    "/rustc/",
    "/.cargo/registry/",
    "library/std/",
    "library/core/",
    "library/test/",
    "library/alloc/",
    "/gems/",
    "/rubygems",
    "/vendor/",
    "java.base/",
    "/_pytest/",
    "/pluggy/",
    "processTicksAndRejections",
};
constexpr std::string_view kLibraryPackages[] = {
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.coroutines.",
    "scala.",
    "org.junit.",
    "junit.",
    "org.opentest4j.",
    "org.testng.",
    "org.apache.maven.",
    "org.apache.tools.ant.",
    "org.gradle.",
    "org.hamcrest.",
    "org.assertj.",
    "org.mockito.",
    "org.scalatest.",
    "org.springframework.",
    "System.",
    "Microsoft.",
    "Xunit.",
    "NUnit.",
    "testing.",
    "runtime.",
    "reflect.",
    "std::",
    "core::",
    "rust_begin_unwind",
    "test::",
    "async Promise.all",
    "worker.",
};
constexpr std::string_view kExceptionStarts[] = {
    "panic:",       "fatal error:", "Caused by:",        "Failure/Error:", "Failed asserting", "terminate called",
    "what():",      "thrown:",      "assertion ",        "assertion:",     "Assertion ",       "assert ",
    "CHECK failed", "CHECK(",       "REQUIRE(",          "ERROR:",         "error:",           "Error:",
    "Fatal",        "FATAL",        "Unhandled",         "Uncaught",       "uncaught",         "Test timeout",
    "Timeout",      "Can't locate", "Expected equality", "Value of:",      "Error Message:",   "Assert.",
    "Assert ",      "expected ",    "Expected ",         "Snapshot ",
};
constexpr std::string_view kExceptionEnds[] = {"Error", "Exception", "Failure",          "Failed",
                                               "Exit",  "Interrupt", "Timeout",          "Fault",
                                               "Panic", "Warning",   "ComparisonFailure"};
constexpr std::string_view kExpectedStarts[] = {
    "expected",   "Expected",   "received", "Received",   "actual",      "Actual",     "got",         "Got",
    "want",       "Want",       "left:",    "right:",     "but was",     "but got",    "But was",     "Which is",
    "With diff",  "Difference", "Diff",     "- Expected", "+ Received",  "+ expected", "- actual",    "+ actual",
    "- expected", "Messages:",  "Message:", "to equal",   "to be",       "toEqual",    "expectation", "But:",
    "assert",     "where ",     "+  where", "operator:",  "at location",
};

using ascii::IsBlank;
using ascii::IsDigit;
bool IsWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' || c == ':';
}

constexpr auto kText = [](std::string_view text) { return text; };
constexpr auto kLibraryPackageBytes = ByByte(kLibraryPackages, kText);
constexpr auto kExceptionBytes = ByByte(kExceptionStarts, kText);
constexpr auto kExpectedBytes = ByByte(kExpectedStarts, kText);

template <size_t N>
bool StartsWithOne(std::string_view text, const std::string_view (&starts)[N], const RowsByByte<N>& index) {
  return FindByFirstByte(index, starts, text, [&](std::string_view start) { return Begins(text, start); }) != nullptr;
}

// A path is looked at where one of a few bytes stands: the last slash of a part, else its colon or capital, else the
// part's own first byte. What stands before it says which parts there may be.
constexpr std::string_view kAnchors = "/:T<(";
constexpr size_t AnchorOf(std::string_view part) {
  const size_t slash = part.rfind('/');
  if (slash != std::string_view::npos) return slash;
  const size_t other = part.find_first_of(":T");
  return other == std::string_view::npos ? 0 : other;
}
constexpr std::array<bool, 256> kIsAnchor = [] {
  std::array<bool, 256> is{};
  for (const char c : kAnchors) is[static_cast<unsigned char>(c)] = true;
  return is;
}();
static_assert(std::ranges::all_of(kLibraryParts, [](std::string_view part) {
  return kAnchors.find(part[AnchorOf(part)]) != std::string_view::npos;
}));
constexpr auto kPartsByByteBefore = ByByte(
    kLibraryParts, [](std::string_view part) { return part.substr(0, AnchorOf(part)); }, true);
constexpr auto kPartsByAnchor =
    ByByte(kLibraryParts, [](std::string_view part) { return AnchorOf(part) == 0 ? part : std::string_view(); });

bool HasLibraryPartAt(std::string_view text, size_t anchor) {
  const auto starts_here = [&](std::string_view part) { return Begins(text.substr(anchor), part); };
  if (FindByByte(kPartsByAnchor, kLibraryParts, text[anchor], starts_here) != nullptr) return true;
  if (anchor == 0) return false;
  const auto has_anchor_here = [&](std::string_view part) {
    const size_t before = AnchorOf(part);
    return before <= anchor && Begins(text.substr(anchor - before), part);
  };
  return FindByByte(kPartsByByteBefore, kLibraryParts, text[anchor - 1], has_anchor_here) != nullptr;
}

// `path.ext:12` at the start of a text, no blanks in the path: the length, 0 if it is not there.
size_t PlaceLength(std::string_view text) {
  size_t at = 0;
  bool dot = false;
  while (at < text.size() && !IsBlank(text[at]) && text[at] != ':' && text[at] != '(') dot |= text[at++] == '.';
  if (at == 1 && at + 1 < text.size() && text[at] == ':' && (text[2] == '\\' || text[2] == '/')) {  // C:\a.cs:12
    for (at = 2; at < text.size() && !IsBlank(text[at]) && text[at] != ':'; ++at) dot |= text[at] == '.';
  }
  if (!dot || at == 0 || at + 1 >= text.size() || text[at] != ':' || !IsDigit(text[at + 1])) return 0;
  ++at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// A dotted name that ends as exceptions do, alone or followed by a colon, a blank or a bracket.
bool IsRaised(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && IsWord(text[at])) ++at;
  std::string_view name = text.substr(0, at);
  while (name.ends_with(':')) name.remove_suffix(1);
  if (name.empty() || IsDigit(name.front())) return false;
  if (at < text.size() && !IsBlank(text[at]) && text[at] != '[' && text[at] != '(') return false;
  bool closed = at == text.size() || text[at - 1] == ':' || text[at] == '[' || text[at] == '(';
  if (!closed) return false;
  for (std::string_view end : kExceptionEnds)
    if (name.ends_with(end) && name.size() > end.size() - 1) return true;
  return false;
}

// `12 |  code`, `> 12 |`, `   |   ^^^^`, `~~~^~~`
bool IsExcerpt(std::string_view body) {
  if (body.starts_with("> ")) body.remove_prefix(2);
  while (!body.empty() && IsBlank(body.front())) body.remove_prefix(1);
  size_t digits = 0;
  while (digits < body.size() && IsDigit(body[digits])) ++digits;
  size_t at = digits;
  while (at < body.size() && IsBlank(body[at])) ++at;
  if (digits > 0 && (body.substr(at).starts_with("|") || body.substr(at).starts_with("\xE2\x94\x82"))) return true;
  if (body.starts_with("| ") || body == "|") return true;
  return !body.empty() && body.find_first_not_of("^~ \t-") == std::string_view::npos && body.find_first_of("^~") == 0;
}

// A number at the end of `text` after a colon; both taken off. False: there is none.
bool TakeNumber(std::string_view& text) {
  size_t digits = text.size();
  while (digits > 0 && IsDigit(text[digits - 1])) --digits;
  if (digits == text.size() || digits < 2 || text[digits - 1] != ':') return false;
  text = text.substr(0, digits - 1);
  return true;
}

// `f (/src/a.js:3:1)`: JavaScript's frame without its `at`, as the stack in a TAP diagnostic has it.
bool IsBareFrame(std::string_view body) {
  if (body.back() != ')') return false;
  const size_t open = body.rfind(" (");
  if (open == std::string_view::npos) return false;
  std::string_view place = body.substr(open + 2, body.size() - open - 3);
  return TakeNumber(place) && TakeNumber(place) &&
         (place.find('/') != std::string_view::npos || place.starts_with("node:"));
}

bool IsTraceFrameAfter(std::string_view body) {
  if (IsBareFrame(body)) return true;
  switch (body.front()) {
    case 'a':
    case 'i': {
      if (!Begins(body, "at ") && !Begins(body, "in ")) return false;
      const size_t colon = body.find_last_of(':');
      if (colon != std::string_view::npos && colon + 1 < body.size() && IsDigit(body[colon + 1])) return true;
      return body.find(":line ") != std::string_view::npos || body.ends_with("(Native Method)") ||
             body.ends_with("(Unknown Source)") || body.ends_with("(<anonymous>)");
    }
    case '\xE2':  // ❯ a.ts:3:1
      return Begins(body, "\xE2\x9D\xAF ") && PlaceLength(body.substr(body.find_last_of(' ') + 1)) > 0;
    case 'E':
    case 'g':
    case 'p':  // Go
      return Begins(body, "Error Trace:") || Begins(body, "goroutine ") || Begins(body, "panic(");
    case 's':  // Rust
      return body == "stack backtrace:";
    case '#':  // rspec, Test::More
      return (Begins(body, "# ") && PlaceLength(body.substr(2)) > 0) || Begins(body, "#   at ") ||
             Begins(body, "#     at ");
    case '/': {  // Go, PHPUnit
      const size_t place = PlaceLength(body);
      return place > 0 && (place == body.size() || Begins(body.substr(place), " +0x"));
    }
    default:
      return false;
  }
}

// bats: "(in test file a.bats, line 3)", "(from function `f' in file b.bash, line 3,", "in test file a.bats, line 9)",
// in TAP behind a "# ".
bool IsBatsPlace(std::string_view body) {
  if (Begins(body, "#")) body.remove_prefix(std::min(body.find_first_not_of("# "), body.size()));
  if (Begins(body, "(")) body.remove_prefix(1);
  if (!Begins(body, "in test file ") && !Begins(body, "in file ") && !Begins(body, "from function `")) return false;
  const size_t line = body.rfind(", line ");
  return line != std::string_view::npos && line + 7 < body.size() && IsDigit(body[line + 7]) &&
         (body.back() == ')' || body.back() == ',');
}

}  // namespace

bool InLibrary(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (kIsAnchor[static_cast<unsigned char>(text[i])] && HasLibraryPartAt(text, i)) return true;
  }
  const size_t at = text.substr(0, 6).find("at ");
  std::string_view name = at != std::string_view::npos ? text.substr(at + 3) : text;
  return StartsWithOne(name, kLibraryPackages, kLibraryPackageBytes);
}

ShapedLine ReadShape(std::string_view text) {
  ShapedLine line;
  text = text.substr(0, 2048);
  if (text.size() > 1 && text[0] == 'E' && IsBlank(text[1]) && (text.size() == 2 || IsBlank(text[2]))) {
    line.marked = true;
    text.remove_prefix(1);
  }
  size_t first = 0;
  while (first < text.size() && IsBlank(text[first])) ++first;
  line.indent = static_cast<uint32_t>(first);
  std::string_view body = text.substr(first);
  while (!body.empty() && (IsBlank(body.back()) || body.back() == '\r')) body.remove_suffix(1);
  if (body.empty()) {
    line.shape = LineShape::kBlank;
    return line;
  }
  size_t place = PlaceLength(body);
  if (Begins(body, "Traceback (most recent call last)") || Ends(body, "Traceback (most recent call last):")) {
    line.shape = LineShape::kTraceHead;
  } else if (Begins(body, "File \"") && body.find("\", line ") != std::string_view::npos) {
    line.shape = LineShape::kFrame;
  } else if (IsTraceFrameAfter(body)) {
    line.shape = LineShape::kFrameAfter;
  } else if (body.size() > 16 && Begins(body, "---") && body.find(" Captured ") != std::string_view::npos) {
    line.shape = LineShape::kCaptured;
  } else if (IsExcerpt(body)) {
    line.shape = LineShape::kCode;
  } else if (place > 0 && body.substr(place).starts_with(": ") && line.indent > 0) {
    line.shape = LineShape::kException;  // Go: `    a_test.go:12: want 3`
  } else if ((place > 0 && (body.substr(place) == ":" || body.substr(place).starts_with(": in "))) ||
             IsBatsPlace(body)) {
    line.shape = LineShape::kFrameBefore;
  } else if (place > 0 && body.substr(place).starts_with(": ") && body.find(' ', place + 2) == std::string_view::npos &&
             body.substr(place) != ": Failure") {
    line.shape = LineShape::kPlace;
  } else if (place > 0 && (body.substr(place) == ": Failure" || body.substr(place).starts_with(": FAILED") ||
                           body.substr(place).starts_with(": error") || body.substr(place).starts_with(": ERROR"))) {
    line.shape = LineShape::kException;
  } else if (body == "Traceback:") {
    line.shape = LineShape::kCode;  // pytest's heading over the frames of a collection error: it says nothing itself
  } else if (IsRaised(body) || body.starts_with("thread '")) {
    line.shape = LineShape::kException;
  } else if (StartsWithOne(body, kExpectedStarts, kExpectedBytes) ||
             (body.starts_with("# ") && StartsWithOne(body.substr(body.find_first_not_of("# ") == std::string_view::npos
                                                                      ? 0
                                                                      : body.find_first_not_of("# ")),
                                                      kExpectedStarts, kExpectedBytes))) {
    line.shape = LineShape::kExpected;
  } else if (StartsWithOne(body, kExceptionStarts, kExceptionBytes)) {
    line.shape = LineShape::kException;
  }
  if (line.shape == LineShape::kFrame || line.shape == LineShape::kFrameBefore ||
      line.shape == LineShape::kFrameAfter || line.shape == LineShape::kPlace) {
    line.library = InLibrary(body) || body.starts_with("goroutine ") || body.starts_with("panic(") ||
                   body == "Error Trace:" || body == "stack backtrace:";
  }
  return line;
}

}  // namespace pith
