// One pass with one diagnostic open: lines that are neither a new diagnostic nor a total belong to it. What a tool
// writes on the lines below its head (place, rule, the message itself) is gathered as it comes, so that afterwards a
// diagnostic of rustc, of webpack and of gcc look the same.
#include "compact/build/find.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "compact/begins.h"
#include "compact/frames.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr size_t kMostDiagnostics = 1 << 17;  // kept; a line beyond is left to the signals that all kinds share
constexpr uint32_t kMostMessageLines = 3;
constexpr size_t kLongestCode = 80;

uint64_t Mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3u; }
uint64_t HashOf(std::string_view text) { return std::hash<std::string_view>{}(text); }

// The first quoted part at or after `from`, quotes included; empty if there is none. An apostrophe in a word is no
// quote.
std::string_view QuotedFrom(std::string_view message, size_t from) {
  struct Quotes {
    std::string_view open, close;
  };
  constexpr Quotes kQuotes[] = {{"'", "'"}, {"`", "`"}, {"\"", "\""}, {"\xE2\x80\x98", "\xE2\x80\x99"}};
  for (size_t at = message.find_first_of("'`\"\xE2", from); at < message.size();
       at = message.find_first_of("'`\"\xE2", at + 1)) {
    for (const Quotes& quotes : kQuotes) {
      if (!message.substr(at).starts_with(quotes.open)) continue;
      if (at > 0 && std::isalpha(static_cast<unsigned char>(message[at - 1]))) continue;
      size_t close = message.find(quotes.close, at + quotes.open.size());
      if (close != std::string_view::npos) return message.substr(at, close + quotes.close.size() - at);
      return {};
    }
  }
  return {};
}

// Hash of a message with quoted parts and numbers masked. `first` gets the first quoted part.
uint64_t KindHash(std::string_view message, std::string_view& first) {
  uint64_t hash = 0x9e3779b97f4a7c15u;
  size_t from = 0;
  for (;;) {
    std::string_view quoted = QuotedFrom(message, from);
    if (quoted.empty()) return Mix(hash, TemplateHash(message.substr(from)));
    if (first.empty()) first = quoted;
    size_t at = static_cast<size_t>(quoted.data() - message.data());
    hash = Mix(hash, TemplateHash(message.substr(from, at - from)));
    from = at + quoted.size();
  }
}

// "(reportArgumentType)", "[no-untyped-def]" at the end of a line; a rule's name is one word of lower case or camel
// case.
std::string_view RuleAtEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() < 6 || (text.back() != ')' && text.back() != ']')) return {};
  size_t open = text.rfind(text.back() == ')' ? '(' : '[');
  if (open == std::string_view::npos || (open > 0 && text[open - 1] != ' ')) return {};
  std::string_view word = text.substr(open + 1, text.size() - open - 2);
  bool letters = word.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos;
  auto allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '/'; };
  return letters && word.size() > 4 && std::all_of(word.begin(), word.end(), allowed) ? word : std::string_view();
}

constexpr auto kBeforeRule = TextTable("index.html#", "#[warn(", "#[deny(", "#[forbid(");

// The rule that a line below a diagnostic names: clippy's link, rustc's attribute, a rule at the end.
std::string_view RuleBelow(std::string_view text) {
  if (text.find('#') != std::string_view::npos) {
    for (std::string_view before : kBeforeRule) {
      size_t at = text.find(before);
      if (at == std::string_view::npos) continue;
      at += before.size();
      return text.substr(at, std::min(text.find_first_of(" `)]", at), text.size()) - at);
    }
  }
  const std::string_view rule = RuleAtEnd(text);
  return rule.empty() || text.find(" | ") == std::string_view::npos ? rule : std::string_view();
}

constexpr auto kDetails = TextTable("symbol:", "required:", "found:", "reason:");

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr size_t kLongestPath = 400;
constexpr size_t kFaultBegins = 48;  // bytes of a line in which a fault of its own says so

class Finder {
 public:
  explicit Finder(const Document& document) : document_(document) {
    found_.roles.assign(document.line_count(), BuildRole::kOther);
    found_.owned.assign(document.line_count(), false);
  }

  FoundDiagnostics Find() {
    for (uint32_t line = 0; line < document_.line_count(); ++line) Read(line);
    return std::move(found_);
  }

 private:
  void Read(uint32_t line) {
    std::string_view text = document_.Plain(line, scratch_);
    if (const size_t blanks = BlanksEnd(text); blanks == text.size() || text[blanks] == '\r') {
      if (open_ && Last().place_line != kNotALine) open_ = false;
      previous_ = kNotALine;
      return;
    }
    text_indented_ = text.front() == ' ' || text.front() == '\t';
    DiagnosticText read = ReadDiagnostic(text);
    BuildRole role = ReadBuildRole(text);
    bool placed = !read.place.empty() && read.severity != Severity::kNone;
    if (role != BuildRole::kOther && !placed) {
      found_.roles[line] = role;
      open_ = false;
    } else if (read.arrow) {
      ReadArrow(line, text, read.place);
    } else if (read.severity >= Severity::kWarning || IsBare(text, read)) {
      Begin(line, read);
    } else if (text.ends_with("required from here")) {  // gcc: above the diagnostic
      because_ = line;
      if (open_) Own(line);
    } else if (open_) {
      ReadBelow(line, text, read);
    }
    if (role == BuildRole::kOther && NamesFile(text, read)) heading_ = line;
    previous_ = line;
  }

  // "/src/a.js" over its diagnostics (eslint, stylelint), "In run.sh line 9:" (shellcheck).
  static bool NamesFile(std::string_view text, const DiagnosticText& read) {
    if (read.severity != Severity::kNone || !read.place.empty()) return false;
    if (text.starts_with("In ") && text.find(" line ") != std::string_view::npos) return true;
    return text.find_first_of(" \t") == std::string_view::npos && text.size() < kLongestPath &&
           text.find_first_of("./\\") != std::string_view::npos &&
           text.find_first_not_of("./\\") != std::string_view::npos;  // "..." stands for lines left out
  }

  Diagnostic& Last() { return found_.diagnostics.back(); }

  // `./a.go:3:5: message`: no severity, but a column and a message.
  static bool IsBare(std::string_view text, const DiagnosticText& read) {
    if (read.severity != Severity::kNone || read.place.empty() || read.message.empty()) return false;
    if (text.front() == ' ' || text.front() == '\t') return false;
    for (std::string_view context : {"required from", "recursively required", "in ", "In ", "from "}) {
      if (read.message.starts_with(context)) return false;
    }
    return std::count(read.place.begin(), read.place.end(), ':') >= 2;
  }

  void Begin(uint32_t line, const DiagnosticText& read) {
    open_ = found_.diagnostics.size() < kMostDiagnostics;
    if (!open_) return;
    Diagnostic diagnostic;
    diagnostic.line = diagnostic.message_last = line;
    diagnostic.end = line + 1;
    diagnostic.severity = read.severity == Severity::kNone ? Severity::kError : read.severity;
    diagnostic.place = Locate(line, read.place);
    diagnostic.code = Locate(line, read.code);
    std::string_view quoted;
    diagnostic.kind = Mix(KindHash(read.message, quoted), HashOf(read.code));
    diagnostic.varying = Locate(line, quoted);
    diagnostic.message = Mix(TemplateHash(read.message), HashOf(read.code));
    if (previous_ != kNotALine && previous_ + 1 == line && previous_ == because_) diagnostic.because_line = because_;
    diagnostic.same = Mix(HashOf(read.message), HashOf(read.place));
    const bool bare = read.place.empty() || read.place.find_first_not_of("0123456789:,") == std::string_view::npos;
    if (bare && heading_ != kNotALine && (text_indented_ || read.place.empty())) {
      diagnostic.file_line = heading_;
      diagnostic.same = Mix(diagnostic.same, HashOf(document_.Text(heading_)));
    }
    message_lines_ = read.message_below ? kMostMessageLines : 0;
    found_.diagnostics.push_back(diagnostic);
    found_.owned[line] = true;
  }

  // "  --> src/a.rs:3:5": places the diagnostic whose head is the line before; a head of no known form becomes one now.
  void ReadArrow(uint32_t line, std::string_view text, std::string_view place) {
    bool headed = open_ && Last().line == previous_ && Last().place_line == kNotALine;
    if (!headed && !BeginAbove()) {
      if (open_) Own(line);
      return;
    }
    text = document_.Plain(line, scratch_);
    place = ReadDiagnostic(text).place;
    Last().place = Locate(line, place);
    Last().place_line = line;
    Last().file_line = kNotALine;
    Last().same = Mix(Last().same, HashOf(place));
    Own(line);
  }

  // "I001 [*] message": the line before an arrow. False where that line is a note or there is none.
  bool BeginAbove() {
    if (previous_ == kNotALine || (open_ && Last().line == previous_)) return false;
    std::string_view text = document_.Plain(previous_, scratch_);
    if (text.front() == ' ' || text.starts_with("note") || text.starts_with("help")) return false;
    if (found_.owned[previous_]) Last().end = previous_;
    size_t blank = std::min(text.find(' '), text.size());
    DiagnosticText head;
    head.severity = Severity::kError;
    head.code = text.substr(0, blank);
    head.message = text.substr(std::min(blank + 1, text.size()));
    found_.roles[previous_] = BuildRole::kOther;
    Begin(previous_, head);
    return open_;
  }

  // An error at the start of its line that no form of a diagnostic's own lines accounts for.
  bool IsStrange(uint32_t line, std::string_view text, const DiagnosticText& read) const {
    if (document_.signals[line] < Signal::kError || !read.place.empty()) return false;
    if (!std::isalpha(static_cast<unsigned char>(text.front())) && text.front() != '[' && text.front() != '=')
      return false;
    for (std::string_view own : {"help", "note", "In ", "from ", "hint", "For more", "see "}) {
      if (text.starts_with(own)) return false;
    }
    return SignalOf(text.substr(0, kFaultBegins)) >= Signal::kError;
  }

  void ReadBelow(uint32_t line, std::string_view text, const DiagnosticText& read) {
    Diagnostic& diagnostic = Last();
    bool indented = text.front() == ' ' || text.front() == '\t';
    // "error: no such file", then something else; or a fault in words of its own.
    const bool apart = diagnostic.place.size() == 0 || IsStrange(line, text, read);
    if (!indented && apart && message_lines_ == 0) {
      open_ = false;
      return;
    }
    Own(line);
    ReadDetail(line, text);
    if (text.ends_with("requested here")) diagnostic.because_line = line;  // clang: notes below it, the outermost last
    if (message_lines_ > 0) {
      --message_lines_;
      LineShape shape = ReadShape(text).shape;
      if (shape == LineShape::kFrameAfter || shape == LineShape::kCode) {
        message_lines_ = 0;
        return;
      }
      std::string_view quoted;
      diagnostic.kind = Mix(diagnostic.kind, KindHash(text, quoted));
      diagnostic.message = Mix(diagnostic.message, TemplateHash(text));
      diagnostic.same = Mix(diagnostic.same, HashOf(text));
      diagnostic.message_last = line;
    }
    if (diagnostic.place.size() == 0 && !read.place.empty()) {  // esbuild: the place alone, below
      diagnostic.place = Locate(line, read.place);
      diagnostic.place_line = line;
      diagnostic.same = Mix(diagnostic.same, HashOf(read.place));
    }
    if (diagnostic.code.size() > 0) return;
    std::string_view rule =
        read.place.empty() ? RuleBelow(text) : std::string_view();  // a note's own words are no rule
    if (rule.empty() || rule.size() > kLongestCode) return;
    // mypy --pretty: a long message goes on in the next line, which ends in the rule.
    const std::string_view before = text.substr(0, static_cast<size_t>(rule.data() - text.data()));
    if (!indented && line == diagnostic.line + 1 && before.find_first_of(kLetters) != std::string_view::npos) {
      diagnostic.message_last = line;
    }
    diagnostic.code = Locate(line, rule);
    diagnostic.code_line = line;
    diagnostic.kind = Mix(diagnostic.kind, HashOf(rule));
    diagnostic.message = Mix(diagnostic.message, HashOf(rule));
  }

  // javac says what it did not find, expected or found on lines of their own.
  void ReadDetail(uint32_t line, std::string_view text) {
    Diagnostic& diagnostic = Last();
    if (diagnostic.detail_line != kNotALine) return;
    std::string_view body = text.substr(BlanksEnd(text));
    for (std::string_view start : kDetails) {
      if (!Begins(body, start)) continue;
      std::string_view rest = body.substr(start.size());
      rest = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
      diagnostic.detail_line = line;
      diagnostic.varying = Locate(line, rest);
      diagnostic.message = Mix(diagnostic.message, HashOf(rest));
      diagnostic.same = Mix(diagnostic.same, HashOf(rest));
      return;
    }
  }

  void Own(uint32_t line) {
    Last().end = line + 1;
    found_.owned[line] = true;
    open_ = true;
  }

  // Where a part of a line's text stands in the original. With colours in the way it is looked for; empty if not there.
  Span Locate(uint32_t line, std::string_view part) const {
    if (part.empty()) return {};
    const char* begin = document_.bytes.data();
    if (part.data() >= begin && part.data() < begin + document_.bytes.size()) {
      uint64_t at = static_cast<uint64_t>(part.data() - begin);
      return {at, at + part.size()};
    }
    Span whole = document_.lines.Line(line);
    size_t at = document_.Bytes(whole).find(part);
    if (at == std::string_view::npos) return {};
    return {whole.begin + at, whole.begin + at + part.size()};
  }

  const Document& document_;
  FoundDiagnostics found_;
  std::string scratch_;
  uint32_t previous_ = kNotALine;  // the line before, if it is not blank
  uint32_t heading_ = kNotALine;   // the last line that names a file and nothing else
  bool text_indented_ = false;
  uint32_t because_ = kNotALine;  // the last line that says where in the reader's code an instantiation began
  uint32_t message_lines_ = 0;    // lines of message that are still awaited
  bool open_ = false;             // lines belong to the last diagnostic
};

}  // namespace

FoundDiagnostics FindDiagnostics(const Document& document) { return Finder(document).Find(); }

}  // namespace pith
