// Parts are what separators of any runner leave: `::`, ` > `, ` › `, `#`, `/`, `.`. Hashes run from the last part to
// the first, so that every ending of a name is a prefix of the hash's course and a name's endings cost one pass.
#include "compact/test_run/names.h"

#include <array>
#include <string>

#include "compact/begins.h"
#include "compact/characters.h"

namespace pith {
namespace {

constexpr size_t kMostParts = 16;
constexpr size_t kMostEndings = 1 << 18;  // of all names; beyond, a name may be said twice
constexpr std::string_view kBefore[] = {"ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting "};

using ascii::IsBlank;
using ascii::IsDigit;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr auto kSeparators = TextTable(" \xE2\x80\xBA ", " > ", " >> ", "::", " \xC2\xBB ");
constexpr auto kAfter = TextTable(" - ", ", where ", " (Failed)", " (Timeout)", " -- ");

constexpr bool EndsSeparator(char c) { return c == ' ' || c == ':' || c == '.' || c == '/' || c == '#' || c == '\\'; }

// Length of the separator that ends at `end`, where the byte before it ends one; 0 if there is none.
size_t SeparatorBefore(std::string_view name, size_t end) {
  const char last = name[end - 1];
  std::string_view left = name.substr(0, end);
  for (std::string_view separator : kSeparators) {
    if (Ends(left, separator)) return separator.size();
  }
  return last == ' ' ? 0 : 1;
}

// Calls take(hash) for every ending of the name, shortest first.
template <typename Take>
void ForEachEnding(std::string_view name, Take take) {
  uint64_t hash = 0xcbf29ce484222325u;
  size_t parts = 0;
  bool open = false;
  for (size_t end = name.size(); end > 0;) {
    const size_t separator = EndsSeparator(name[end - 1]) ? SeparatorBefore(name, end) : 0;
    if (separator > 0) {
      if (open && ++parts <= kMostParts) take(hash);
      if (open) hash = (hash ^ 0x1f) * 0x100000001b3u;
      open = false;
      end -= separator;
      continue;
    }
    hash = (hash ^ static_cast<unsigned char>(name[--end])) * 0x100000001b3u;
    open = true;
  }
  if (open) take(hash);
}

}  // namespace

std::string_view CleanTestName(std::string_view name) {
  name = Trim(name);
  for (std::string_view before : kBefore)
    if (Begins(name, before)) name.remove_prefix(before.size());
  size_t digits = 0;
  while (digits < name.size() && IsDigit(name[digits])) ++digits;
  if (digits > 0) {
    std::string_view rest = name.substr(digits);
    if (rest.starts_with(" - ")) name = rest.substr(3);  // TAP, ctest's list
    if (rest.starts_with("/")) {                         // ctest's rows: 8/20 Test  #8: name ....
      size_t colon = rest.find(": ");
      if (colon != std::string_view::npos && rest.find("Test") < colon) name = rest.substr(colon + 2);
    }
  }
  for (std::string_view after : kAfter) {
    if (name.find(' ') == std::string_view::npos) break;
    size_t at = name.find(after);
    if (at != std::string_view::npos && at > 0 && (after != " - " || name.find("::") < at)) name = name.substr(0, at);
  }
  name = Trim(name);
  while (name.ends_with(".") || name.ends_with("()") || IsBlank(name.empty() ? 'x' : name.back())) {
    name.remove_suffix(name.ends_with("()") ? 2 : 1);
  }
  if (name.size() > 2 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
  return name;
}

uint64_t TestNameHash(std::string_view name) {
  uint64_t last = 0;
  ForEachEnding(CleanTestName(name), [&](uint64_t hash) { last = hash; });
  return last;
}

void ShownNames::Add(std::string_view name) {
  ForEachEnding(CleanTestName(name), [this](uint64_t hash) {
    if (endings_.size() < kMostEndings) endings_.insert(hash);
  });
}

bool ShownNames::AddUnlessCovered(std::string_view name) {
  std::array<uint64_t, kMostParts + 1> endings;
  size_t count = 0;
  ForEachEnding(CleanTestName(name), [&](uint64_t hash) { endings[count++] = hash; });
  if (count > 0 && endings[count - 1] != 0 && endings_.contains(endings[count - 1])) return false;
  for (size_t i = 0; i < count && endings_.size() < kMostEndings; ++i) endings_.insert(endings[i]);
  return true;
}

}  // namespace pith
