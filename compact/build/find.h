// All diagnostics of a build's output, with what belongs to each: place, rule, message, source excerpt and notes below.
#pragma once
#include <cstdint>
#include <vector>

#include "compact/build/diagnostics.h"
#include "compact/document.h"

namespace pith {

constexpr uint32_t kNotALine = UINT32_MAX;

struct Diagnostic {
  uint32_t line = 0, end = 0;         // its head, and the line after its last
  uint32_t place_line = kNotALine;    // where its place stands when not on the head
  uint32_t code_line = kNotALine;     // where its rule is named when not on the head
  uint32_t file_line = kNotALine;     // the heading that names its file, where its place is a line and a column alone
  uint32_t because_line = kNotALine;  // of a template: where in the reader's code its instantiation began
  uint32_t detail_line = kNotALine;   // what the message leaves to a line below: javac's "symbol:"
  uint32_t message_last = 0;          // last line of a message that stands below the head, else the head
  Severity severity = Severity::kError;
  Span place, code, varying;  // bytes of the original; `varying`: the first quoted name of the message
  uint64_t kind = 0;          // rule and message, numbers and quoted names masked
  uint64_t message = 0;       // rule and message, numbers masked
  uint64_t same = 0;          // rule, message and place as they stand
};

struct FoundDiagnostics {
  std::vector<Diagnostic> diagnostics;  // in order
  std::vector<BuildRole> roles;         // one a line: kOther for the lines of diagnostics and for what is neither
  std::vector<bool> owned;              // one a line: belongs to a diagnostic
};

// Linear in the original; memory by lines and diagnostics.
FoundDiagnostics FindDiagnostics(const Document& document);

}  // namespace pith
