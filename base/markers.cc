#include "base/markers.h"

#include <algorithm>
#include <array>

#include "base/token.h"

namespace pith {
namespace {

constexpr std::array<std::string_view, 3> kRecoveryTools = {"tokenjuice_retrieve", "retrieve_tool_output",
                                                            "ccr_retrieve"};

struct StyleRow {
  MarkerStyle style;
  std::string_view name;
  std::string_view before_token;  // how the reader gets the original back
  std::string_view after_token;
};
constexpr std::array<StyleRow, 5> kStyles = {{
    {MarkerStyle::kMcp, "mcp", "tokenjuice_retrieve token \"", "\""},
    {MarkerStyle::kCli, "cli", "pith retrieve ", ""},
    {MarkerStyle::kCcr, "ccr", "ccr_retrieve <<ccr:", ">>"},
    {MarkerStyle::kTokenjuice, "tokenjuice", "tokenjuice_retrieve(\"", "\")"},
    {MarkerStyle::kDsh, "dsh", "ccr_retrieve hash=", ""},
}};
const StyleRow& RowOf(MarkerStyle style) { return kStyles[static_cast<size_t>(style)]; }

constexpr std::string_view kPartialOpening = "[PARTIAL view of ";
constexpr std::string_view kLosslessOpening = "[reformatted, nothing dropped; exact original";

bool IsHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool IsWordByte(char c) { return IsHex(c) || (c >= 'g' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Whether a token that starts at `at` stands behind one of the known openings, and closes as that form does.
bool NamedAt(std::string_view text, size_t at, size_t length) {
  auto before = [&](std::string_view opening) {
    return at >= opening.size() && text.substr(at - opening.size(), opening.size()) == opening;
  };
  std::string_view after = text.substr(at + length);
  if (before("tj:") || before("hash=") || before("ccr://")) return true;
  if (before("<<ccr:")) return after.starts_with(">>") || after.starts_with(" ") || after.starts_with(",");
  if (before("<<<CCR:")) return after.starts_with("|");
  for (std::string_view tool : kRecoveryTools) {
    for (char quote : {'"', '\''}) {
      std::string opening = std::string(tool) + "(" + quote;
      if (before(opening)) return after.starts_with(quote);
    }
  }
  if (before("pith retrieve ")) return true;
  if (before("token \"")) {
    size_t from = at > 96 + 7 ? at - 96 - 7 : 0;
    std::string_view window = text.substr(from, at - from);
    return after.starts_with("\"") &&
           std::any_of(kRecoveryTools.begin(), kRecoveryTools.end(),
                       [&](std::string_view tool) { return window.find(tool) != std::string_view::npos; });
  }
  return false;
}

std::string ExitLine(const FooterFacts& facts) {
  if (facts.signal) return "[command ended by signal " + std::to_string(*facts.signal) + "]\n";
  if (!facts.exit_code || *facts.exit_code == 0) return "";
  const std::string means = facts.exit_words.empty() ? "" : ": " + std::string(facts.exit_words);
  return "[exit code " + std::to_string(*facts.exit_code) + means + "]\n";
}

}  // namespace

std::optional<MarkerStyle> MarkerStyleNamed(std::string_view name) {
  for (const StyleRow& row : kStyles)
    if (row.name == name) return row.style;
  return std::nullopt;
}

std::string_view MarkerStyleName(MarkerStyle style) { return RowOf(style).name; }

std::string_view ViewClassName(ViewClass view_class) {
  switch (view_class) {
    case ViewClass::kExact:
      return "exact";
    case ViewClass::kLossless:
      return "lossless";
    case ViewClass::kPartial:
      return "partial";
  }
  return "partial";
}

std::string Footer(MarkerStyle style, const FooterFacts& facts) {
  if (facts.view_class == ViewClass::kExact) return "";
  const StyleRow& row = RowOf(style);
  std::string out = ExitLine(facts);
  if (facts.view_class == ViewClass::kLossless) {
    out += kLosslessOpening;
    if (facts.token.empty()) return out + " not kept (--memory-only)]";
    out += ": ";
  } else {
    out += kPartialOpening;
    out += std::to_string(facts.bytes) + " bytes, " + std::to_string(facts.lines) +
           (facts.lines == 1 ? " line" : " lines");
    if (facts.host_cut) out += " of what the host passed on";
    out += facts.token.empty() ? "; original not kept (--memory-only)]" : "; full original: ";
    if (facts.token.empty()) return out;
  }
  out += row.before_token;
  out += facts.token;
  out += row.after_token;
  out += ']';
  return out;
}

bool EndsInFooter(std::string_view text) {
  constexpr size_t kLongest = 4096;  // bytes of its lines, by far: what stands before plays no part
  if (text.size() > kLongest) text.remove_prefix(text.size() - kLongest);
  for (int line = 0; line < 3 && !text.empty(); ++line) {
    if (text.back() == '\n') text.remove_suffix(1);
    size_t start = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
    std::string_view last = text.substr(start);
    bool ours = (last.starts_with(kPartialOpening) || last.starts_with(kLosslessOpening)) && last.ends_with("]");
    if (ours && (!FindTokens(last).empty() || last.find("not kept (--memory-only)") != std::string_view::npos))
      return true;
    if (last.starts_with("<<<CCR:") && last.ends_with(">>>") && !FindTokens(last).empty()) return true;
    text = text.substr(0, start);
  }
  return false;
}

std::vector<std::string> FindTokens(std::string_view text) {
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size();) {
    if (!IsHex(text[at]) || (at > 0 && IsWordByte(text[at - 1]))) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && IsHex(text[end])) ++end;
    std::string_view run = text.substr(at, end - at);
    bool whole_word = end == text.size() || !IsWordByte(text[end]);
    if (whole_word && IsTokenShaped(run) && NamedAt(text, at, run.size()) &&
        std::find(found.begin(), found.end(), run) == found.end()) {
      found.emplace_back(run);
    }
    at = end;
  }
  return found;
}

std::optional<std::string> TokenFromArgument(std::string_view argument) {
  while (!argument.empty() && (argument.front() == ' ' || argument.front() == '\n')) argument.remove_prefix(1);
  while (!argument.empty() && (argument.back() == ' ' || argument.back() == '\n')) argument.remove_suffix(1);
  if (IsTokenShaped(argument)) return std::string(argument);
  std::vector<std::string> found = FindTokens(argument);
  if (found.empty()) return std::nullopt;
  return found.front();
}

bool IsRecoveryTool(std::string_view tool_name) {
  // Hosts put the server's name before it: mcp__pith__NAME, mcp_pith_NAME, pith_NAME, pith.NAME, pith/NAME.
  for (std::string_view name : kRecoveryTools) {
    if (!tool_name.ends_with(name)) continue;
    std::string_view before = tool_name.substr(0, tool_name.size() - name.size());
    if (before.empty() || std::string_view("_./:-").find(before.back()) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace pith
