// The command rules as the generator writes them (compact/rules/generate.cc): constant data, nothing is read at start.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "compact/command/command.h"

namespace pith {

struct RuleRow {
  // Whether the program may stand behind a pipe, reading what another printed.
  enum class Place : uint8_t { kSource, kFilter };

  CommandRule rule;
  Place place = Place::kSource;
  bool passes = false;  // a filter that shows what it was given (tail, tee, cat): the producer's rule holds
  bool bare = false;    // only without any argument
  // Conditions; an empty list holds always, a list holds when one of its members does.
  std::span<const std::string_view> subcommands;  // leading operands: "test", "pr diff"
  std::span<const std::string_view> any_operand;  // an operand anywhere
  std::span<const std::string_view> any_flag;  // "-c" (also inside "-rnc"), "--count", "--format" (also "--format=x")
  std::span<const std::string_view> no_flag;   // none of these
  std::string_view operand_holds;              // an operand contains this
};

struct ProgramRow {
  std::string_view program;
  std::span<const uint16_t> rows;  // indices into RuleRows(), in the order in which they are tried
};

// A command line that falls under a row (`holds`), or must not.
struct RuleExample {
  uint16_t row = 0;
  bool holds = true;
  std::string_view line;
};

std::span<const RuleRow> RuleRows();
std::span<const RuleExample> RuleExamples();  // ascending by row
std::span<const ProgramRow> ProgramRows();    // ascending by program

}  // namespace pith
