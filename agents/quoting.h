// Words for a POSIX shell.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace pith {

// As it stands where that is safe, else in single quotes.
std::string ShellQuoted(std::string_view word);

// The words as a line that a shell reads back as the same words.
std::string ShellLine(std::span<const std::string> words);

}  // namespace pith
