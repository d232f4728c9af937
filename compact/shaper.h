// What a kind brings: evidence that an original is of it, and a Shaper that turns the original into pieces under a
// limit.
//
// Most kinds are line kinds: they give each line a rank and a noun (LinePlan) and leave choosing, gaps, repeats, long
// lines and budgets to the engine (ShapeLines). Kinds with a form of their own (tables, grouped matches) bring a
// Shaper.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compact/piece.h"

namespace pith {

// How much of the view's bytes may be spent. `soft`: stop adding what is merely useful. `hard`: never above, signal or
// not. `fill`: the reader gave a budget; what is left of it may go to lines below kUseful.
struct Limit {
  uint64_t soft = 10000, hard = 40000;
  bool fill = false;
};

// Analyses once (in the constructor), then gives pieces for any limit, any number of times. Linear, bounded memory.
class Shaper {
 public:
  virtual ~Shaper() = default;
  virtual std::vector<Piece> Make(const Limit& limit) const = 0;
  // What must be shown for the view to keep its promise (a patch's changed lines), in bytes; 0: one page always does.
  // Where somebody asked for the view and set no budget, the hard limit grows up to it, within kMostViewBytes.
  virtual uint64_t SignalBytes() const { return 0; }
};
inline constexpr uint64_t kMostViewBytes = 100000;  // what hosts of MCP tools show whole when asked to

// Ranks of a line: what is shown first when space is short. Finer steps between the named ones are free to use.
struct Rank {
  static constexpr uint8_t kNoise = 0;      // never shown for its own sake: progress, passes, boilerplate
  static constexpr uint8_t kFiller = 32;    // shown only with a token budget that leaves room
  static constexpr uint8_t kUseful = 128;   // shown within the soft limit
  static constexpr uint8_t kSignal = 192;   // shown up to the hard limit
  static constexpr uint8_t kVerdict = 250;  // the last to go: the error that ended it, the runner's summary
};

// A note glued to no line: shown on its own line before or after `line`, only when that line is shown.
struct LineNote {
  uint32_t line = 0;
  bool after = false;
  std::vector<Piece> pieces;  // notes and cites
  // Parts of `pieces` that cite other lines, ascending: [begin, end). One whose line is shown is left out, with it the
  // piece before it (", "; of the first part that after it); a note with none left is not shown.
  struct Part {
    uint32_t line = 0;
    size_t begin = 0, end = 0;
  };
  std::vector<Part> parts = {};
};

struct LinePlan {
  explicit LinePlan(const Document& document)
      : rank(document.line_count(), Rank::kFiller), noun(document.line_count(), 0) {}
  std::vector<uint8_t> rank;                   // one a line
  std::vector<uint8_t> noun;                   // one a line: index into nouns
  std::vector<std::string> nouns = {"lines"};  // plural
  // One a noun: the gravest signal that it tells of by itself ("repeated diagnostics"), so that no gap tells of a line
  // twice. Lines of a graver one are told of as that in its stead.
  std::vector<Signal> told = {Signal::kNone};
  std::vector<LineNote> notes;                   // ascending by line
  std::vector<std::pair<uint32_t, Span>> focus;  // ascending by line: what a long line is cut around
  uint64_t long_line = 600;                      // bytes above which a shown line is shortened around its focus
  // Lines whose signal the kind has weighed itself (a passing test called test_error, the tenth copy of one traceback):
  // the shared rules do not raise them again. Empty: none.
  std::vector<bool> settled;
  bool counts_settled = false;  // they are counted in gaps all the same: what was weighed is how often to show them

  void Raise(uint32_t line, uint8_t to) {
    if (rank[line] < to) rank[line] = to;
  }
  uint8_t NounIndex(std::string_view plural, Signal tells = Signal::kNone);  // adds it when new
};

// Signals of the document and matches of hints.query are raised in the plan first: a kind cannot unmark them.
std::unique_ptr<Shaper> ShapeLines(const Document& document, LinePlan plan);

// Appends the pieces of one long line: its head, what is `wanted` of it (bytes of the original, may be empty) with what
// stands around, its tail; gaps of bytes between. About `room` bytes are shown. Never cuts a UTF-8 sequence.
void ShortenLine(const Document& document, Span line, Span wanted, uint64_t room, std::vector<Piece>& pieces);

// Where in a long line its signal stands; empty at the line's begin if it has none.
Span SignalWithin(const Document& document, Span line);

struct Evidence {
  int score = 0;            // 0: not this kind; 100: cannot be anything else
  std::string_view reason;  // static, for --explain
};

struct KindRow {
  Kind kind;
  std::string_view name;
  int most;                                           // the highest score that `detect` gives
  Evidence (*detect)(const Document&);                // looks at structure; cheap (samples long originals)
  std::unique_ptr<Shaper> (*shape)(const Document&);  // nullptr: always exact
};

// The table of kinds, kinds.cc. A new kind is one file and one row.
const KindRow& RowOf(Kind kind);
std::vector<const KindRow*> AllKinds();

// The kind of a document, by hints where they are sure, else by evidence. `why` gets the reasons when not null,
// `evidence` the score of what its lines show, without what the command or the path adds.
Kind DetectKind(const Document& document, std::string* why = nullptr, int* evidence = nullptr);

// What the mime type or the path's ending says of the kind.
std::optional<Kind> KindByName(const Hints& hints);

}  // namespace pith
