// Source code, in outline: imports, every declaration with its signature, the first line of what is said about it, and
// the lines that somebody marked as to be done; bodies become gaps, which give each declaration its line range. An
// agent that reads a file in order to edit it must get it exactly, so an outline is made only when a view was asked for
// in so many words, or when the file is larger than a page anyway.
//
// No parser: one for fifteen languages would cost more at start than it gives, and fails on the broken file that an
// agent asks about. What is read is what editors fold by: brackets, indent, strings and comments (code_scanner.cc), and
// the few words that begin declarations (code_language.cc).
#include <algorithm>

#include "compact/code/outline.h"
#include "compact/kinds.h"
#include "compact/licence.h"

namespace pith {
namespace {

constexpr uint32_t kSample = 400;
constexpr uint32_t kManyImports = 40;
constexpr uint32_t kLongestComment = 400;  // lines looked back over for a declaration's first words

bool HasLetter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

bool IsMarked(std::string_view text) {
  for (std::string_view word : {"TODO", "FIXME", "XXX", "HACK", "BUG:"}) {
    size_t at = text.find(word);
    if (at == std::string_view::npos) continue;
    auto apart = [&](size_t i) {
      return i >= text.size() ||
             !((text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= 'a' && text[i] <= 'z') || text[i] == '_');
    };
    if ((at == 0 || apart(at - 1)) && apart(at + word.size())) return true;
  }
  return false;
}

// Where a failure is raised or handed on, by the first word.
bool RaisesError(std::string_view text) {
  std::string_view first = FirstCodeWord(text);
  for (std::string_view word : {"throw", "raise", "panic", "panic!", "bail!", "abort", "reject", "goto"}) {
    if (first == word) return true;
  }
  return first == "return" &&
         (text.find("Err(") != std::string_view::npos || text.find("return err") != std::string_view::npos ||
          text.find("errors.New") != std::string_view::npos || text.find("fmt.Errorf") != std::string_view::npos);
}

// The first line with words of the comment right above each declaration, unless that is the licence.
void MarkDocs(const Document& document, std::vector<CodeRole>& roles) {
  const LineRange licence = LicenceLines(document, document.line_count());
  for (uint32_t line = 1; line < roles.size(); ++line) {
    if (roles[line] != CodeRole::kDeclaration || roles[line - 1] == CodeRole::kDeclaration) continue;
    uint32_t at = line;
    while (at > 0 && roles[at - 1] == CodeRole::kAttribute) --at;
    uint32_t end = at;
    while (at > 0 && roles[at - 1] == CodeRole::kComment && end - at < kLongestComment) --at;
    if (licence.Holds(at)) at = std::min(end, licence.end);
    while (at < end && !HasLetter(document.Text(at))) ++at;
    if (at < end) roles[at] = CodeRole::kDoc;
  }
}

LinePlan PlanOf(const Document& document, const CodeLanguage& language) {
  LinePlan plan(document);
  plan.settled.assign(document.line_count(), true);
  plan.long_line = 300;
  std::vector<CodeRole> roles = OutlineCode(document, language);
  uint32_t imports = 0;
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    uint8_t& rank = plan.rank[line];
    switch (roles[line]) {
      case CodeRole::kDeclaration:
        rank = Rank::kSignal + 16;
        break;
      case CodeRole::kImport:
        rank = ++imports <= kManyImports ? Rank::kUseful + 16 : Rank::kFiller + 16;
        break;
      case CodeRole::kDoc:
        rank = Rank::kUseful + 8;
        break;
      case CodeRole::kMember:
        rank = Rank::kUseful;
        break;
      case CodeRole::kAttribute:
        rank = Rank::kFiller + 12;
        break;
      case CodeRole::kTop:
        rank = Rank::kFiller + 20;
        break;
      case CodeRole::kClosing:
        rank = Rank::kFiller + 4;
        break;
      case CodeRole::kComment:
      case CodeRole::kBlank:
        rank = Rank::kNoise;
        break;
      case CodeRole::kBody:
        rank = Rank::kFiller;
        break;
    }
    std::string_view text = document.Text(line);
    if (text.size() < 1000 && IsMarked(text))
      plan.Raise(line, Rank::kUseful + 24);
    else if (roles[line] == CodeRole::kBody && text.size() < 1000 && RaisesError(text))
      plan.Raise(line, Rank::kFiller + 24);
  }
  return plan;
}

// Unasked, a file is shown as it is up to a page.
class CodeShaper : public Shaper {
 public:
  CodeShaper(const Document& document, const CodeLanguage& language)
      : document_(document), lines_(ShapeLines(document, PlanOf(document, language))) {}

  std::vector<Piece> Make(const Limit& limit) const override {
    bool asked = document_.hints.policy == Policy::kExplicit;
    if (!asked && document_.bytes.size() <= limit.hard && document_.line_count() > 0) {
      return {QuoteLines(document_, 0, document_.line_count() - 1)};
    }
    return lines_->Make(limit);
  }

 private:
  const Document& document_;
  std::unique_ptr<Shaper> lines_;
};

const CodeLanguage* LanguageOf(const Document& document) {
  const CodeLanguage* language = LanguageOfPath(document.hints.path);
  return language ? language : LanguageOfText(document);
}

// "import time:       120 |        120 |   _io": a row of a table whose label is a word of code.
bool IsLabelled(std::string_view line, std::string_view first) {
  const size_t second = line.find_first_not_of(' ', first.size());
  if (second == std::string_view::npos) return false;
  const size_t end = line.find_first_of(" :", second);
  return end != std::string_view::npos && line[end] == ':' && line.find(" | ", end) != std::string_view::npos;
}

// Lines that end or begin as those of code do, in percent of those that are not blank.
uint32_t ShareOfCodeLines(const Document& document, const CodeLanguage& language) {
  uint32_t lines = 0, alike = 0;
  for (uint32_t line = 0; line < std::min(document.line_count(), kSample); ++line) {
    std::string_view text = document.Text(line);
    size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) continue;
    ++lines;
    std::string_view rest = text.substr(start);
    std::string_view first = FirstCodeWord(rest);
    char last = rest.find_last_not_of(" \t") == std::string_view::npos ? ' ' : rest[rest.find_last_not_of(" \t")];
    bool ends = std::string_view("{};,()[]:\\").find(last) != std::string_view::npos;
    bool begins = HoldsWord(language.imports, first) || HoldsWord(language.containers, first) ||
                  HoldsWord(language.functions, first) || HoldsWord(language.declarations, first) ||
                  rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with("* ") || rest[0] == '#' ||
                  rest[0] == '}' || rest[0] == '@';
    bool indented = start >= 2 && (language.blocks != CodeBlocks::kBraces || rest.find('(') != std::string_view::npos ||
                                   rest.find('=') != std::string_view::npos);
    alike += ends || indented || (begins && !IsLabelled(rest, first));
  }
  return lines == 0 ? 0 : alike * 100 / lines;
}

}  // namespace

std::vector<CodeRole> OutlineCode(const Document& document, const CodeLanguage& language) {
  std::vector<CodeRole> roles =
      language.blocks == CodeBlocks::kBraces ? OutlineBraces(document, language) : OutlineIndents(document, language);
  MarkDocs(document, roles);
  if (!roles.empty() && document.Text(0).starts_with("#!")) roles[0] = CodeRole::kImport;
  return roles;
}

Evidence DetectCode(const Document& document) {
  if (document.line_count() < 8) return {};
  const CodeLanguage* by_path = LanguageOfPath(document.hints.path);
  const CodeLanguage* language = by_path ? by_path : LanguageOfText(document);
  if (!language) return {};
  uint32_t share = ShareOfCodeLines(document, *language);
  if (by_path && share >= 40) return {70, "the path's language, and lines that read as its code"};
  if (share >= 75) return {52, "lines that read as code"};
  return {};
}

std::unique_ptr<Shaper> ShapeCode(const Document& document) {
  const CodeLanguage* language = LanguageOf(document);
  if (!language) return ShapeText(document);
  return std::make_unique<CodeShaper>(document, *language);
}

}  // namespace pith
