// Reading search results. The forms in use differ in small things:
//
//   src/all.rs:651:    let x     grep -n, rg -n, git grep -n, ag; with --column "651:9:"
//   src/all.rs-650-              context of the same
//   src/all.rs:    let x         grep -r without -n
//   src/all.rs                   rg --heading, ag on a terminal; below it "651:    let x" or "650-"
//   651:    let x                one file only
//   Line 651: let x, L651: ...   agents' search tools, under "Found 3 matches for ..." or a heading
//   src/all.rs, src/all.rs:3, src/all.rs (3 matches)     grep -l, grep -c, agents' lists
//
// Where the path ends is the hard question, since paths and bodies hold colons too (C:\x.cs:10:, logs/a:5:b.log:7:).
// The left-most ":digits:" is right nearly always. It is wrong when it gives the same path and number twice in a row,
// for a line is printed once; then the next split is taken, if what lies between still reads as a path. A context line
// is understood only when a match names the same path, for dashes stand in many paths. Clock times are no line numbers.
#include "compact/search/lines.h"

#include <algorithm>
#include <unordered_set>

#include "compact/characters.h"

namespace pith {
namespace {

using Type = SearchLine::Type;

using ascii::IsDigit;
using ascii::IsLetter;
using ascii::Lower;

constexpr size_t kLongestPath = 4096;
constexpr size_t kLongestNumber = 9;

struct Split {
  size_t path = 0, body = 0;  // body 0: none found
  uint32_t number = 0;
};

// Reads digits at text[at]; `end` is where they end. False if there are none or too many.
bool ReadNumber(std::string_view text, size_t at, size_t& end, uint32_t& number) {
  end = at;
  number = 0;
  while (end < text.size() && IsDigit(text[end]) && end - at <= kLongestNumber) {
    number = number * 10 + static_cast<uint32_t>(text[end] - '0');
    ++end;
  }
  return end > at && end - at <= kLongestNumber;
}

// The next "sep digits sep" at or after `from`.
Split NextSplit(std::string_view line, size_t from, char separator) {
  std::string_view head = line.substr(0, kLongestPath);
  for (size_t at = head.find(separator, from); at != std::string_view::npos; at = head.find(separator, at + 1)) {
    Split split;
    size_t end = 0;
    if (at > 0 && ReadNumber(line, at + 1, end, split.number) && end < line.size() && line[end] == separator) {
      split.path = at;
      split.body = end + 1;
      return split;
    }
  }
  return {};
}

// "10:30:45", "2026-05-01T10": digits and what stands between them in dates.
bool IsClock(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsDigit(c) || c == '-' || c == '/' || c == 'T' || c == ' ' || c == '[' || c == '.';
  });
}

bool StartsDrive(std::string_view text) {
  return text.size() > 2 && IsLetter(text[0]) && text[1] == ':' && (text[2] == '\\' || text[2] == '/');
}

// Passes over one document.
class Reader {
 public:
  Reader(const Document& document, uint32_t first, uint32_t last) : document_(document), first_(first) {
    if (document.line_count() > 0) text_.lines.resize(last - first + 1);
  }

  SearchText Read() {
    for (size_t i = 0; i < text_.lines.size(); ++i) ReadMatch(i);
    for (size_t i = 0; i < text_.lines.size(); ++i) ReadContext(i);
    if (numbered_ * 2 < text_.lines.size()) ReadUnnumbered();
    for (size_t i = 0; i < text_.lines.size(); ++i) ReadRest(i);
    ReadHeadings();
    Count();
    return std::move(text_);
  }

 private:
  std::string_view LineText(size_t i) const { return document_.Text(first_ + static_cast<uint32_t>(i)); }
  std::string_view PathOf(size_t i) const { return LineText(i).substr(0, text_.lines[i].path); }

  void Set(size_t i, Type type, const Split& split) {
    SearchLine& line = text_.lines[i];
    line.type = type;
    line.path = static_cast<uint32_t>(split.path);
    line.body = static_cast<uint32_t>(split.body);
    line.number = split.number;
    line.has_number = true;
  }

  // path:12:body
  void ReadMatch(size_t i) {
    std::string_view line = LineText(i);
    Split split = NextSplit(line, StartsDrive(line) ? 2 : 0, ':');
    if (!split.body) return;
    if (i > 0 && text_.lines[i - 1].type == Type::kMatch) {
      std::string_view before = PathOf(i - 1);
      if (line.size() > before.size() && line.starts_with(before) && before.size() > split.path) {
        Split same = NextSplit(line, before.size(), ':');
        if (same.body && same.path == before.size()) split = same;
      } else if (before == line.substr(0, split.path) && text_.lines[i - 1].number == split.number) {
        split = Longer(line, split);
        if (split.path != text_.lines[i - 1].path) Reread(i - 1);
      }
    }
    const std::string_view path = line.substr(0, split.path);
    const bool known = i > 0 && text_.lines[i - 1].type == Type::kMatch && SameText(PathOf(i - 1), path);
    if (!known && !ReadsAsPath(path)) return;
    Set(i, Type::kMatch, split);
    ++numbered_;
    if (!known) known_.insert(path);
  }

  static bool ReadsAsPath(std::string_view path) {
    if (path.empty() || IsClock(path) || path.front() == ' ' || path.back() == ' ' || path.front() == '{') return false;
    return LooksLikePath(path) ||
           (path.find(' ') == std::string_view::npos && std::any_of(path.begin(), path.end(), IsLetter));
  }

  // The split after `split`, if the longer path that it gives is one: "a:5:b.log" of "a:5:b.log:7:text".
  static Split Longer(std::string_view line, const Split& split) {
    Split next = NextSplit(line, split.body, ':');
    if (!next.body) return split;
    std::string_view more = line.substr(split.body, next.path - split.body);
    bool path = more.find_first_of(" \t") == std::string_view::npos && LooksLikePath(more);
    return path ? next : split;
  }

  void Reread(size_t i) {
    std::string_view line = LineText(i);
    Split split = Longer(line, {text_.lines[i].path, text_.lines[i].body, text_.lines[i].number});
    Set(i, Type::kMatch, split);
    known_.insert(line.substr(0, split.path));
  }

  // path-12-body, where path is one that a match names
  void ReadContext(size_t i) {
    if (known_.empty() || text_.lines[i].type == Type::kMatch) return;
    std::string_view line = LineText(i);
    Split split = NextSplit(line, 0, '-');
    for (int tries = 0; split.body && tries < 8; ++tries) {
      if (known_.count(line.substr(0, split.path))) return Set(i, Type::kContext, split);
      split = NextSplit(line, split.path + 1, '-');
    }
  }

  // path:body, where many lines in a row begin with the same path or each begins with one
  void ReadUnnumbered() {
    std::vector<uint32_t> ends(text_.lines.size(), 0);
    size_t found = 0;
    for (size_t i = 0; i < text_.lines.size(); ++i) {
      if (text_.lines[i].type != Type::kOther) continue;
      std::string_view line = LineText(i);
      size_t colon = line.substr(0, kLongestPath).find(':', StartsDrive(line) ? 2 : 0);
      if (colon == std::string_view::npos || colon + 1 >= line.size()) continue;
      std::string_view path = line.substr(0, colon);
      if (path.find_first_of(" \t\"'(){}<>=,;") != std::string_view::npos || !LooksLikePath(path) || IsClock(path))
        continue;
      if (line.substr(colon).starts_with("://")) continue;
      if (CountOnly(line.substr(colon + 1))) continue;
      ends[i] = static_cast<uint32_t>(colon);
      ++found;
    }
    if (found * 10 < text_.lines.size() * 6 || found < 3) return;
    for (size_t i = 0; i < text_.lines.size(); ++i) {
      if (!ends[i]) continue;
      text_.lines[i] = {Type::kMatch, false, ends[i], 0, ends[i] + 1};
    }
  }

  static bool CountOnly(std::string_view text) {
    return !text.empty() && text.size() <= kLongestNumber && std::all_of(text.begin(), text.end(), IsDigit);
  }

  void ReadRest(size_t i) {
    SearchLine& line = text_.lines[i];
    if (line.type != Type::kOther) return;
    std::string_view text = LineText(i);
    if (text.empty() || text == "--" || text == "---") {
      line.type = Type::kSeparator;
    } else if (IsComplaint(text)) {
      line.type = Type::kComplaint;
    } else if (!ReadNumbered(text, line)) {
      ReadPath(text, line);
    }
  }

  static bool IsComplaint(std::string_view text) {
    for (std::string_view tool : {"grep: ", "rg: ", "find: ", "ls: ", "ag: ", "fd: ", "egrep: ", "du: "}) {
      if (text.starts_with(tool)) return text.find(": ", tool.size()) != std::string_view::npos;
    }
    return false;
  }

  // "12:body", "12-body", "Line 12: body", "L12: body", perhaps indented
  static bool ReadNumbered(std::string_view text, SearchLine& line) {
    size_t at = text.find_first_not_of(" \t");
    if (at == std::string_view::npos || at > 8) return false;
    bool named = false;
    for (std::string_view word : {"Line ", "line ", "L"}) {
      if (!text.substr(at).starts_with(word)) continue;
      at += word.size();
      named = true;
      break;
    }
    size_t end = 0;
    uint32_t number = 0;
    if (!ReadNumber(text, at, end, number) || end >= text.size()) return false;
    char separator = text[end];
    if (separator != ':' && (separator != '-' || named)) return false;
    line = {separator == ':' ? Type::kMatch : Type::kContext, true, 0, number, static_cast<uint32_t>(end + 1)};
    return true;
  }

  // a/b.c, a/b.c:3, a/b.c (3 matches)
  static void ReadPath(std::string_view text, SearchLine& line) {
    size_t end = text.size();
    bool counted = false;
    size_t digits = 0;
    uint32_t number = 0;
    if (text.ends_with(" matches)") || text.ends_with(" match)")) {
      size_t open = text.rfind(" (");
      if (open != std::string_view::npos && ReadNumber(text, open + 2, digits, number) && text[digits] == ' ') {
        end = open;
        counted = true;
      }
    } else if (size_t colon = text.rfind(':'); colon != std::string_view::npos && CountOnly(text.substr(colon + 1))) {
      ReadNumber(text, colon + 1, digits, number);
      end = colon;
      counted = true;
    }
    std::string_view path = text.substr(0, end);
    if (path.find(' ') != std::string_view::npos && path.find('/') == std::string_view::npos) return;
    if (!LooksLikePath(path) || IsClock(path)) return;
    line = {Type::kPath, counted, static_cast<uint32_t>(end), number, static_cast<uint32_t>(end)};
  }

  // A path above lines that have numbers and no path is their heading. Its number lines lose that reading when none is.
  void ReadHeadings() {
    for (size_t i = 0; i + 1 < text_.lines.size(); ++i) {
      SearchLine& line = text_.lines[i];
      const SearchLine& next = text_.lines[i + 1];
      bool numbered = (next.type == Type::kMatch || next.type == Type::kContext) && next.path == 0;
      if (!numbered || (line.type != Type::kPath && line.type != Type::kOther)) continue;
      std::string_view text = LineText(i);
      if (text.starts_with("File: ")) text.remove_prefix(6);
      if (text.ends_with(':')) text.remove_suffix(1);
      bool first_or_apart = i == 0 || text_.lines[i - 1].type != Type::kPath;
      if (LooksLikePath(text) && first_or_apart)
        line = {Type::kHeading, false, static_cast<uint32_t>(LineText(i).size()), 0, 0};
    }
  }

  void Count() {
    for (size_t i = 0; i < text_.lines.size(); ++i) {
      switch (text_.lines[i].type) {
        case Type::kMatch:
          ++text_.matches;
          break;
        case Type::kContext:
          ++text_.contexts;
          break;
        case Type::kHeading:
          ++text_.headings;
          break;
        case Type::kPath:
          ++text_.paths;
          break;
        case Type::kComplaint:
          ++text_.complaints;
          break;
        case Type::kOther:
          ++text_.others;
          break;
        case Type::kSeparator:
          break;
      }
      if (i > 0 && text_.lines[i].type == Type::kMatch && text_.lines[i].path && PathOf(i) == PathOf(i - 1))
        ++text_.repeated_paths;
    }
  }

  const Document& document_;
  uint32_t first_;
  SearchText text_;
  size_t numbered_ = 0;
  std::unordered_set<std::string_view> known_;
};

// The longest run of a pattern that stands for itself: "raise [A-Z]\w+" gives "raise ".
std::string LiteralOf(std::string_view pattern) {
  std::string best, run;
  auto close = [&] {
    if (run.size() > best.size()) best = run;
    run.clear();
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      char next = pattern[++i];
      if (IsLetter(next) || IsDigit(next) || next == '|')
        close();
      else
        run += Lower(next);
    } else if (c == '[') {
      close();
      size_t end = pattern.find(']', i + 1);
      if (end == std::string_view::npos) break;
      i = end;
    } else if (c == '|') {
      return "";  // one of several: none stands in every match
    } else if (c == '*' || c == '?' || c == '{') {
      if (!run.empty()) run.pop_back();
      close();
    } else if (std::string_view(".^$()+}").find(c) != std::string_view::npos) {
      close();
    } else {
      run += Lower(c);
    }
  }
  close();
  return best.size() >= 2 ? best.substr(0, 64) : "";
}

// grep's options that take the next word as their value.
bool TakesValue(std::string_view option) {
  for (std::string_view name : {"-A", "-B", "-C", "-m", "-g", "-t", "-T", "-f", "-d", "-D", "--include", "--exclude",
                                "--glob", "--type", "--color", "--context", "--max-count", "--exclude-dir"}) {
    if (option == name) return true;
  }
  return false;
}

std::string_view PatternOfCommand(const Command& command) {
  const auto& argv = command.argv;
  size_t from = command.program == "git" ? 2 : 1;
  for (size_t i = from; i < argv.size(); ++i) {
    if ((argv[i] == "-e" || argv[i] == "--regexp") && i + 1 < argv.size()) return argv[i + 1];
  }
  for (size_t i = from; i < argv.size(); ++i) {
    std::string_view word = argv[i];
    if (word == "--") return i + 1 < argv.size() ? std::string_view(argv[i + 1]) : "";
    if (!word.starts_with('-')) return word;
    if (TakesValue(word)) ++i;
  }
  return "";
}

// Found 94 matches for "index" in ...
std::string_view PatternOfHeader(const Document& document) {
  if (document.line_count() == 0) return "";
  std::string_view line = document.Text(0).substr(0, 1000);
  if (!line.starts_with("Found ")) return "";
  size_t open = line.find(" for \"");
  if (open == std::string_view::npos) return "";
  line.remove_prefix(open + 6);
  size_t close = line.rfind("\" in ");
  if (close == std::string_view::npos) close = line.rfind('"');
  return close == std::string_view::npos ? "" : line.substr(0, close);
}

bool IsSearchProgram(const Command& command) {
  for (std::string_view name : {"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep"}) {
    if (command.program == name) return true;
  }
  return command.program == "git" && command.subcommand == "grep";
}

}  // namespace

SearchText ReadSearch(const Document& document, uint32_t first, uint32_t last) {
  return Reader(document, first, last).Read();
}

std::string SearchedLiteral(const Document& document) {
  std::string literal;
  if (IsSearchProgram(document.command)) literal = LiteralOf(PatternOfCommand(document.command));
  if (literal.empty()) literal = LiteralOf(PatternOfHeader(document));
  if (literal.empty() && document.hints.query.find(' ') == std::string_view::npos)
    literal = LiteralOf(document.hints.query);
  return literal;
}

size_t FindIgnoringCase(std::string_view text, std::string_view literal) {
  if (literal.empty()) return std::string_view::npos;
  auto found = std::search(text.begin(), text.end(), literal.begin(), literal.end(),
                           [](char a, char b) { return Lower(a) == b; });
  return found == text.end() ? std::string_view::npos : static_cast<size_t>(found - text.begin());
}

bool LooksLikePath(std::string_view text) {
  if (text.empty() || text.size() > kLongestPath) return false;
  if (text.front() == ' ' || text.front() == '\t' || text.front() == '{' || text.front() == '<' || text.back() == ' ') {
    if (text.front() != '<' || text.find('/') == std::string_view::npos) return false;
  }
  bool folder = false;
  size_t dot = std::string_view::npos, blanks = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return false;
    if (c == '/' || c == '\\') folder = true;
    if (c == '.') dot = i;
    if (c == ' ' && ++blanks > 3) return false;
    if (c == '|' || c == '"' || c == ';') return false;
  }
  if (folder) return blanks == 0 || text.find(" /") == std::string_view::npos;
  return blanks == 0 && dot != std::string_view::npos && dot > 0 && dot + 1 < text.size() && IsLetter(text[dot + 1]);
}

}  // namespace pith
