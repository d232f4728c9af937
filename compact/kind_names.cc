#include <array>

#include "compact/compact.h"

namespace pith {
namespace {

constexpr std::array<std::string_view, kKindCount> kNames = {
    "text",       "log",  "test_run", "build", "search", "diff",     "listing", "table",  "json",
    "json_lines", "yaml", "xml",      "code",  "html",   "markdown", "package", "binary",
};

}  // namespace

std::string_view KindName(Kind kind) { return kNames[static_cast<size_t>(kind)]; }

std::optional<Kind> KindNamed(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Kind>(i);
  return std::nullopt;
}

}  // namespace pith
