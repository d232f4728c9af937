// Command rules in the form in which they are looked up. The built-in ones are constant data that the generator writes
// (compact/rules/generate.cc): nothing is read at start. A user's own are a RuleBook's.
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
  std::span<const uint16_t> rows;  // indices into the rows, in the order in which they are tried
};

// A command line that falls under a row (`holds`), or must not.
struct RuleExample {
  uint16_t row = 0;
  bool holds = true;
  std::string_view line;
};

struct RuleTable {
  std::span<const RuleRow> rows;
  std::span<const ProgramRow> programs;   // ascending by program
  std::span<const RuleExample> examples;  // ascending by row
};

const RuleTable& BuiltInRules();

}  // namespace pith
