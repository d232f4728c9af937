// The accounting of a view, checked each time one is made. Compactors propose pieces; here is decided whether the
// pieces tell the truth about the original. A view that fails is dropped and the original shown in its place, so that a
// fault in a compactor costs tokens and never an answer.
#include <algorithm>

#include "compact/folds.h"
#include "compact/piece.h"

namespace pith {
namespace {

bool Owns(const Piece& piece) {
  return piece.type == Piece::Type::kQuote || piece.type == Piece::Type::kFold || piece.type == Piece::Type::kGap;
}

// Every byte has one owner: sorted, the spans join without hole or overlap from 0 to the size.
std::string CheckPartition(const Document& document, const std::vector<Piece>& pieces) {
  std::vector<Span> spans;
  for (const Piece& piece : pieces) {
    if (!Owns(piece)) continue;
    spans.push_back(piece.span);
    spans.insert(spans.end(), piece.more.begin(), piece.more.end());
  }
  if (!std::is_sorted(spans.begin(), spans.end(), [](Span a, Span b) { return a.begin < b.begin; })) {
    std::sort(spans.begin(), spans.end(), [](Span a, Span b) { return a.begin < b.begin; });
  }
  uint64_t at = 0;
  for (const Span& span : spans) {
    if (span.begin != at || span.end < span.begin) return "byte " + std::to_string(at) + " has no owner or two";
    at = span.end;
  }
  if (at != document.bytes.size()) return "bytes from " + std::to_string(at) + " have no owner";
  return "";
}

// The address that a gap shows names exactly the bytes that it owns.
std::string CheckAddress(const Document& document, const Piece& gap) {
  const Address& address = gap.address;
  bool right = true;
  if (address.form == Address::Form::kLines) {
    right = address.first >= 1 && address.first <= address.last && address.last <= document.line_count() &&
            document.lines.Lines(static_cast<uint32_t>(address.first - 1), static_cast<uint32_t>(address.last - 1)) ==
                gap.span;
  } else if (address.form == Address::Form::kBytes) {
    right = address.first == gap.span.begin && address.last == gap.span.size();
  } else {
    right = !address.json_path.empty() && address.json_path.front() == '$';
  }
  return right ? "" : "a gap's address " + AddressText(address) + " is not its span";
}

// Our own words stand in brackets, on one line, so that a reader can tell them from the original's. A glued note goes
// on with a line that one of ours, or the original, began.
bool IsOwnForm(const Piece& note) {
  return note.text.find('\n') == std::string::npos && (note.glued || note.text.starts_with('['));
}

}  // namespace

std::string CheckPieces(const Document& document, const std::vector<Piece>& pieces) {
  std::string fault = CheckPartition(document, pieces);
  for (size_t i = 0; i < pieces.size() && fault.empty(); ++i) {
    const Piece& piece = pieces[i];
    if (piece.type == Piece::Type::kGap) fault = CheckAddress(document, piece);
    if (piece.type == Piece::Type::kCite && piece.span.end > document.bytes.size()) fault = "a cite is out of bounds";
    if (piece.type == Piece::Type::kNote && !IsOwnForm(piece)) fault = "a note is not of our own form: " + piece.text;
    if (piece.type == Piece::Type::kFold && !FoldMatches(document, pieces, i)) {
      fault =
          "a fold does not decode to bytes " + std::to_string(piece.span.begin) + "-" + std::to_string(piece.span.end);
    }
  }
  return fault;
}

}  // namespace pith
