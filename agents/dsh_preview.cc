// Typing and preview lines of the contract. A preview is `[type:field | field | free text]`: the free text stands last,
// so that what is in it does no harm, and is the part that is cut when the line is too long.
#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "agents/dsh.h"
#include "base/json_text.h"
#include "base/utf8.h"

namespace pith {
namespace {

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

// Escape sequences dropped; controls and runs of blanks are one blank; trimmed.
std::string Clean(std::string_view text) {
  std::string out;
  bool blank = false;
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x1b) {
      ++i;
      if (i < text.size() && text[i] == '[') {
        ++i;
        while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
      } else if (i < text.size() && text[i] == ']') {
        while (i < text.size() && text[i] != '\a' && text[i] != 0x1b) ++i;
      }
      if (i < text.size()) ++i;
      continue;
    }
    const bool c1 = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool separator = text.compare(i, 3, "\xe2\x80\xa8") == 0 || text.compare(i, 3, "\xe2\x80\xa9") == 0;
    if (c <= 0x20 || c == 0x7f || c1 || separator) {
      blank = true;
      i += separator ? 3 : (c1 ? 2 : 1);
      continue;
    }
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += text[i++];
  }
  return out;
}

bool IsMeaningful(std::string_view cleaned) {
  return std::any_of(cleaned.begin(), cleaned.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; });
}

std::string FirstMeaningful(const std::vector<std::string_view>& lines) {
  for (std::string_view line : lines) {
    std::string cleaned = Clean(line);
    if (IsMeaningful(cleaned)) return cleaned;
  }
  return {};
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

// "3 failed" with a number above zero, anywhere.
bool HasFailures(std::string_view line) {
  for (size_t at = line.find(" failed"); at != std::string_view::npos; at = line.find(" failed", at + 1)) {
    size_t begin = at;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])) != 0) --begin;
    if (line.substr(begin, at - begin).find_first_not_of('0') != std::string_view::npos) return true;
  }
  return false;
}

// A word that ends in Error, or is Exception, directly before a colon.
bool NamesError(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    size_t begin = colon;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == '_'))
      --begin;
    const std::string_view word = line.substr(begin, colon - begin);
    if (word.ends_with("Error") || word == "Exception") return true;
  }
  return false;
}

bool IsErrorLine(std::string_view cleaned) {
  if (StartsWithAny(cleaned, {"error:", "error[", "Error:", "ERROR", "Traceback (most recent call last)", "panicked at",
                              "FATAL", "fatal:"})) {
    return true;
  }
  return NamesError(cleaned) || cleaned.find("FAILED") != std::string_view::npos || HasFailures(cleaned);
}

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::optional<OrderedJson> AsJson(std::string_view payload) {
  const std::string trimmed = Trimmed(payload);
  if (trimmed.empty() || (trimmed[0] != '{' && trimmed[0] != '[')) return std::nullopt;
  OrderedJson parsed = ParseOrderedJson(trimmed);
  if (parsed.is_discarded()) return std::nullopt;
  return parsed;
}

// "path:12:" at the beginning: the length up to the second colon, 0 if it is none.
size_t MatchPlace(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return 0;
  size_t at = colon + 1;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  return at > colon + 1 && at < line.size() && line[at] == ':' ? at : 0;
}

bool LooksLikePath(std::string_view line) {
  if (line.empty() || line.find_first_of(" \t") != std::string_view::npos) return false;
  const size_t dot = line.find('.', 1);
  return line.find('/') != std::string_view::npos || (dot != std::string_view::npos && dot + 1 < line.size());
}

std::optional<std::string> StatusOf(std::string_view cleaned) {
  const auto within = [&](std::string_view begin) -> std::optional<std::string> {
    if (!cleaned.starts_with(begin) || !cleaned.ends_with("]")) return std::nullopt;
    return std::string(cleaned.substr(begin.size(), cleaned.size() - begin.size() - 1));
  };
  if (auto code = within("[exit code: ")) return code;
  if (auto signal = within("[killed by signal: ")) return "signal " + *signal;
  if (within("[timed out after ")) return "timeout";
  return std::nullopt;
}

DshType TypeByContent(const std::vector<std::string_view>& lines) {
  size_t full = 0, places = 0, paths = 0;
  for (std::string_view line : lines) {
    if (Trimmed(line).empty()) continue;
    ++full;
    places += MatchPlace(line) > 0 ? 1 : 0;
    paths += LooksLikePath(line) ? 1 : 0;
  }
  if (places >= 2 && places * 2 >= full) return DshType::kGrep;
  if (paths >= 3 && paths * 2 >= full) return DshType::kPaths;
  if (!lines.empty() && Clean(lines.back()).starts_with("[exit code: ")) return DshType::kTerminal;
  return DshType::kDefault;
}

std::optional<DshType> TypeByTool(std::string_view tool) {
  struct Row {
    std::string_view tool;
    DshType type;
  };
  static constexpr std::array<Row, 8> kRows = {{{"bash", DshType::kTerminal},
                                                {"grep", DshType::kGrep},
                                                {"search", DshType::kGrep},
                                                {"glob", DshType::kPaths},
                                                {"list", DshType::kPaths},
                                                {"read", DshType::kFile},
                                                {"web_fetch", DshType::kWeb},
                                                {"web_search", DshType::kWeb}}};
  for (const Row& row : kRows) {
    if (row.tool == tool) return row.type;
  }
  return std::nullopt;
}

// --- The fields of each type: what stands before the free text, and the free text ---

struct Fields {
  std::vector<std::string> fixed;
  std::string free;
};

std::string Count(size_t n, const char* noun) { return std::to_string(n) + " " + noun; }

Fields Terminal(const std::vector<std::string_view>& lines) {
  std::string code = "0", last;
  if (!lines.empty()) code = StatusOf(Clean(lines.back())).value_or("0");
  for (auto line = lines.rbegin(); line != lines.rend() && last.empty(); ++line) {
    std::string cleaned = Clean(*line);
    if (IsMeaningful(cleaned) && !StatusOf(cleaned)) last = std::move(cleaned);
  }
  return {{"exit " + code, Count(lines.size(), "lines")}, last.empty() ? "(no output)" : last};
}

Fields Errors(const std::vector<std::string_view>& lines) {
  std::string last;
  for (std::string_view line : lines) {
    std::string cleaned = Clean(line);
    if (IsErrorLine(cleaned)) return {{Count(lines.size(), "lines")}, cleaned};
    if (IsMeaningful(cleaned)) last = std::move(cleaned);
  }
  return {{Count(lines.size(), "lines")}, last};
}

// The number in "Found M matches" or "Found K of M matches".
std::optional<size_t> FoundMatches(std::string_view header) {
  if (!header.starts_with("Found ")) return std::nullopt;
  const size_t end = header.find(" matches");
  if (end == std::string_view::npos) return std::nullopt;
  size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(header[begin - 1])) != 0) --begin;
  if (begin == end || end - begin > 9) return std::nullopt;
  return std::stoul(std::string(header.substr(begin, end - begin)));
}

Fields Grep(const std::vector<std::string_view>& lines) {
  size_t matches = 0;
  std::map<std::string_view, size_t> files;
  std::string first, file;
  const std::optional<size_t> header = lines.empty() ? std::nullopt : FoundMatches(Clean(lines[0]));
  for (size_t i = header ? 1 : 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (const size_t place = MatchPlace(line); place > 0) {
      ++matches;
      ++files[line.substr(0, line.find(':'))];
      if (first.empty()) first = Clean(line.substr(0, place));
    } else if (header && line.ends_with(":") && !line.starts_with(" ")) {
      file = Clean(line.substr(0, line.size() - 1));
      ++files[line.substr(0, line.size() - 1)];
    } else if (header && first.empty() && !file.empty()) {
      const std::string cleaned = Clean(line);
      const size_t colon = cleaned.find(':');
      const bool numbered = StartsWithAny(cleaned, {"Line ", "line "}) && colon != std::string::npos;
      first = numbered ? file + ":" + cleaned.substr(5, colon - 5) : file;
    }
  }
  return {{Count(header.value_or(matches), "matches"), Count(files.size(), "files")}, first};
}

Fields Paths(const std::vector<std::string_view>& lines) {
  size_t count = 0;
  std::map<std::string, size_t> suffixes;
  std::string first;
  for (std::string_view line : lines) {
    const std::string cleaned = Clean(line);
    if (cleaned.empty()) continue;
    if (cleaned.starts_with("(") && cleaned.ends_with(")") && &line == &lines.back()) {
      const size_t of = cleaned.find(" of ");
      if (of != std::string::npos && cleaned.find(" paths", of) != std::string::npos) {
        count = std::strtoul(cleaned.c_str() + of + 4, nullptr, 10);
      }
      continue;
    }
    ++count;
    if (first.empty()) first = cleaned;
    const std::string base = cleaned.substr(cleaned.rfind('/') + 1);
    const size_t dot = base.rfind('.');
    ++suffixes[dot == std::string::npos || dot == 0 ? "no suffix" : base.substr(dot)];
  }
  std::vector<std::pair<std::string, size_t>> ranked(suffixes.begin(), suffixes.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string extensions;
  for (size_t i = 0; i < ranked.size() && i < 3; ++i) {
    extensions += (i > 0 ? ", " : "") + ranked[i].first + " x" + std::to_string(ranked[i].second);
  }
  return {{Count(count, "paths"), extensions}, first};
}

// The host numbers the lines of a read: "12: text".
std::string WithoutNumber(const std::string& line) {
  size_t at = 0;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) ++at;
  return at > 0 && line.compare(at, 2, ": ") == 0 ? line.substr(at + 2) : line;
}

// The total in "total N lines" or "of N" of the envelope's last lines.
std::optional<size_t> TotalOf(std::string_view payload) {
  const std::string_view tail = payload.substr(payload.size() > 300 ? payload.size() - 300 : 0);
  for (std::string_view before : {std::string_view("total "), std::string_view(" of ")}) {
    const size_t at = tail.rfind(before);
    if (at == std::string_view::npos) continue;
    const size_t begin = at + before.size();
    size_t end = begin;
    while (end < tail.size() && std::isdigit(static_cast<unsigned char>(tail[end])) != 0) ++end;
    if (end > begin && end - begin < 10) return std::stoul(std::string(tail.substr(begin, end - begin)));
  }
  return std::nullopt;
}

Fields FileFields(const DshCall& call, const std::vector<std::string_view>& lines) {
  std::string path = call.path;
  const size_t open = call.payload.find("<path>");
  const size_t close = open == std::string::npos ? open : call.payload.find("</path>", open);
  const bool envelope = close != std::string::npos;
  if (path.empty() && envelope) path = call.payload.substr(open + 6, close - open - 6);
  std::string first;
  for (std::string_view line : lines) {
    std::string cleaned = Clean(line);
    if (!IsMeaningful(cleaned) || cleaned.starts_with("<")) continue;
    first = WithoutNumber(cleaned);
    if (IsMeaningful(first)) break;
  }
  const size_t total = envelope ? TotalOf(call.payload).value_or(lines.size()) : lines.size();
  return {{path.empty() ? "?" : Clean(path), Count(total, "lines")}, first};
}

Fields JsonFields(const OrderedJson& value) {
  const bool array = value.is_array();
  const OrderedJson* keyed = &value;
  if (array) keyed = value.empty() ? nullptr : &value[0];
  std::string names;
  if (keyed != nullptr && keyed->is_object()) {
    size_t shown = 0;
    for (const auto& [key, ignored] : keyed->items()) {
      if (shown == 8) break;
      names += (shown++ > 0 ? ", " : "") + Clean(key);
    }
    if (keyed->size() > 8) names += " +" + std::to_string(keyed->size() - 8) + " more";
  }
  return {{array ? "array" : "object", Count(value.size(), array ? "items" : "keys")}, names.empty() ? "-" : names};
}

Fields Web(const DshCall& call, const std::vector<std::string_view>& lines) {
  std::string source = call.queries;
  if (!call.url.empty()) {
    const size_t scheme = call.url.find("://");
    const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    source = call.url.substr(begin, call.url.find_first_of("/?#:", begin) - begin);
  }
  std::string title;
  for (std::string_view line : lines) {
    const std::string cleaned = Clean(line);
    if (cleaned.starts_with("#")) {
      title = cleaned.substr(std::min(cleaned.find_first_not_of("# "), cleaned.size()));
      if (!title.empty()) break;
    }
  }
  for (size_t i = 0; title.empty() && i < lines.size(); ++i) {
    const std::string cleaned = Clean(lines[i]);
    if (IsMeaningful(cleaned) && !cleaned.starts_with("Fetched ")) title = cleaned;
  }
  return {{Clean(source), Count(lines.size(), "lines")}, title};
}

Fields FieldsOf(DshType type, const DshCall& call) {
  const std::vector<std::string_view> lines = Lines(call.payload);
  switch (type) {
    case DshType::kTerminal:
      return Terminal(lines);
    case DshType::kError:
      return Errors(lines);
    case DshType::kGrep:
      return Grep(lines);
    case DshType::kPaths:
      return Paths(lines);
    case DshType::kFile:
      return FileFields(call, lines);
    case DshType::kJson:
      if (const std::optional<OrderedJson> value = AsJson(call.payload)) return JsonFields(*value);
      break;
    case DshType::kWeb:
      return Web(call, lines);
    case DshType::kDefault:
      break;
  }
  return {{Count(lines.size(), "lines"), Count(call.payload.size(), "bytes")}, FirstMeaningful(lines)};
}

// The first `count` code points.
std::string Cut(const std::string& text, size_t count) {
  size_t at = 0;
  while (at < text.size() && count > 0) {
    at += std::max<size_t>(1, Utf8SequenceLength(text, at));
    --count;
  }
  return text.substr(0, at);
}

}  // namespace

std::string_view DshTypeName(DshType type) {
  static constexpr std::array<std::string_view, 8> kNames = {"terminal", "error", "grep", "paths",
                                                             "file",     "json",  "web",  "default"};
  return kNames[static_cast<size_t>(type)];
}

DshType DshTypeOf(const DshCall& call) {
  if (call.is_error) return DshType::kError;
  if (AsJson(call.payload)) return DshType::kJson;
  const std::vector<std::string_view> lines = Lines(call.payload);
  const std::optional<DshType> by_tool = TypeByTool(call.tool);
  if ((!by_tool || *by_tool == DshType::kTerminal) && IsErrorLine(FirstMeaningful(lines))) return DshType::kError;
  return by_tool ? *by_tool : TypeByContent(lines);
}

std::string DshPreview(DshType type, const DshCall& call, uint64_t max_chars) {
  const Fields fields = FieldsOf(type, call);
  std::string line = "[" + std::string(DshTypeName(type)) + ":";
  for (const std::string& field : fields.fixed) line += field + " | ";
  line += fields.free + "]";
  if (CountCodePoints(line) <= max_chars) return line;
  return Cut(line, max_chars - 4) + "...]";
}

std::string DshReplacement(DshType type, const DshCall& call, const std::string& hash, uint64_t max_chars) {
  return DshPreview(type, call, max_chars) + "\n<<<CCR:" + hash + "|" + std::string(DshTypeName(type)) + "|" +
         std::to_string(call.payload.size()) + ">>>";
}

}  // namespace pith
