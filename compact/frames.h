// Lines of stack traces in the forms of the usual languages, and whose code they stand in: the reader's project or a
// library. And the lines around them: what was raised, what was expected.
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

enum class LineShape : uint8_t {
  kBlank,
  kTraceHead,    // "Traceback (most recent call last):"
  kFrame,        // Python's `File "a.py", line 3, in f`: what was raised comes after the frames
  kFrameBefore,  // pytest's `a.py:3: in f`: likewise
  kFrameAfter,   // `at f (a.js:3:1)`, `at a.B.c(B.java:3)`: frames come after what was raised
  kPlace,        // `a.py:3: ValueError`: where the message before it was raised
  kException,    // `ValueError: no`, `thread 'x' panicked at`, `a_test.go:12: want 3`
  kExpected,     // expected, actual and the like
  kCode,         // a numbered source excerpt, a caret line
  kCaptured,     // a heading over what the failing test printed
  kOther,
};

struct ShapedLine {
  LineShape shape = LineShape::kOther;
  bool library = false;  // a frame outside the project
  bool marked = false;   // after pytest's "E "
  uint32_t indent = 0;   // blanks before the text, after a mark
};

// Linear in the line (at most its first 2 KiB), no allocation.
ShapedLine ReadShape(std::string_view text);

// Whether a path or a qualified name stands in a library, a runtime or a test framework.
bool InLibrary(std::string_view text);

}  // namespace pith
