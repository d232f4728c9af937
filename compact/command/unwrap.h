// What stands in front of the program that really prints: sudo, timeout, env, npx, poetry run, docker exec, python -m.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

struct Unwrapped {
  std::vector<std::string> argv;      // program first, named by its base name
  std::optional<std::string> script;  // set: a shell line of its own (`bash -lc '...'`, `ssh host '...'`)
};

// Takes wrappers off the front, one after another. Empty argv and no script: nothing was left.
Unwrapped Unwrap(std::vector<std::string> words);

// "/usr/bin/python3.11" -> "python", "./gradlew" -> "gradle", "g++-12" -> "g++".
std::string ProgramName(std::string_view word);

// The first `limit` words after the program that are no options, leaving out values of options known to take one.
std::vector<std::string_view> Operands(const std::vector<std::string>& argv, size_t limit);

}  // namespace pith
