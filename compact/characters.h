// Classes of ASCII characters, whatever the locale. `using ascii::IsDigit;` where one is needed: kinds whose words or
// blanks are others say so by a name of their own.
#pragma once
#include <algorithm>
#include <string_view>

namespace pith::ascii {

constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return IsUpper(c) || IsLower(c); }
constexpr bool IsWord(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }
constexpr bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// `lower` is in small letters.
inline bool SameIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) { return Lower(a) == b; });
}

}  // namespace pith::ascii
