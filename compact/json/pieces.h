// Turns a walk over a JSON original into pieces. The walker says, in the order of the text, what is shown, what is left
// out and where lines begin; blanks, commas and brackets in between find their owner by themselves.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "compact/json/table.h"
#include "compact/piece.h"

namespace pith {

class JsonPieces {
 public:
  // Pieces own document bytes from `begin` on.
  JsonPieces(const Document& document, uint64_t begin) : document_(&document), begin_(begin), at_(begin) {}

  // Shows the tokens from where the last call ended up to `end`.
  void ShowUpTo(uint64_t end);
  // What comes next starts a line.
  void BreakLine();
  // Shows up to the piece's span, then the piece: a gap, or a quote of a part of a string.
  void Put(Piece piece, bool own_line);
  // Rows of a table, without the array's brackets: owns `span`. `schema` is empty when `text` has the header itself.
  void PutRows(Span span, std::string text, std::string schema);
  // A note or a cite: owns nothing.
  void Say(Piece piece, bool own_line);
  // Shows up to `end` and gives the pieces.
  std::vector<Piece> Finish(uint64_t end);

  // Bytes of text so far, gaps estimated.
  uint64_t size() const { return size_ + text_.size(); }
  // Keys shown so far, with their quotes; keys of tables are told by KeyShown.
  const std::unordered_set<std::string_view>& keys() const { return keys_; }
  void KeyShown(std::string_view key) { keys_.insert(key); }

 private:
  void Flush();
  void Add(Piece piece, bool own_line);

  const Document* document_;
  uint64_t begin_, at_;  // of the fold being made
  std::string text_;
  bool fresh_ = true;  // the next piece starts a line
  uint64_t size_ = 0;
  std::vector<Piece> pieces_;
  std::unordered_set<std::string_view> keys_;
};

}  // namespace pith
