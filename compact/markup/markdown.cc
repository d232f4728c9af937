// Markdown, reStructuredText, man pages and plain prose. All headings are kept, with the line ranges of what is left
// out beneath them; then what each section says first: a paragraph by its first sentences, a list by its first items, a
// table by its head, code while it is short. Nothing is rewritten: a unit is shown as it stands or not at all.
//
// Headings that differ in a number only (the releases of a change log, generated pages) tell little beyond the first
// dozens of them: later sections of that kind are shown whole, one after the other, while there is room, and counted in
// the gap that hides them.
#include <algorithm>
#include <array>

#include "compact/kinds.h"
#include "compact/markup/prose.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint32_t kSample = 400;
constexpr uint32_t kShortCode = 12;     // lines of a block of code that stays whole
constexpr uint32_t kCodeHead = 5;       // lines shown of a longer one
constexpr size_t kMostSentences = 400;  // of one paragraph
constexpr uint64_t kMostAlike = 64;     // headings of one template that are all shown

enum class Part : uint8_t { kBlank, kHeading, kUnderline, kFence, kCode, kItem, kTable, kText, kFront };

bool IsUnderline(std::string_view text) {
  if (text.size() < 3 || std::string_view("=-~^\"'`+*#:._").find(text[0]) == std::string_view::npos) return false;
  return text.find_first_not_of(text[0]) == std::string_view::npos;
}

std::string_view Trimmed(std::string_view text) {
  size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

bool IsAtxHeading(std::string_view text) {
  size_t marks = text.find_first_not_of('#');
  return marks != 0 && marks != std::string_view::npos && marks <= 6 && text[marks] == ' ';
}

bool IsItem(std::string_view trimmed) {
  if (trimmed.size() > 2 && (trimmed[0] == '-' || trimmed[0] == '*' || trimmed[0] == '+') && trimmed[1] == ' ')
    return true;
  size_t digits = trimmed.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && digits <= 4 &&
         (trimmed[digits] == '.' || trimmed[digits] == ')') && digits + 1 < trimmed.size() &&
         trimmed[digits + 1] == ' ';
}

// A man page's section: words in capitals at the line's start.
bool IsManHeading(std::string_view text) {
  if (text.size() < 3 || text.size() > 60 || text[0] < 'A' || text[0] > 'Z') return false;
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// "LS(1)    User Commands    LS(1)"
bool IsManTitle(std::string_view text) {
  size_t open = text.find('(');
  size_t close = text.find(')');
  if (open == std::string_view::npos || open == 0 || close == std::string_view::npos || close - open > 5 ||
      close < open)
    return false;
  std::string_view name = text.substr(0, close + 1);
  return text.size() > 2 * name.size() && text.ends_with(name) && text[close - 1] != '(' && text[open + 1] >= '0' &&
         text[open + 1] <= '9';
}

class Planner {
 public:
  explicit Planner(const Document& document) : document_(document), parts_(document.line_count(), Part::kText) {
    for (uint32_t line = 0; line < std::min(document.line_count(), 5u); ++line)
      man_ = man_ || IsManTitle(Trimmed(document.Text(line)));
    ReadParts();
    for (uint32_t line = document.line_count(); line > 0 && last_heading_ == 0; --line) {
      if (parts_[line - 1] == Part::kHeading) last_heading_ = line - 1;
    }
  }

  std::vector<TextUnit> Units() {
    for (uint32_t line = 0; line < document_.line_count();) {
      switch (parts_[line]) {
        case Part::kHeading:
          line = TakeHeading(line);
          break;
        case Part::kUnderline:
          line = Take(line, line + 1, Rank::kUseful + 60);
          break;
        case Part::kFence:
        case Part::kCode:
          line = TakeCode(line);
          break;
        case Part::kTable:
          line = TakeTable(line);
          break;
        case Part::kItem:
          line = TakeItem(line);
          break;
        case Part::kFront:
          line = Take(line, line + 1, Rank::kUseful + 2);
          break;
        case Part::kBlank:
          line = Take(line, line + 1, Rank::kFiller);
          break;
        case Part::kText:
          line = TakeParagraph(line);
          break;
      }
    }
    return std::move(units_);
  }

 private:
  void ReadParts() {
    std::string fence;
    bool front = false;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      std::string_view text = document_.Text(line);
      std::string_view trimmed = Trimmed(text);
      Part& part = parts_[line];
      if (!fence.empty()) {
        bool closes = trimmed.starts_with(fence) && trimmed.find_first_not_of(fence[0]) == std::string_view::npos;
        part = closes ? Part::kFence : Part::kCode;
        if (closes) fence.clear();
      } else if (front || (line == 0 && trimmed == "---")) {
        part = Part::kFront;
        front = line == 0 || trimmed != "---";
        if (line > 60) front = false;
      } else if (trimmed.empty()) {
        part = Part::kBlank;
      } else if (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
        part = Part::kFence;
        fence = trimmed.substr(0, trimmed.find_first_not_of(trimmed[0]));
      } else if (IsAtxHeading(text) || (man_ && (IsManHeading(text) || IsManTitle(trimmed)))) {
        part = Part::kHeading;
      } else if (IsUnderline(trimmed) && line > 0 &&
                 (parts_[line - 1] == Part::kText || parts_[line - 1] == Part::kUnderline) && text[0] != ' ') {
        bool titled = parts_[line - 1] == Part::kText && trimmed.size() + 2 >= Trimmed(document_.Text(line - 1)).size();
        if (titled) parts_[line - 1] = Part::kHeading;
        part = titled ? Part::kUnderline : Part::kText;
      } else if (IsItem(trimmed)) {
        part = Part::kItem;
      } else if (trimmed.starts_with('|') || (trimmed.starts_with('+') && trimmed.ends_with('+'))) {
        part = Part::kTable;
      } else if (!man_ && (text.starts_with("    ") || text.starts_with('\t')) && line > 0 &&
                 (parts_[line - 1] == Part::kBlank || parts_[line - 1] == Part::kCode)) {
        part = Part::kCode;
      }
    }
  }

  void AddUnit(Span span, int rank) {
    if (alike_) rank = std::min<int>(rank, Rank::kUseful);
    units_.push_back({span, static_cast<uint8_t>(rank)});
  }

  // Lines first..end-1 as one unit. Gives `end`.
  uint32_t Take(uint32_t first, uint32_t end, int rank) {
    AddUnit(document_.lines.Lines(first, end - 1), rank);
    return end;
  }

  uint32_t TakeHeading(uint32_t line) {
    in_section_ = 0;
    alike_ = headings_.Add(TemplateHash(document_.Text(line)), line).count > kMostAlike && line < last_heading_;
    Take(line, line + 1, Rank::kSignal + 16);
    units_.back().heading = true;
    return line + 1;
  }

  // The n-th unit of a section ranks by n, so that no section speaks at length before each has spoken.
  int Early(int base) {
    int rank = base - 6 * static_cast<int>(std::min<uint32_t>(in_section_++, 6));
    return std::max<int>(rank, Rank::kUseful);
  }

  uint32_t TakeCode(uint32_t first) {
    uint32_t end = first + 1;
    bool fenced = parts_[first] == Part::kFence;
    while (end < document_.line_count() && (parts_[end] == Part::kCode || (!fenced && parts_[end] == Part::kBlank)))
      ++end;
    if (fenced && end < document_.line_count() && parts_[end] == Part::kFence) ++end;
    bool titled = false;
    for (uint32_t line = first; line < end; ++line) titled = titled || IsAtxHeading(document_.Text(line));
    if (titled) return TakeTitledCode(first, end);
    if (end - first <= kShortCode) return Take(first, end, Early(Rank::kUseful + 36));
    Take(first, first + kCodeHead, Early(Rank::kUseful + 36));
    return Take(first + kCodeHead, end, Rank::kUseful + 1);
  }

  // Code with headings or remarks of its own: these say what the lines below each are for.
  uint32_t TakeTitledCode(uint32_t first, uint32_t end) {
    for (uint32_t line = first; line < end;) {
      if (IsAtxHeading(document_.Text(line))) {
        line = Take(line, line + 1, Rank::kUseful + 57);
        continue;
      }
      uint32_t next = line + 1;
      while (next < end && !IsAtxHeading(document_.Text(next))) ++next;
      line = Take(line, next, Early(Rank::kUseful + 30));
    }
    return end;
  }

  uint32_t TakeTable(uint32_t first) {
    uint32_t end = first;
    while (end < document_.line_count() && parts_[end] == Part::kTable) ++end;
    uint32_t head = std::min(end, first + 2);
    Take(first, head, Early(Rank::kUseful + 50));
    for (uint32_t line = head; line < end; ++line)
      Take(line, line + 1, line < head + 3 ? Early(Rank::kUseful + 40) : Rank::kUseful + 3);
    return end;
  }

  uint32_t TakeItem(uint32_t first) {
    uint32_t end = first + 1;
    while (end < document_.line_count() && parts_[end] == Part::kText) ++end;
    Sentences(document_.lines.Lines(first, end - 1), Early(Rank::kUseful + 38), 10);
    return end;
  }

  uint32_t TakeParagraph(uint32_t first) {
    uint32_t end = first;
    while (end < document_.line_count() && parts_[end] == Part::kText) ++end;
    Sentences(document_.lines.Lines(first, end - 1), Early(Rank::kUseful + 56), 20);
    return end;
  }

  void Sentences(Span span, int rank, int drop) {
    uint64_t begin = span.begin;
    for (uint64_t end : SentenceEnds(document_, span, kMostSentences)) {
      AddUnit({begin, end}, rank);
      rank = std::max<int>(rank - drop, Rank::kUseful);
      begin = end;
    }
  }

  const Document& document_;
  std::vector<Part> parts_;
  std::vector<TextUnit> units_;
  TemplateTable headings_{document_.line_count()};
  bool man_ = false;
  uint32_t last_heading_ = 0;
  uint32_t in_section_ = 0;
  bool alike_ = false;  // within a section of a kind of which enough are shown
};

// Prose: long lines or paragraphs of words, few digits and symbols.
bool ReadsAsProse(const Document& document) {
  uint64_t letters = 0, others = 0, words = 0, stops = 0;
  for (uint32_t line = 0; line < std::min(document.line_count(), kSample); ++line) {
    std::string_view text = document.Text(line).substr(0, 4000);
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
      letters += letter;
      words += c == ' ' && i + 1 < text.size() && text[i + 1] != ' ';
      others += !letter && c != ' ' && c != ',' && c != '.' && c != '\'' && c != '-';
      stops += c == '.' && (i + 1 == text.size() || text[i + 1] == ' ');
    }
  }
  return letters > 1500 && others * 25 < letters && stops * 40 > words && letters < words * 9;
}

}  // namespace

Evidence DetectMarkdown(const Document& document) {
  if (document.line_count() < 3) return {};
  uint32_t headings = 0, marks = 0, lines = 0;
  bool path = document.hints.path.ends_with(".md") || document.hints.path.ends_with(".markdown") ||
              document.hints.path.ends_with(".rst");
  for (uint32_t line = 0; line < 5 && line < document.line_count(); ++line) {
    if (IsManTitle(Trimmed(document.Text(line)))) return {85, "the title line of a man page"};
  }
  for (uint32_t line = 0; line < std::min(document.line_count(), kSample); ++line) {
    std::string_view text = document.Text(line);
    std::string_view trimmed = Trimmed(text);
    if (trimmed.empty()) continue;
    ++lines;
    bool apart = line == 0 || Trimmed(document.Text(line - 1)).empty();
    bool apart_below = line + 1 >= document.line_count() || Trimmed(document.Text(line + 1)).empty();
    headings += IsAtxHeading(text) && apart && apart_below;
    bool underlined = line > 0 && IsUnderline(trimmed) && trimmed.size() >= Trimmed(document.Text(line - 1)).size() &&
                      Trimmed(document.Text(line - 1)).size() > 2 && text[0] != ' ';
    headings += underlined && apart_below && !IsUnderline(Trimmed(document.Text(line - 1)));
    marks += IsItem(trimmed) || trimmed.starts_with("```") || trimmed.find("](") != std::string_view::npos ||
             trimmed.starts_with(".. ") || trimmed.starts_with("| ") || trimmed.find("**") != std::string_view::npos;
  }
  if (path && lines > 0) return {headings >= 2 ? 70 : 50, "the path's ending"};
  if (headings >= 2 && marks >= 3 && (headings + marks) * 8 >= lines) return {55, "headings, lists and links"};
  if (headings >= 3 && headings * 12 >= lines) return {40, "headings"};
  if (ReadsAsProse(document)) return {32, "paragraphs of words"};
  return {};
}

std::unique_ptr<Shaper> ShapeMarkdown(const Document& document) {
  if (document.line_count() == 0) return ShapeText(document);
  return ShapeUnits(document, Planner(document).Units());
}

}  // namespace pith
