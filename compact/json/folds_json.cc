// Why decode at run time what was encoded a moment ago? Because "lossless" is a promise that every peer has broken for
// some input: null for missing, 1 for "1", a key twice. Here the claim is checked on each view, by code that shares
// with the writer nothing but the grammar, against the tokens of the original itself.
#include "compact/json/folds_json.h"

#include "compact/json/table.h"

namespace pith {
namespace {

// The tokens of the spans of a fold, in order.
class TokenCursor {
 public:
  TokenCursor(const Document& document, const Piece& fold) : document_(document), fold_(fold) {
    Enter(fold.span);
    if (fold.span.begin == 0 && text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  // The next token, empty at the end, or one byte that starts none.
  std::string_view Peek() {
    if (token_.empty()) {
      while ((at_ = SkipJsonBlanks(text_, at_)) == text_.size() && next_ < fold_.more.size())
        Enter(fold_.more[next_++]);
      if (at_ < text_.size()) token_ = text_.substr(at_, std::max<size_t>(JsonTokenLength(text_, at_), 1));
    }
    return token_;
  }

  bool Take(std::string_view expected) {
    if (Peek() != expected) return false;
    at_ += token_.size();
    token_ = {};
    return true;
  }

 private:
  void Enter(Span span) {
    text_ = document_.Bytes(span);
    at_ = 0;
  }

  const Document& document_;
  const Piece& fold_;
  std::string_view text_, token_;
  size_t at_ = 0, next_ = 0;
};

bool TokensMatch(std::string_view text, TokenCursor& cursor) {
  for (size_t at = SkipJsonBlanks(text, 0); at < text.size(); at = SkipJsonBlanks(text, at)) {
    size_t length = JsonTokenLength(text, at);
    if (length == 0 || !cursor.Take(text.substr(at, length))) return false;
    at += length;
  }
  return cursor.Peek().empty();
}

// Reads one row and takes from the cursor the tokens that it stands for.
class RowReader {
 public:
  RowReader(std::string_view row, TokenCursor& cursor) : row_(row), cursor_(cursor) {}

  bool Row(const JsonSchema& schema) {
    if (row_.starts_with('=')) {
      ++at_;
      return Json() && at_ == row_.size();
    }
    return Cells(schema) && at_ == row_.size();
  }

 private:
  bool At(char c) const { return at_ < row_.size() && row_[at_] == c; }
  bool CellEnds() const { return at_ == row_.size() || row_[at_] == ',' || row_[at_] == ')'; }

  bool Cells(const JsonSchema& schema) {
    if (!cursor_.Take("{")) return false;
    bool first_cell = true, first_member = true;
    for (const JsonField& field : schema.fields) {
      if (field.constant.empty()) {
        if (!first_cell && !At(',')) return false;
        at_ += first_cell ? 0 : 1;
        first_cell = false;
        if (CellEnds()) continue;  // the object has no such key
      }
      if (!first_member && !cursor_.Take(",")) return false;
      first_member = false;
      if (!cursor_.Take(field.key) || !cursor_.Take(":")) return false;
      if (field.constant.empty() ? !Value(field.value[0]) : !cursor_.Take(field.constant)) return false;
    }
    return cursor_.Take("}");
  }

  bool Value(const JsonSchema& schema) {
    if (schema.form == JsonSchema::Form::kTuple && At('(')) {
      ++at_;
      if (!Cells(schema) || !At(')')) return false;
      ++at_;
      return true;
    }
    if (schema.form != JsonSchema::Form::kArray || !At('[')) return Json();
    ++at_;
    if (!cursor_.Take("[")) return false;
    for (bool first = true; !At(']'); first = false) {
      if (!first && (!At(',') || !cursor_.Take(","))) return false;
      at_ += first ? 0 : 1;
      if (!Value(schema.items[0])) return false;
    }
    ++at_;
    return cursor_.Take("]");
  }

  // One JSON value, token by token; depth is counted, not recursed into.
  bool Json() {
    int depth = 0;
    do {
      size_t length = JsonTokenLength(row_, at_);
      if (length == 0 || !cursor_.Take(row_.substr(at_, length))) return false;
      if (row_[at_] == '{' || row_[at_] == '[') ++depth;
      if (row_[at_] == '}' || row_[at_] == ']') --depth;
      at_ += length;
    } while (depth > 0 && at_ < row_.size());
    return depth == 0;
  }

  std::string_view row_;
  size_t at_ = 0;
  TokenCursor& cursor_;
};

// Rows of an array have commas between them, records of a stream have none: one or the other throughout.
bool RowsMatch(std::string_view rows, const JsonSchema& schema, TokenCursor& cursor) {
  if (cursor.Peek() == ",") cursor.Take(",");
  std::optional<bool> commas;
  for (bool first = true, more = true; more; first = false) {
    if (!first) {
      bool comma = cursor.Take(",");
      if (commas.value_or(comma) != comma) return false;
      commas = comma;
    }
    size_t end = rows.find('\n');
    more = end != std::string_view::npos;
    if (!RowReader(rows.substr(0, end), cursor).Row(schema)) return false;
    if (more) rows.remove_prefix(end + 1);
  }
  if (cursor.Peek() == ",") cursor.Take(",");
  return cursor.Peek().empty();
}

bool HeaderShownBefore(const std::vector<Piece>& pieces, size_t at, std::string_view schema) {
  while (at-- > 0) {
    if (pieces[at].type != Piece::Type::kFold || pieces[at].form != FoldForm::kJson) continue;
    std::string_view text = pieces[at].text;
    std::string_view shown = SchemaInHeader(text.substr(0, text.find('\n')));
    if (!shown.empty()) return shown == schema;
  }
  return false;
}

}  // namespace

bool JsonFoldMatches(const Document& document, const std::vector<Piece>& pieces, size_t at) {
  const Piece& fold = pieces[at];
  TokenCursor cursor(document, fold);
  std::string_view text = fold.text;
  std::string_view schema_text = fold.detail;
  if (!schema_text.empty()) {
    if (!HeaderShownBefore(pieces, at, schema_text)) return false;
  } else {
    size_t line = text.find('\n');
    schema_text = SchemaInHeader(text.substr(0, line));
    if (schema_text.empty()) return TokensMatch(text, cursor);
    if (line == std::string_view::npos) return false;
    text.remove_prefix(line + 1);
  }
  std::optional<JsonSchema> schema = ReadSchema(schema_text);
  return schema && schema->form == JsonSchema::Form::kTuple && RowsMatch(text, *schema, cursor);
}

}  // namespace pith
