// Why tests failed: what was raised, what was expected, and the nearest line of the project, read out of the text
// between the rows of a test run.
#pragma once
#include <cstdint>
#include <vector>

#include "compact/document.h"

namespace pith {

constexpr uint32_t kNoLine = UINT32_MAX;

struct Cause {
  uint32_t line = 0;                   // says what was raised
  uint32_t place = kNoLine;            // nearest frame in the project, before or after it
  uint32_t test_place = kNoLine;       // the outermost frame in the project, where that is another: the test itself
  uint32_t code = kNoLine;             // the source line that a runner points at
  std::vector<uint32_t> details;       // expected, actual, more of the message: ascending, at most kMostDetails
  bool traced = false;                 // stands under a trace: sure to be a failure, whatever it says
  uint64_t key = 0xcbf29ce484222325u;  // of its whole message, without addresses of memory: equal for identical causes
  uint64_t alike = 0;                  // of its text with all that varies masked

  static constexpr size_t kMostDetails = 12;
};

// How much of a stretch is said by a failing test.
enum class Stretch : uint8_t {
  kFailing,  // all of it: its first words count as a cause if nothing plainer is found
  kMarked,   // all of it, in pytest's form: what counts is marked or traced, the rest is source and captured output
  kMaybe,    // a failing row came before: only what looks like a cause
  kOther,    // only what stands under a trace
};

// Causes in lines first..end-1, in order. Linear, memory by the number of causes.
// `said` is a line above them that says what was raised (a panic), kNoLine if there is none: the first cause.
std::vector<Cause> FindCauses(const Document& document, uint32_t first, uint32_t end, Stretch stretch,
                              uint32_t said = kNoLine);

}  // namespace pith
