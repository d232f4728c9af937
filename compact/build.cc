// What a build or a check is read for: which diagnostics, where, under which rule, and how it ended. A thousand
// diagnostics are a few dozen kinds of them: the same rule and the same words at other places. So the first of each kind is
// shown as it stands, with its source while there is room; the others of its kind are named by their places right under
// it, with the quoted name in which they differ; what hides them is a gap with their lines. Notes belong to the diagnostic
// before them. Totals stand as printed, progress is counted.
//
// Kinds are formed over the whole original, not among neighbours: rule, and message with numbers and quoted names masked.
#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "compact/build_diagnostics.h"
#include "compact/frames.h"
#include "compact/kinds.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint8_t kRankError = 224;
constexpr uint8_t kRankPlaced = 222;
constexpr uint8_t kRankWarning = 204;
constexpr uint8_t kRankExcerpt = Rank::kUseful + 8;
constexpr uint8_t kRankSpare = 40;
constexpr uint64_t kLongLine = 400;
constexpr size_t kMostPlaces = 240;   // named under one diagnostic; more keep their own lines
constexpr size_t kMostKinds = 4096;   // kinds of diagnostics told apart; beyond, each diagnostic stands for itself
constexpr size_t kExcerptLines = 7;
constexpr size_t kMessageLines = 3;   // of a message that goes on below
constexpr uint32_t kNoLine = UINT32_MAX;

// Of the original's bytes, how much goes to source excerpts and notes.
constexpr uint64_t kExcerptShare = 12, kExcerptLeast = 400, kExcerptMost = 3000;

struct Diagnostic {
  uint32_t line = 0, end = 0;      // its head, and the line after its last
  uint32_t place_line = kNoLine;   // where its place stands when not on the head
  Severity severity = Severity::kError;
  Span place, code, varying;       // bytes of the original; `varying`: the first quoted name of the message
  uint64_t kind = 0;               // rule and masked message
  uint64_t same = 0;               // rule, message and place as they stand
};

// Hash of a message with what is quoted and all numbers masked. `quoted` gets the first quoted part.
uint64_t KindHash(std::string_view message, std::string_view& quoted) {
  struct Quote {
    std::string_view open, close;
  };
  constexpr Quote kQuotes[] = {{"'", "'"}, {"`", "`"}, {"\"", "\""}, {"\xE2\x80\x98", "\xE2\x80\x99"}};
  uint64_t hash = 0x9e3779b97f4a7c15u;
  size_t from = 0;
  while (from < message.size()) {
    size_t at = std::string_view::npos, end = 0;
    for (const Quote& quote : kQuotes) {
      size_t open = message.find(quote.open, from);
      if (open == std::string_view::npos || open >= at || (open > 0 && std::isalpha(static_cast<unsigned char>(message[open - 1])))) continue;
      size_t close = message.find(quote.close, open + quote.open.size());
      if (close == std::string_view::npos) continue;
      at = open;
      end = close + quote.close.size();
    }
    if (at == std::string_view::npos) break;
    hash = (hash ^ TemplateHash(message.substr(from, at - from))) * 0x100000001b3u;
    if (quoted.empty()) quoted = message.substr(at, end - at);
    from = end;
  }
  return (hash ^ TemplateHash(message.substr(from))) * 0x100000001b3u;
}

class BuildPlan {
 public:
  explicit BuildPlan(const Document& document) : document_(document), plan_(document) {
    plan_.settled.assign(document.line_count(), false);
    plan_.long_line = kLongLine;
  }

  LinePlan Make() {
    FindDiagnostics();
    GroupKinds();
    for (const std::vector<uint32_t>& kind : kinds_) ShowKind(kind);
    SpendOnExcerpts();
    std::stable_sort(plan_.notes.begin(), plan_.notes.end(),
                     [](const LineNote& a, const LineNote& b) { return std::pair(a.line, a.after) < std::pair(b.line, b.after); });
    return std::move(plan_);
  }

 private:
  Span SpanOf(std::string_view part) const {
    if (part.empty() || part.data() < document_.bytes.data() || part.data() >= document_.bytes.data() + document_.bytes.size()) return {};
    uint64_t begin = static_cast<uint64_t>(part.data() - document_.bytes.data());
    return {begin, begin + part.size()};
  }

  // Colours stand between the parts of a line: then parts are found again in its bytes.
  Span Locate(uint32_t line, std::string_view part) const {
    Span span = SpanOf(part);
    if (span.size() > 0 || part.empty()) return span;
    Span whole = document_.lines.Line(line);
    size_t at = document_.Bytes(whole).find(part);
    if (at == std::string_view::npos) return {};
    return {whole.begin + at, whole.begin + at + part.size()};
  }

  void FindDiagnostics() {
    uint32_t count = document_.line_count();
    uint32_t previous = kNoLine;  // last line that is not blank
    bool open = false;            // lines belong to the last diagnostic
    for (uint32_t line = 0; line < count; ++line) {
      std::string_view text = document_.Plain(line, scratch_);
      if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
        if (open && !diagnostics_.empty() && diagnostics_.back().place_line != kNoLine) open = false;
        previous = kNoLine;
        continue;
      }
      DiagnosticText read = ReadDiagnostic(text);
      BuildRole role = ReadBuildRole(text);
      if (role != BuildRole::kOther && !IsPlaced(read)) {
        ReadRole(line, role);
        open = false;
      } else if (read.arrow) {
        Arrow(line, previous, read);
        open = true;
      } else if (read.severity >= Severity::kWarning || (read.severity == Severity::kNone && !read.place.empty() && IsBarePlace(text, read))) {
        Begin(line, read);
        open = true;
      } else if (open) {
        diagnostics_.back().end = line + 1;
        plan_.settled[line] = true;
        FindCode(line, text);
      }
      previous = line;
    }
  }

  static bool IsPlaced(const DiagnosticText& read) { return !read.place.empty() && read.severity >= Severity::kWarning; }

  // `./a.go:3:5: message`: no severity, but a column and a message. Only in an original that has nothing better.
  bool IsBarePlace(std::string_view text, const DiagnosticText& read) const {
    if (read.message.empty() || text.front() == ' ' || text.front() == '\t') return false;
    size_t colons = static_cast<size_t>(std::count(read.place.begin(), read.place.end(), ':'));
    if (read.message.starts_with("required from") || read.message.starts_with("recursively required") ||
        read.message.starts_with("in ") || read.message.starts_with("In ")) {
      return false;
    }
    return colons >= 2;
  }

  void ReadRole(uint32_t line, BuildRole role) {
    plan_.settled[line] = true;
    if (role == BuildRole::kTotals) plan_.Raise(line, Rank::kVerdict);
    if (role == BuildRole::kProgress) {
      plan_.noun[line] = plan_.NounIndex("progress lines");
      plan_.settled[line] = document_.signals[line] < Signal::kError;
    }
  }

  void Begin(uint32_t line, const DiagnosticText& read) {
    Diagnostic diagnostic;
    diagnostic.line = line;
    diagnostic.end = line + 1;
    diagnostic.severity = read.severity == Severity::kNone ? Severity::kError : read.severity;
    diagnostic.place = Locate(line, read.place);
    diagnostic.code = Locate(line, read.code);
    std::string_view quoted;
    diagnostic.kind = KindHash(read.message, quoted) ^ std::hash<std::string_view>{}(read.code);
    diagnostic.varying = Locate(line, quoted);
    diagnostic.same = std::hash<std::string_view>{}(read.message) * 31 ^ std::hash<std::string_view>{}(read.place);
    diagnostics_.push_back(diagnostic);
    plan_.settled[line] = true;
  }

  // "  --> src/a.rs:3:5": places the diagnostic whose head is the line before, which may be of no known form.
  void Arrow(uint32_t line, uint32_t previous, const DiagnosticText& read) {
    bool headed = !diagnostics_.empty() && diagnostics_.back().line == previous && diagnostics_.back().place_line == kNoLine;
    if (!headed) {
      std::string text(previous == kNoLine ? std::string_view() : document_.Plain(previous, scratch_));
      bool note = text.starts_with("note") || text.starts_with("help") || text.empty() || text.front() == ' ';
      if (note || previous == kNoLine) {  // a place in the notes of a diagnostic
        if (!diagnostics_.empty()) diagnostics_.back().end = line + 1;
        plan_.settled[line] = true;
        return;
      }
      DiagnosticText head;
      size_t blank = text.find(' ');
      head.message = blank == std::string::npos ? std::string_view(text) : std::string_view(text).substr(blank + 1);
      head.code = std::string_view(text).substr(0, blank);
      head.severity = Severity::kError;
      Begin(previous, head);
      diagnostics_.back().code = Locate(previous, head.code);
      std::string_view quoted;
      KindHash(head.message, quoted);
      diagnostics_.back().varying = Locate(previous, quoted);
    }
    Diagnostic& diagnostic = diagnostics_.back();
    std::string_view place = document_.Plain(line, scratch_);
    diagnostic.place = Locate(line, ReadDiagnostic(place).place);
    diagnostic.place_line = line;
    diagnostic.end = line + 1;
    diagnostic.same ^= std::hash<std::string_view>{}(read.place);
    plan_.settled[line] = true;
  }

  // A rule that is named below the message: "[no-untyped-def]", "... (reportArgumentType)", clippy's link.
  void FindCode(uint32_t line, std::string_view text) {
    Diagnostic& diagnostic = diagnostics_.back();
    if (diagnostic.code.size() > 0) return;
    size_t link = text.find("index.html#");
    if (link != std::string_view::npos) {
      SetCode(diagnostic, line, text.substr(link + 11, text.find_first_of(" `)", link) - link - 11));
      return;
    }
    size_t lint = text.find("#[warn(");
    if (lint == std::string_view::npos) lint = text.find("#[deny(");
    if (lint != std::string_view::npos) {
      SetCode(diagnostic, line, text.substr(lint + 7, text.find(')', lint) - lint - 7));
      return;
    }
    std::string_view trimmed = text;
    while (!trimmed.empty() && (trimmed.back() == ' ' || trimmed.back() == '\r')) trimmed.remove_suffix(1);
    if (trimmed.size() < 4) return;
    char close = trimmed.back();
    if (close != ')' && close != ']') return;
    size_t open_at = trimmed.rfind(close == ')' ? '(' : '[');
    if (open_at == std::string_view::npos || (open_at > 0 && trimmed[open_at - 1] != ' ')) return;
    std::string_view word = trimmed.substr(open_at + 1, trimmed.size() - open_at - 2);
    bool rule = word.size() > 4 && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/") == std::string_view::npos &&
                word.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string_view::npos;
    if (rule) SetCode(diagnostic, line, word);
  }

  void SetCode(Diagnostic& diagnostic, uint32_t line, std::string_view code) {
    if (code.empty() || code.size() > 80) return;
    diagnostic.code = Locate(line, code);
    diagnostic.kind ^= std::hash<std::string_view>{}(code);
    code_lines_[static_cast<uint32_t>(diagnostics_.size() - 1)] = line;
  }

  void GroupKinds() {
    std::unordered_map<uint64_t, uint32_t> index;
    for (uint32_t i = 0; i < diagnostics_.size(); ++i) {
      uint64_t key = diagnostics_[i].kind ^ (static_cast<uint64_t>(diagnostics_[i].severity) << 60);
      auto [at, fresh] = index.try_emplace(key, static_cast<uint32_t>(kinds_.size()));
      if (fresh && kinds_.size() < kMostKinds) {
        kinds_.push_back({i});
      } else if (fresh) {
        at->second = static_cast<uint32_t>(kinds_.size() - 1);
        kinds_.back().push_back(i);
      } else {
        kinds_[at->second].push_back(i);
      }
    }
  }

  void ShowKind(const std::vector<uint32_t>& kind) {
    const Diagnostic& first = diagnostics_[kind.front()];
    ShowHead(kind.front());
    excerpts_.push_back(kind.front());
    std::unordered_set<uint64_t> named = {first.same};
    std::vector<Piece> pieces;
    size_t places = 0;
    for (size_t i = 1; i < kind.size(); ++i) {
      const Diagnostic& other = diagnostics_[kind[i]];
      if (!named.insert(other.same).second) continue;
      if (places >= kMostPlaces || other.place.size() == 0) {
        ShowHead(kind[i]);
        continue;
      }
      pieces.push_back(Note(places == 0 ? "[also at " : ", "));
      pieces.back().glued = places > 0;
      AddCite(pieces, other.place);
      if (other.varying.size() > 0 && document_.Bytes(other.varying) != document_.Bytes(first.varying)) {
        pieces.push_back(Note(" "));
        pieces.back().glued = true;
        AddCite(pieces, other.varying);
      }
      ++places;
    }
    if (places == 0) return;
    if (first.code.size() > 0) {
      pieces.push_back(Note(": "));
      pieces.back().glued = true;
      AddCite(pieces, first.code);
    }
    pieces.push_back(Note("]"));
    pieces.back().glued = true;
    plan_.notes.push_back({first.place_line != kNoLine ? first.place_line : first.line, true, std::move(pieces)});
  }

  static void AddCite(std::vector<Piece>& pieces, Span span) {
    pieces.push_back(Cite(span));
    pieces.back().glued = true;
  }

  // Head, place and the line that names the rule.
  void ShowHead(uint32_t index) {
    const Diagnostic& diagnostic = diagnostics_[index];
    uint8_t rank = diagnostic.severity == Severity::kError ? kRankError : kRankWarning;
    plan_.Raise(diagnostic.line, rank);
    if (diagnostic.place_line != kNoLine) plan_.Raise(diagnostic.place_line, rank - 2);
    auto code = code_lines_.find(index);
    if (code != code_lines_.end() && codes_.insert(std::hash<std::string_view>{}(document_.Bytes(diagnostic.code))).second) {
      plan_.Raise(code->second, rank - 2);
    }
  }

  // Source and notes of the first of each kind, errors first, until their share is spent.
  void SpendOnExcerpts() {
    uint64_t room = std::clamp(document_.bytes.size() / kExcerptShare, kExcerptLeast, kExcerptMost);
    for (Severity severity : {Severity::kError, Severity::kWarning}) {
      for (uint32_t index : excerpts_) {
        const Diagnostic& diagnostic = diagnostics_[index];
        if (diagnostic.severity != severity) continue;
        uint32_t end = std::min<uint32_t>(diagnostic.end, diagnostic.line + 1 + kExcerptLines);
        uint64_t cost = document_.lines.Lines(diagnostic.line, end - 1).size();
        bool affordable = cost <= room;
        if (affordable) room -= cost;
        for (uint32_t line = diagnostic.line + 1; line < diagnostic.end; ++line) {
          plan_.Raise(line, affordable && line < end ? kRankExcerpt : kRankSpare);
        }
      }
    }
  }

  const Document& document_;
  LinePlan plan_;
  std::string scratch_;
  std::vector<Diagnostic> diagnostics_;
  std::vector<std::vector<uint32_t>> kinds_;            // indices of diagnostics_, in order
  std::vector<uint32_t> excerpts_;                      // the first of each kind
  std::unordered_map<uint32_t, uint32_t> code_lines_;   // index of a diagnostic: line that names its rule
  std::unordered_set<uint64_t> codes_;                  // rules that have been named
};

}  // namespace

Evidence DetectBuild(const Document& document) {
  constexpr uint32_t kSampled = 4000;
  std::string scratch;
  uint64_t placed = 0, unplaced = 0, arrows = 0, totals = 0, progress = 0, lines = 0;
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    if (line == kSampled / 2 && document.line_count() > kSampled) line = document.line_count() - kSampled / 2;
    std::string_view text = document.Plain(line, scratch);
    DiagnosticText read = ReadDiagnostic(text);
    BuildRole role = ReadBuildRole(text);
    lines += !text.empty();
    arrows += read.arrow;
    totals += role == BuildRole::kTotals;
    progress += role == BuildRole::kProgress;
    if (read.severity < Severity::kWarning) continue;
    (read.placed_below ? unplaced : placed) += 1;
  }
  if (placed + arrows >= 2 && totals > 0) return {74, "diagnostics with places, and totals"};
  if (placed + arrows >= 3 && (placed + arrows) * 20 >= lines) return {68, "diagnostics with places"};
  if (placed + arrows >= 1 && totals + progress > 0) return {56, "a diagnostic, and lines of a build"};
  if (progress * 2 > lines && progress >= 4) return {46, "progress of a build"};
  if (unplaced > 0 && totals + progress > 1) return {40, "errors and lines of a build"};
  if (placed > 0) return {20, "a diagnostic"};
  return {};
}

std::unique_ptr<Shaper> ShapeBuild(const Document& document) { return ShapeLines(document, BuildPlan(document).Make()); }

}  // namespace pith
