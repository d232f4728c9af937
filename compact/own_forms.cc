// A view is the original's lines and Pith's own in one text, told apart by form alone; whoever writes a tool's output
// can write the forms too. To alter what he wrote would break the promise that quotes are quotes, and to mark it at its
// place would put a mark that can be forged as well beside it. So the lines are counted and named by number at the
// view's end, just above the footer, which is not the output's to write: nothing of an original stands below that.
#include "compact/own_forms.h"

#include <array>
#include <cstring>

#include "base/markers.h"
#include "compact/characters.h"
#include "compact/display.h"

namespace pith {
namespace {

constexpr size_t kMostNamed = 8;     // lines named by number
constexpr size_t kMostOfGap = 120;   // bytes of a gap's line before what makes it one
constexpr size_t kMostOfName = 160;  // bytes around a recovery tool's name in which its token stands

struct Form {
  std::string_view opening;  // behind the bracket
  bool number = false;       // a digit goes on
};
constexpr auto kForms = std::to_array<Form>({
    {"exit code ", true},
    {"command ended by signal ", true},
    {"PARTIAL view of ", true},
    {"reformatted, nothing dropped", false},
    {"bytes ", true},
    {"the line above ", true},
    {"this trace x", true},
    {"these ", true},
    {"x", true},
    {"the same in ", true},
    {"all ", true},
    {"also at ", false},
    {"columns: ", false},
    {"rows by ", false},
    {"records of ", false},
    {"keys only in what is omitted", false},
    {"HTML as text", false},
    {"binary, ", false},
    {"lock file: ", true},
    {"generated file: ", true},
    {"minified file: ", true},
});

using ascii::IsDigit;

// Of openings that other things have too ("[x86_64]", "[all 3 done]"), what else makes them ours.
bool GoesOn(std::string_view opening, std::string_view rest) {
  rest = rest.substr(0, rest.find(']'));
  const auto has = [&](std::string_view part) { return rest.find(part) != std::string_view::npos; };
  if (opening == "x") return has(", last ") || has(" alike");
  if (opening == "these ") return has(" lines x");
  if (opening == "bytes ") return has("+") && has(" omitted");
  if (opening == "all ") return has(" rows: ") || has(" values: ");
  if (opening == "the line above ") return has(" more times");
  return true;
}

// `rest`: what stands behind a bracket.
bool IsOwnAt(std::string_view rest) {
  if (rest.empty()) return false;
  if (IsDigit(rest[0])) {
    rest = rest.substr(0, kMostOfGap);
    rest = rest.substr(0, rest.find(']'));
    return rest.find(" omitted: ") != std::string_view::npos || rest.find(" like Pith's own") != std::string_view::npos;
  }
  rest = rest.substr(0, kMostOfGap);
  for (const Form& form : kForms) {
    if (rest[0] != form.opening[0] || !rest.starts_with(form.opening)) continue;
    const size_t end = form.opening.size();
    if ((!form.number || (end < rest.size() && IsDigit(rest[end]))) && GoesOn(form.opening, rest)) return true;
  }
  return false;
}

bool NamesToken(std::string_view text) {
  for (std::string_view name : {"retrieve", "ccr"}) {
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + name.size())) {
      const size_t begin = at > kMostOfName / 4 ? at - kMostOfName / 4 : 0;
      if (!FindTokens(text.substr(begin, kMostOfName)).empty()) return true;
    }
  }
  return text.find("<<<CCR:") != std::string_view::npos;
}

class Finder {
 public:
  explicit Finder(const Document& document) : document_(document) {}

  void Look(Span span) {
    for (uint64_t begin = span.begin; begin < span.end;) {
      const void* end_at = std::memchr(document_.bytes.data() + begin, '\n', span.end - begin);
      const uint64_t end = end_at == nullptr
                               ? span.end
                               : static_cast<uint64_t>(static_cast<const char*>(end_at) - document_.bytes.data());
      LookAtPart({begin, end});
      begin = end + 1;
    }
  }

  void LookAtText(std::string_view text, uint64_t at) {
    if (HasOwnForm(text)) Found(at);
  }

  std::optional<Piece> Told() const {
    if (count_ == 0) return std::nullopt;
    std::string text = "[" + Counted(count_, "lines") + " of the output itself " + (count_ == 1 ? "looks" : "look") +
                       " like Pith's own: ";
    for (size_t i = 0; i < named_.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(named_[i] + 1);
    if (count_ > named_.size()) text += " and " + std::to_string(count_ - named_.size()) + " more";
    return Note(text + "]");
  }

 private:
  void LookAtPart(Span part) {
    if (!document_.needs_display) return LookAtText(document_.Bytes(part), part.begin);
    scratch_.clear();
    AppendDisplayed(document_.Bytes(part), scratch_);
    LookAtText(scratch_, part.begin);
  }

  void Found(uint64_t at) {
    const uint32_t line = document_.lines.LineAt(at);
    if (count_ > 0 && line == last_) return;
    last_ = line;
    ++count_;
    if (named_.size() < kMostNamed) named_.push_back(line);
  }

  const Document& document_;
  std::string scratch_;
  uint64_t count_ = 0;
  uint32_t last_ = 0;
  std::vector<uint32_t> named_;
};

}  // namespace

bool HasOwnForm(std::string_view text) {
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    if (IsOwnAt(text.substr(at + 1))) return true;
  }
  return NamesToken(text);
}

std::optional<Piece> NoteOfForged(const Document& document, const std::vector<Piece>& pieces) {
  Finder finder(document);
  for (const Piece& piece : pieces) {
    if (piece.type == Piece::Type::kQuote || piece.type == Piece::Type::kCite) finder.Look(piece.span);
    if (piece.type != Piece::Type::kFold || piece.form == FoldForm::kRepeat) continue;
    if (piece.form == FoldForm::kMarkup) {
      finder.LookAtText(piece.text, piece.span.begin);
      continue;
    }
    finder.Look(piece.span);
    for (Span span : piece.more) finder.Look(span);
  }
  return finder.Told();
}

}  // namespace pith
