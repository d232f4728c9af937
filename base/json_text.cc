// The library reads any depth, but copies and writes values by recursion: a text of a few hundred thousand brackets
// would end the process. So nesting is counted before anything is read; no document that we are for comes near the
// bound.
#include "base/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pith {
namespace {

constexpr size_t kDeepest = 500;

// Where the string or comment that begins at `at` ends; `at` itself if none does.
size_t BehindText(std::string_view text, size_t at, bool comments) {
  if (text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    return std::min(at + 1, text.size());
  }
  if (!comments || text[at] != '/' || at + 1 == text.size()) return at;
  const bool line = text[at + 1] == '/';
  if (!line && text[at + 1] != '*') return at;
  const size_t end = line ? text.find('\n', at) : text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + (line ? 1 : 2);
}

bool IsTooDeep(std::string_view text, bool comments) {
  size_t depth = 0;
  for (size_t at = 0; at < text.size();) {
    if (const size_t behind = BehindText(text, at, comments); behind != at) {
      at = behind;
      continue;
    }
    const char c = text[at++];
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > kDeepest) return true;
  }
  return false;
}

template <typename Json>
Json Read(std::string_view text, bool comments) {
  if (IsTooDeep(text, comments)) return Json(nlohmann::detail::value_t::discarded);
  return Json::parse(text, nullptr, false, comments);
}

}  // namespace

nlohmann::json ParseJson(std::string_view text) { return Read<nlohmann::json>(text, false); }
nlohmann::json ParseJsonWithComments(std::string_view text) { return Read<nlohmann::json>(text, true); }
nlohmann::ordered_json ParseOrderedJson(std::string_view text) { return Read<nlohmann::ordered_json>(text, false); }

std::string JsonText(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string JsonText(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pith
