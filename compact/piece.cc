#include "compact/piece.h"

#include "base/units.h"
#include "compact/display.h"

namespace pith {
namespace {

Piece OfType(Piece::Type type, Span span) {
  Piece piece;
  piece.type = type;
  piece.span = span;
  return piece;
}

}  // namespace

// Nouns are plural; a single one drops its s, or its es.
std::string Counted(uint64_t count, std::string_view noun) {
  std::string one(noun);
  if (noun.ends_with("matches") || noun.ends_with("passes")) {
    one.resize(one.size() - 2);
  } else if (noun.ends_with("ies")) {
    one.replace(one.size() - 3, 3, "y");
  } else if (noun.ends_with('s')) {
    one.pop_back();
  }
  return CountText(count, one, noun);
}

Piece Quote(Span span) { return OfType(Piece::Type::kQuote, span); }

Piece QuoteLines(const Document& document, uint32_t first, uint32_t last) {
  return Quote(document.lines.Lines(first, last));
}

Piece Cite(Span span) { return OfType(Piece::Type::kCite, span); }

Piece Note(std::string text) {
  Piece piece = OfType(Piece::Type::kNote, {});
  piece.text = std::move(text);
  return piece;
}

Piece Fold(FoldForm form, Span span, std::string text) {
  Piece piece = OfType(Piece::Type::kFold, span);
  piece.form = form;
  piece.text = std::move(text);
  return piece;
}

Piece GapOfLines(const Document& document, uint32_t first, uint32_t last, std::string_view noun) {
  Piece piece = OfType(Piece::Type::kGap, document.lines.Lines(first, last));
  piece.address = {Address::Form::kLines, first + 1ull, last + 1ull, {}};
  piece.count = last - first + 1ull;
  piece.noun = noun;
  return piece;
}

Piece GapOfBytes(Span span) {
  Piece piece = OfType(Piece::Type::kGap, span);
  piece.address = {Address::Form::kBytes, span.begin, span.size(), {}};
  piece.count = span.size();
  piece.noun = "bytes";
  piece.glued = true;
  return piece;
}

Piece GapOfJson(Span span, std::string json_path, uint64_t count, std::string_view noun) {
  Piece piece = OfType(Piece::Type::kGap, span);
  piece.address = {Address::Form::kJsonPath, 0, 0, std::move(json_path)};
  piece.count = count;
  piece.noun = noun;
  return piece;
}

std::string AddressText(const Address& address) {
  switch (address.form) {
    case Address::Form::kLines:
      return "lines " + std::to_string(address.first) +
             (address.last == address.first ? "" : "-" + std::to_string(address.last));
    case Address::Form::kBytes:
      return "bytes " + std::to_string(address.first) + "+" + std::to_string(address.last);
    case Address::Form::kJsonPath:
      return "json_path " + address.json_path;
  }
  return "";
}

void AddDetail(Piece& gap, uint64_t count, std::string_view plural) {
  if (count == 0 || gap.noun == plural) return;
  if (!gap.detail.empty()) gap.detail += ", ";
  gap.detail += Counted(count, plural);
}

void CountHiddenSignals(const Document& document, std::vector<Piece>& pieces) {
  std::vector<Signal> hidden = document.signals;
  for (const Piece& piece : pieces) {
    const bool shows = piece.type == Piece::Type::kQuote || piece.type == Piece::Type::kCite;
    if (!shows || piece.span.size() == 0) continue;
    const uint32_t last = document.lines.LineAt(piece.span.end - 1);
    for (uint32_t line = document.lines.LineAt(piece.span.begin); line <= last; ++line) hidden[line] = Signal::kNone;
  }
  for (Piece& gap : pieces) {
    if (gap.type != Piece::Type::kGap || gap.weighed || gap.span.size() == 0) continue;
    if (gap.noun == "matches" || gap.noun == "context lines") continue;
    uint64_t errors = 0, warnings = 0;
    const uint32_t first = document.lines.LineAt(gap.span.begin), last = document.lines.LineAt(gap.span.end - 1);
    for (uint32_t line = first; line <= last; ++line) {
      const Span whole = document.lines.Line(line);
      const uint64_t end = whole.begin + document.Text(line).size();
      if (gap.span.begin > whole.begin + 2 || gap.span.end + 2 < end) continue;  // a JSON value within its line
      errors += hidden[line] >= Signal::kError;
      warnings += hidden[line] == Signal::kWarning;
    }
    AddDetail(gap, errors, "errors");
    AddDetail(gap, warnings, "warnings");
  }
}

std::string RenderGap(const Document& document, const Piece& gap) {
  std::string address = AddressText(document.InOriginal(gap.address));
  if (gap.address.form == Address::Form::kBytes) {
    return "[" + address + " omitted" + (gap.detail.empty() ? "" : ", " + gap.detail) + "]";
  }
  if (gap.address.form == Address::Form::kLines) address.erase(0, 6);
  std::string out = "[" + Counted(gap.count, gap.noun) + " omitted: " + address;
  if (!gap.detail.empty()) out += ", " + gap.detail;
  return out + "]";
}

void RenderPiece(const Document& document, const Piece& piece, std::string& out) {
  if (!piece.glued && !out.empty() && out.back() != '\n') out += '\n';
  if (piece.glued && !out.empty() && out.back() == '\n') out.pop_back();
  switch (piece.type) {
    case Piece::Type::kQuote:
      if (document.needs_display) {
        AppendDisplayed(document.Bytes(piece.span), out);
      } else {
        out += document.Bytes(piece.span);
      }
      break;
    case Piece::Type::kCite: {
      std::string_view bytes = document.Bytes(piece.span);
      if (bytes.ends_with('\n')) bytes.remove_suffix(1);
      AppendDisplayed(bytes, out);
      break;
    }
    case Piece::Type::kFold:
    case Piece::Type::kNote:
      out += piece.text;
      break;
    case Piece::Type::kGap:
      out += RenderGap(document, piece);
      break;
  }
}

std::string Render(const Document& document, const std::vector<Piece>& pieces) {
  std::string out;
  for (const Piece& piece : pieces) RenderPiece(document, piece, out);
  return out;
}

}  // namespace pith
