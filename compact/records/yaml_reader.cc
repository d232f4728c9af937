// Four ways in which such a file is many of one: documents between "---" lines, [[tables]] of one name, a list whose
// items each take lines of their own, and a map whose entries do and have the same keys. The first that covers enough
// of the file is taken.
//
// A cell is a line with a value; its column is the path of keys above it, by indentation, with the items of inner lists
// counted as one. The name of a map's entry is a cell too.
#include "compact/records/yaml_reader.h"

#include <algorithm>
#include <optional>

namespace pith {
namespace {

constexpr size_t kLeastRecords = 4;
constexpr size_t kLongestKey = 80;
constexpr size_t kDeepest = 24;

bool KeyByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '/' || c == '$' || c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

// Length of a key at text[at], with its quotes; 0 if there is none.
size_t KeyLength(std::string_view text, size_t at) {
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
    size_t close = text.find(text[at], at + 1);
    return close == std::string_view::npos || close - at > kLongestKey ? 0 : close + 1 - at;
  }
  size_t end = at;
  while (end < text.size() && end - at < kLongestKey &&
         (KeyByte(text[end]) || (text[end] == ' ' && end > at && end + 1 < text.size() && KeyByte(text[end + 1])))) {
    ++end;
  }
  return end - at;
}

void SetValue(YamlLine& out, std::string_view line, size_t at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  size_t end = line.size();
  while (end > at && (line[end - 1] == ' ' || line[end - 1] == '\t')) --end;
  out.quoted = end - at >= 2 && (line[at] == '"' || line[at] == '\'') && line[end - 1] == line[at];
  out.value = {at + out.quoted, end - out.quoted};
}

bool IsBreakLine(std::string_view text) { return text == "---" || text == "..." || text.starts_with("--- "); }

}  // namespace

YamlLine ReadYamlLine(std::string_view line) {
  YamlLine out;
  size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos || line[at] == '\r') return out.form = YamlLine::Form::kBlank, out;
  if (line[at] == '#') return out.form = YamlLine::Form::kComment, out;
  if (at == 0 && IsBreakLine(line)) return out.form = YamlLine::Form::kBreak, out;
  out.indent = out.dash = static_cast<uint32_t>(at);
  if (line[at] == '[' && line.back() == ']' && line.find(',') == std::string_view::npos) {
    out.form = YamlLine::Form::kSection;
    size_t inner = line.find_first_not_of('[', at), close = line.find(']', at);
    if (inner == std::string_view::npos || inner >= close) return out.form = YamlLine::Form::kText, out;
    out.key = line.substr(inner, close - inner);
    return out;
  }
  while (at + 1 < line.size() && line[at] == '-' && line[at + 1] == ' ') {
    out.item = true;
    at = std::min(line.find_first_not_of(' ', at + 1), line.size());
  }
  if (at == line.size() || (line[at] == '-' && at + 1 == line.size())) out.item = true;
  out.indent = static_cast<uint32_t>(std::min(at, line.size()));
  size_t length = KeyLength(line, at);
  size_t after = at + length;
  if (length > 0 && after < line.size() && line[after] == ':' && (after + 1 == line.size() || line[after + 1] == ' ')) {
    bool quotes = line[at] == '"' || line[at] == '\'';
    out.form = YamlLine::Form::kKey;
    out.key = line.substr(at + quotes, length - 2 * size_t{quotes});
    SetValue(out, line, after + 1);
    return out;
  }
  size_t equals = line.find_first_not_of(' ', after);
  if (length > 0 && !out.item && equals != std::string_view::npos && line[equals] == '=') {
    out.form = YamlLine::Form::kAssignment;
    out.key = line.substr(at, length);
    SetValue(out, line, equals + 1);
    return out;
  }
  if (out.item) {
    out.form = YamlLine::Form::kKey;
    SetValue(out, line, std::min(at, line.size()));
  }
  return out;
}

namespace {

class YamlRecords : public Records {
 public:
  // `named`: each record begins with a line whose key is its name.
  YamlRecords(const Document& document, bool named) : document_(document), named_(named) {}

  void Cells(uint32_t record, std::vector<RecordCell>& out) const override {
    Walk(record, [&](uint64_t path, std::string_view, const YamlLine& line, uint64_t begin) {
      auto column = index_.find(path);
      if (column == index_.end() || line.value.size() == 0) return;
      out.push_back({column->second, {begin + line.value.begin, begin + line.value.end}, line.quoted});
    });
  }

  void NameColumns() {
    for (uint32_t record = 0; record < spans.size() && columns.size() < kMostColumns; ++record) {
      std::vector<std::pair<uint32_t, std::string_view>> keys;
      Walk(record, [&](uint64_t path, std::string_view key, const YamlLine& line, uint64_t) {
        while (!keys.empty() && keys.back().first >= line.indent) keys.pop_back();
        keys.push_back({line.indent, key});
        if (line.value.size() == 0 || columns.size() >= kMostColumns || index_.contains(path)) return;
        index_.emplace(path, static_cast<uint32_t>(columns.size()));
        std::string name;
        for (const auto& [indent, part] : keys) name += (name.empty() || part.empty() ? "" : ".") + std::string(part);
        columns.push_back(name.empty() && named_ ? "key" : std::move(name));
      });
    }
  }

  void Add(uint32_t first, uint32_t last) {
    Span span = document_.lines.Lines(first, last);
    spans.push_back({static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)});
  }

 private:
  // Calls `visit` for each keyed or listed line with the hash of its path.
  template <typename Visit>
  void Walk(uint32_t record, Visit visit) const {
    struct Level {
      uint32_t indent;
      uint64_t hash;
    };
    std::vector<Level> levels;
    uint32_t last = document_.lines.LineAt(spans[record].end - 1ull);
    const uint32_t first = document_.lines.LineAt(spans[record].begin);
    for (uint32_t line = first; line <= last; ++line) {
      YamlLine parsed = ReadYamlLine(document_.Text(line));
      if (named_ && line == first) {
        const auto begin = static_cast<uint64_t>(parsed.key.data() - document_.Text(line).data());
        parsed.value = {begin, begin + parsed.key.size()};
        parsed.key = {};
      }
      if (parsed.form != YamlLine::Form::kKey && parsed.form != YamlLine::Form::kAssignment) continue;
      if (OpensBlock(line, parsed)) parsed.value = BlockValue(line, last, parsed.indent);
      while (!levels.empty() && levels.back().indent >= parsed.indent) levels.pop_back();
      uint64_t hash = MixHashes(levels.empty() ? 0 : levels.back().hash, HashText(parsed.key));
      if (levels.size() < kDeepest) levels.push_back({parsed.indent, hash});
      visit(hash, parsed.key, parsed, document_.lines.Line(line).begin);
    }
  }

  // "run: |": the value is the text below.
  bool OpensBlock(uint32_t line, const YamlLine& parsed) const {
    const std::string_view value = document_.Text(line).substr(parsed.value.begin, parsed.value.size());
    return !parsed.quoted && (value.starts_with('|') || value.starts_with('>')) &&
           value.find_first_not_of("|>+-0123456789") == std::string_view::npos;
  }

  // The text of a block of one line, from where `line` begins; none of a longer one, which no summary can say.
  Span BlockValue(uint32_t line, uint32_t last, uint32_t indent) const {
    std::optional<uint32_t> only;
    for (uint32_t below = line + 1; below <= last; ++below) {
      const std::string_view text = document_.Text(below);
      const size_t begin = text.find_first_not_of(' ');
      if (begin == std::string_view::npos) continue;
      if (begin <= indent) break;
      if (only) return {};
      only = below;
    }
    if (!only) return {};
    const std::string_view text = document_.Text(*only);
    const uint64_t offset = document_.lines.Line(*only).begin - document_.lines.Line(line).begin;
    return {offset + text.find_first_not_of(' '), offset + text.size()};
  }

  const Document& document_;
  bool named_;
  std::unordered_map<uint64_t, uint32_t> index_;  // path to column
};

// Lines at which records begin, and the line after the last.
struct Starts {
  std::vector<uint32_t> lines;
  uint32_t end = 0;

  uint64_t Bytes(const Document& document) const {
    return lines.empty() || end <= lines.front() ? 0 : document.lines.Lines(lines.front(), end - 1).size();
  }
};

Starts DocumentStarts(const Document& document) {
  Starts starts;
  starts.end = document.line_count();
  bool content = false;
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    YamlLine::Form form = ReadYamlLine(document.Text(line)).form;
    if (form == YamlLine::Form::kBreak) {
      if (starts.lines.empty() && content) starts.lines.push_back(0);
      starts.lines.push_back(line);
    }
    content |= form == YamlLine::Form::kKey;
  }
  return starts;
}

// [[tables]] of the commonest name, each with what follows it up to the next of them.
Starts SectionStarts(const Document& document) {
  std::unordered_map<std::string_view, uint32_t> names;
  std::string_view best;
  std::vector<std::pair<uint32_t, std::string_view>> sections;
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    YamlLine parsed = ReadYamlLine(document.Text(line));
    if (parsed.form != YamlLine::Form::kSection) continue;
    sections.push_back({line, parsed.key});
    if (++names[parsed.key] > (best.empty() ? 0 : names[best])) best = parsed.key;
  }
  Starts starts;
  for (const auto& [line, name] : sections) {
    if (name == best)
      starts.lines.push_back(line);
    else if (!starts.lines.empty() && !name.starts_with(best) && starts.end == 0)
      starts.end = line;
  }
  if (starts.end == 0) starts.end = document.line_count();
  while (!starts.lines.empty() && starts.lines.back() >= starts.end) starts.lines.pop_back();
  return starts;
}

// Of the runs of lines at one indent, unbroken by anything as little indented, the one that takes most bytes.
// `begins(line)`: whether a line begins a record; `are_records(starts)`: whether those of a run are worth it.
template <typename Begins, typename AreRecords>
Starts LargestRun(const Document& document, Begins begins, AreRecords are_records) {
  std::vector<Starts> open;  // by growing indent
  std::vector<uint32_t> indents;
  Starts best;
  uint64_t best_bytes = 0;
  auto close = [&](uint32_t line) {
    open.back().end = line;
    const uint64_t bytes = open.back().lines.size() < kLeastRecords ? 0 : open.back().Bytes(document);
    if (bytes > best_bytes && are_records(open.back())) {
      best_bytes = bytes;
      best = std::move(open.back());
    }
    open.pop_back();
    indents.pop_back();
  };
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    const YamlLine parsed = ReadYamlLine(document.Text(line));
    if (parsed.form == YamlLine::Form::kBlank || parsed.form == YamlLine::Form::kComment) continue;
    const bool begun = begins(parsed);
    const uint32_t indent = parsed.item ? parsed.dash : parsed.indent;
    while (!indents.empty() && (indents.back() > indent || (indents.back() == indent && !begun))) close(line);
    if (!begun) continue;
    if (indents.empty() || indents.back() < indent) {
      if (indents.size() >= kDeepest) continue;
      indents.push_back(indent);
      open.emplace_back();
    }
    open.back().lines.push_back(line);
  }
  while (!open.empty()) close(document.line_count());
  return best;
}

// Items with dashes.
Starts ListStarts(const Document& document) {
  return LargestRun(
      document, [](const YamlLine& line) { return line.item; }, [](const Starts&) { return true; });
}

// Calls `visit` with the hash of each key that stands directly under the first line of a record.
template <typename Visit>
void ForEachChild(const Document& document, const Starts& starts, Visit visit) {
  for (size_t record = 0; record < starts.lines.size(); ++record) {
    const uint32_t end = record + 1 < starts.lines.size() ? starts.lines[record + 1] : starts.end;
    std::optional<uint32_t> indent;
    for (uint32_t line = starts.lines[record] + 1; line < end; ++line) {
      const YamlLine parsed = ReadYamlLine(document.Text(line));
      if (parsed.form != YamlLine::Form::kKey || parsed.item) continue;
      if (!indent) indent = parsed.indent;
      if (parsed.indent == *indent) visit(HashText(parsed.key));
    }
  }
}

// Whether most keys in the entries of a map are keys that at least half of the entries have.
bool EntriesAreAlike(const Document& document, const Starts& starts) {
  std::unordered_map<uint64_t, uint32_t> counts;
  ForEachChild(document, starts, [&](uint64_t key) { ++counts[key]; });
  uint64_t all = 0, shared = 0;
  for (const auto& [key, count] : counts) {
    all += count;
    if (count * 2 >= starts.lines.size()) shared += count;
  }
  return all >= starts.lines.size() && shared * 5 >= all * 3;
}

// Keys without a value of their own, in entries that are alike.
Starts MapStarts(const Document& document) {
  return LargestRun(
      document,
      [](const YamlLine& line) { return line.form == YamlLine::Form::kKey && !line.item && line.value.size() == 0; },
      [&](const Starts& starts) { return EntriesAreAlike(document, starts); });
}

}  // namespace

std::unique_ptr<Records> ReadYamlRecords(const Document& document, uint64_t share) {
  for (Starts (*find)(const Document&) : {&DocumentStarts, &SectionStarts, &ListStarts, &MapStarts}) {
    Starts starts = find(document);
    if (starts.lines.size() < kLeastRecords || starts.Bytes(document) * 100 < document.bytes.size() * share) continue;
    auto records = std::make_unique<YamlRecords>(document, find == &MapStarts);
    for (size_t i = 0; i < starts.lines.size(); ++i) {
      uint32_t end = i + 1 < starts.lines.size() ? starts.lines[i + 1] : starts.end;
      if (end > starts.lines[i]) records->Add(starts.lines[i], end - 1);
    }
    records->NameColumns();
    if (records->columns.empty() || records->spans.size() < kLeastRecords) continue;
    if (records->spans.size() * 2 > document.line_count()) continue;  // items of one line: the skeleton says more
    return records;
  }
  return nullptr;
}

}  // namespace pith
