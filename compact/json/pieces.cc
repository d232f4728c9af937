#include "compact/json/pieces.h"

#include <algorithm>

namespace pith {

void JsonPieces::ShowUpTo(uint64_t end) {
  std::string_view text = document_->bytes.substr(0, end);
  if (at_ == 0 && text.starts_with("\xEF\xBB\xBF")) at_ = 3;
  for (size_t at = SkipJsonBlanks(text, at_); at < text.size(); at = SkipJsonBlanks(text, at)) {
    size_t length = std::max<size_t>(JsonTokenLength(text, at), 1);
    text_.append(text, at, length);
    if (text[at] == '"') {
      size_t after = SkipJsonBlanks(document_->bytes, at + length);
      if (after < document_->bytes.size() && document_->bytes[after] == ':') KeyShown(text.substr(at, length));
    }
    at += length;
  }
  at_ = std::max(at_, end);
}

void JsonPieces::BreakLine() {
  if (text_.empty())
    fresh_ = true;
  else if (text_.back() != '\n')
    text_ += '\n';
}

void JsonPieces::Flush() {
  if (at_ > begin_) {
    bool ends_line = !text_.empty() && text_.back() == '\n';
    if (ends_line) text_.pop_back();
    bool fresh = fresh_ && !text_.empty();
    Piece fold = Fold(FoldForm::kJson, {begin_, at_}, std::move(text_));
    fold.glued = !fresh;
    size_ += fold.text.size();
    if (!fold.text.empty()) fresh_ = ends_line;
    pieces_.push_back(std::move(fold));
  }
  text_.clear();
  begin_ = at_;
}

void JsonPieces::Add(Piece piece, bool own_line) {
  piece.glued = !own_line && !fresh_;
  fresh_ = piece.type == Piece::Type::kQuote && piece.span.end > 0 && document_->bytes[piece.span.end - 1] == '\n';
  size_ += piece.type == Piece::Type::kGap    ? RenderGap(*document_, piece).size()
           : piece.type == Piece::Type::kFold ? piece.text.size()
                                              : piece.span.size() + piece.text.size();
  pieces_.push_back(std::move(piece));
}

void JsonPieces::Put(Piece piece, bool own_line) {
  ShowUpTo(piece.span.begin);
  Flush();
  begin_ = at_ = piece.span.end;
  Add(std::move(piece), own_line);
}

void JsonPieces::PutRows(Span span, std::string text, std::string schema) {
  ShowUpTo(span.begin);
  Flush();
  begin_ = at_ = span.end;
  Piece fold = Fold(FoldForm::kJson, span, std::move(text));
  fold.detail = std::move(schema);
  Add(std::move(fold), true);
  fresh_ = true;
}

void JsonPieces::Say(Piece piece, bool own_line) {
  Flush();
  Add(std::move(piece), own_line);
}

std::vector<Piece> JsonPieces::Finish(uint64_t end) {
  ShowUpTo(end);
  Flush();
  return std::move(pieces_);
}

}  // namespace pith
