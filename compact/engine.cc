// bytes -> line index -> detect kind -> policy -> candidates -> guard -> view, as a sequence of passes (Compact,
// below).
//
// The candidates are, in this order, the sections of a mixed original, the kind's own shape and the general lines view;
// each is asked for under a limit that is tightened until the view fits, and the first that the guard accepts is shown.
// They are not weighed against each other by the signals they keep and their tokens: a kind knows better than shared
// words what must be seen (the name of a passing test is no error, a changed line is more than one that says "failed"),
// so nearly every second of 695 real outputs would be shown as mere lines, ten times as long or without its matches and
// declarations. The guard lets a view through only if its accounting holds and it is smaller than the original, footer
// counted, in bytes and in tokens. Everything else is the original, unchanged.
#include <algorithm>
#include <array>
#include <optional>

#include "base/aside.h"
#include "base/token.h"
#include "compact/binary.h"
#include "compact/blocks.h"
#include "compact/diff/lines.h"
#include "compact/estimate.h"
#include "compact/explain.h"
#include "compact/kinds.h"
#include "compact/own_forms.h"
#include "compact/policy.h"
#include "compact/rule_signals.h"
#include "compact/sections.h"

namespace pith {
namespace {

constexpr uint64_t kLargestOriginal = UINT32_MAX - 1ull;  // LineIndex keeps 4-byte offsets
constexpr uint64_t kWorthAThread = 512 << 10;             // bytes: from here on hashing costs more than a thread
constexpr int kMostTightenings = 12;

struct Made {
  std::vector<Piece> pieces;
  std::string text;
  int tightenings = 0;
};

bool SameAsOriginal(const Made& made, std::string_view original) { return made.text == original; }

ViewClass ClassOf(const Document& document, const std::vector<Piece>& pieces) {
  if (document.needs_display || document.plain.differs()) return ViewClass::kPartial;
  bool gap = std::any_of(pieces.begin(), pieces.end(), [](const Piece& p) {
    return p.type == Piece::Type::kGap || p.form == FoldForm::kMarkup;  // what tags say beside their text is not shown
  });
  return gap ? ViewClass::kPartial : ViewClass::kLossless;
}

// Line states and signals of a view, from the spans that its pieces own; the signal of a line that is cited is kept.
void CountLines(const Document& document, const std::vector<Piece>& pieces, View& view) {
  enum State : uint8_t { kUnset = 0, kQuoted = 1, kFolded = 2, kHidden = 4, kCited = 8 };
  std::vector<uint8_t> states(document.line_count(), kUnset);
  auto mark = [&](Span span, State state) {
    if (span.size() == 0) return;
    uint32_t last = document.lines.LineAt(span.end - 1);
    for (uint32_t line = document.lines.LineAt(span.begin); line <= last; ++line) states[line] |= state;
  };
  for (const Piece& piece : pieces) {
    bool folded = piece.type == Piece::Type::kFold && piece.form != FoldForm::kMarkup;
    State state = piece.type == Piece::Type::kQuote ? kQuoted : folded ? kFolded : kHidden;
    if (piece.form == FoldForm::kMarkup) mark(piece.span, kQuoted);  // it shows a part of its lines
    if (piece.type == Piece::Type::kCite) mark(piece.span, kCited);
    if (piece.type == Piece::Type::kNote || piece.type == Piece::Type::kCite) continue;
    mark(piece.span, state);
    for (Span span : piece.more) mark(span, state);
    if (piece.type == Piece::Type::kGap) view.gaps.push_back(document.InOriginal(piece.address));
  }
  std::array<uint64_t, 16> lines_of{};  // by state
  for (size_t line = 0, run = 0; line < states.size(); line += run) {
    run = EqualRun(states.data() + line, states.size() - line);
    lines_of[states[line]] += run;
  }
  for (size_t cited : {size_t{0}, size_t{kCited}}) {
    view.lines.exact += lines_of[cited | kQuoted];
    view.lines.folded += lines_of[cited | kFolded] + lines_of[cited | kFolded | kQuoted];
    view.lines.omitted += lines_of[cited | kHidden];
    for (size_t shown = kQuoted; shown < kHidden; ++shown) view.lines.shortened += lines_of[cited | kHidden | shown];
  }
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    if (document.signals[line] < Signal::kError) continue;
    ++view.signals.total;
    view.signals.kept += states[line] != kHidden;
  }
}

// What an exit code means to the one program whose it is, where that is more than that it failed.
std::string_view ExitWords(const Command& command, int code) {
  if (command.rule == nullptr || command.compound || command.filtered) return {};
  const ExitMeaning* meaning = MeaningOf(*command.rule, code);
  const bool plain = meaning == nullptr || (meaning->failure && meaning->words.ends_with("failed"));
  return plain ? std::string_view() : meaning->words;
}

FooterFacts FactsOf(const Document& document, ViewClass view_class, std::string_view token) {
  FooterFacts facts;
  facts.view_class = view_class;
  facts.bytes = document.plain.original().size();
  facts.lines = document.line_count();
  facts.token = token;
  facts.host_cut = document.hints.host_cut;
  facts.exit_code = document.hints.exit_code;
  if (facts.exit_code) facts.exit_words = ExitWords(document.command, *facts.exit_code);
  facts.signal = document.hints.signal;
  return facts;
}

// What a view may cost. Bytes guide the shapers; where the reader gave tokens, tokens decide.
class Budget {
 public:
  Budget(const Document& document, const CompactOptions& options, std::string_view token, uint64_t original_tokens)
      : max_tokens_(document.hints.max_tokens) {
    footer_ = "\n" + Footer(options.marker_style, FactsOf(document, ViewClass::kPartial, token));
    uint64_t footer_tokens = EstimateTokens(footer_);
    limit_.soft = options.soft_bytes;
    limit_.hard = options.hard ? options.soft_bytes : options.page_bytes;
    if (max_tokens_) {
      uint64_t room = *max_tokens_ > footer_tokens ? *max_tokens_ - footer_tokens : 0;
      double bytes_per_token = static_cast<double>(document.plain.original().size()) /
                               static_cast<double>(std::max<uint64_t>(1, original_tokens));
      limit_.soft = limit_.hard =
          static_cast<uint64_t>(static_cast<double>(room) * std::clamp(bytes_per_token, 1.0, 6.0));
      limit_.fill = true;
    }
    soft_ = limit_.soft;
    most_bytes_ = max_tokens_ ? UINT64_MAX : limit_.hard;
    grows_ = !max_tokens_ && !options.hard && options.page_bytes >= CompactOptions{}.page_bytes &&
             document.hints.policy == Policy::kExplicit;
  }

  const Limit& limit() const { return limit_; }

  // What the least view costs: everything in one gap, and the footer.
  uint64_t Floor(const Document& document) const {
    Piece gap = GapOfLines(document, 0, document.line_count() - 1);
    return EstimateTokens(RenderGap(document, gap) + footer_);
  }
  uint64_t FooterTokens() const { return EstimateTokens(footer_); }

  // Room for what a kind promises to show, where the road allows for it.
  void Grow(uint64_t bytes) {
    if (grows_) limit_.hard = most_bytes_ = std::max(limit_.hard, std::min(bytes, kMostViewBytes));
  }

  // What `text` takes of the budget: at most 1 where it fits.
  double ShareOf(const std::string& text) const {
    const uint64_t takes = max_tokens_ ? EstimateTokens(text + footer_) : text.size();
    const uint64_t most = max_tokens_ ? *max_tokens_ : most_bytes_;
    return static_cast<double>(takes) / static_cast<double>(std::max<uint64_t>(1, most));
  }
  // Whether a reader's own limit is overrun by a view that could be smaller.
  bool Overruns(uint64_t tokens, const Document& document) const {
    return max_tokens_ && tokens > std::max(*max_tokens_, Floor(document));
  }
  // Of it, once the limit had to be tightened: a page need not be full, but what a reader asked for is used.
  double Enough() const { return max_tokens_ ? 0.9 : 0.5; }
  void Tighten(uint64_t hard) {
    limit_.hard = hard;
    limit_.soft = std::min(soft_, hard);
  }

 private:
  Limit limit_;
  uint64_t soft_ = 0;  // before any tightening
  std::optional<uint64_t> max_tokens_;
  std::string footer_;
  uint64_t most_bytes_ = 0;
  bool grows_ = false;
};

Made MakeFor(const Document& document, const Shaper& shaper, const Limit& limit) {
  Made made;
  made.pieces = shaper.Make(limit);
  CountHiddenSignals(document, made.pieces);
  made.text = Render(document, made.pieces);
  if (SameAsOriginal(made, document.plain.original())) return made;
  if (std::optional<Piece> forged = NoteOfForged(document, made.pieces)) {
    RenderPiece(document, *forged, made.text);
    made.pieces.push_back(std::move(*forged));
  }
  return made;
}

// The largest view that fits, as far as a few looks tell. What a shaper makes need not grow evenly with its limit: so
// once a limit fits that leaves much of the budget unused, the ground between it and the last that did not is halved.
// Stopped: what there is by then, which nobody will see.
Made MakeWithin(const Document& document, const Shaper& shaper, Budget budget, const StopAsked* stop) {
  budget.Grow(shaper.SignalBytes());
  std::optional<Made> best;
  uint64_t fits = 0, fails = budget.limit().hard;
  for (int i = 0; i < kMostTightenings; ++i) {
    const uint64_t hard = budget.limit().hard;
    Made made = MakeFor(document, shaper, budget.limit());
    made.tightenings = i;
    const double share = budget.ShareOf(made.text);
    if (Stops(stop)) return made;
    if (share <= 1) {
      if (!best || made.text.size() > best->text.size()) best = std::move(made);
      fits = hard;
      if (i == 0 || share > budget.Enough() || fits > fails / 4 * 3) return std::move(*best);
    } else {
      fails = hard;
    }
    uint64_t next = fits + (fails - fits) / 2;
    if (!best && i == 0) next = static_cast<uint64_t>(static_cast<double>(hard) / share * 0.9);
    if (!best && i > 0) next = hard / 4;  // notes that hang on a line may be larger than all lines
    if (next <= fits || next >= fails) break;
    budget.Tighten(next);
  }
  if (best) return std::move(*best);
  budget.Tighten(0);
  Made least = MakeFor(document, shaper, budget.limit());
  least.tightenings = kMostTightenings;
  if (budget.ShareOf(least.text) > 1) {  // less can be said of what is hidden, but no less hidden
    for (Piece& piece : least.pieces) piece.detail.clear();
    least.text = Render(document, least.pieces);
  }
  return least;
}

std::string SizesText(const View& view) {
  return std::to_string(view.shown.tokens) + " of " + std::to_string(view.original.tokens) + " tokens, " +
         std::to_string(view.shown.bytes) + " of " + std::to_string(view.original.bytes) + " bytes";
}

// The guard: accounting, then size. False with the reason in `why`.
bool Accept(const Document& document, const CompactOptions& options, std::string_view token, const Made& made,
            View& view, std::string& why) {
  std::string fault = CheckPieces(document, made.pieces);
  if (!fault.empty()) {
    view.fault = fault;
    why = "refused: " + fault;
    return false;
  }
  view.view_class = ClassOf(document, made.pieces);
  std::string footer = Footer(options.marker_style, FactsOf(document, view.view_class, token));
  view.text = made.text;
  if (!view.text.empty() && view.text.back() != '\n') view.text += '\n';
  view.text += footer;
  view.shown.bytes = view.text.size();
  view.shown.tokens = EstimateTokens(view.text);
  if (view.shown.bytes >= view.original.bytes || view.shown.tokens >= view.original.tokens) {
    why = "refused: not smaller than the original (" + SizesText(view) + ")";
    return false;
  }
  why = SizesText(view);
  if (made.tightenings > 0) why += ", after " + std::to_string(made.tightenings) + " tightenings";
  return true;
}

// The exact view, but for its text: a copy of the original that most views never need.
View Original(std::string_view bytes, Kind kind, uint64_t lines, uint64_t tokens) {
  View view;
  view.kind = kind;
  view.original = view.shown = {bytes.size(), lines, tokens};
  view.lines.exact = lines;
  return view;
}

View WithText(View exact, std::string_view original) {
  exact.text = original;
  return exact;
}

View ExactOf(const Document& document, View exact) {
  for (Signal signal : document.signals) exact.signals.total += signal >= Signal::kError;
  exact.signals.kept = exact.signals.total;
  return WithText(std::move(exact), document.plain.original());
}

View StoppedView() {
  View view;
  view.stopped = true;
  return view;
}

uint64_t LinesOf(std::string_view text) {
  return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) + (!text.empty() && text.back() != '\n');
}

}  // namespace

View ExactView(std::string_view original, Kind kind) {
  return WithText(Original(original, kind, LinesOf(original), EstimateTokens(original)), original);
}

namespace {

// What a view may be made of, the better first.
struct Candidate {
  std::string name;
  Kind kind = Kind::kText;
  std::vector<Section> sections = {};  // empty: one kind
  bool least = false;                  // one gap over everything
};

// What is left where no shape fits a reader's budget: that all is hidden, and where it is.
class LeastShaper : public Shaper {
 public:
  explicit LeastShaper(const Document& document) : document_(document) {}
  std::vector<Piece> Make(const Limit&) const override {
    return {GapOfLines(document_, 0, document_.line_count() - 1)};
  }

 private:
  const Document& document_;
};

std::vector<Candidate> CandidatesFor(const Document& document, Kind kind, int score, uint64_t tokens) {
  std::vector<Candidate> candidates;
  std::vector<Section> sections = FindSections(document, kind, score);
  if (!sections.empty()) candidates.push_back({"sections", kind, std::move(sections)});
  candidates.push_back({std::string(KindName(kind)), kind});
  // A patch is read for its changed lines, of which a text's view knows nothing: better whole than that.
  const bool has_text = kind != Kind::kText && kind != Kind::kBinary && kind != Kind::kDiff;
  if (has_text) candidates.push_back({"text", Kind::kText});
  const std::optional<uint64_t>& asked = document.hints.max_tokens;
  if (asked && *asked < tokens) candidates.push_back({.name = "one gap", .kind = kind, .least = true});
  return candidates;
}

// Detection goes by structure alone: so what is read of the lines can hang on what they are.
void ReadSignals(Document& document, Kind kind, const std::vector<Candidate>& candidates) {
  const bool mixed = !candidates.empty() && !candidates.front().sections.empty();
  if (kind == Kind::kDiff && !mixed) {
    ReadPatchSignals(document);
  } else {
    document.ReadSignals();
  }
  MarkRuleSignals(document);
}

std::unique_ptr<Shaper> ShaperOf(const Document& document, const Candidate& candidate) {
  if (candidate.least) return std::make_unique<LeastShaper>(document);
  if (candidate.kind == Kind::kBinary) return ShapeBinary(document);
  if (!candidate.sections.empty()) return ShapeSections(document, candidate.sections);
  return RowOf(candidate.kind).shape(document);
}

}  // namespace

View Compact(std::string_view original, const Hints& hints, const CompactOptions& options) {
  if (original.empty() || original.size() > kLargestOriginal) return ExactView(original, Kind::kText);
  std::optional<Digest> digest;  // what is not kept has no name
  Aside hashing(options.kept && original.size() >= kWorthAThread, [&] { digest = Sha256Of(original); });
  Document document(original, hints, false);
  if (Stops(options.stop)) return StoppedView();
  std::string said;  // for a person, under options.explain
  std::string* explain = options.explain ? &said : nullptr;
  int score = 0;
  Kind kind = DetectKind(document, explain, &score);
  uint64_t tokens = EstimateTokens(original);
  std::string reason;
  if (Stops(options.stop)) return StoppedView();
  View exact = Original(original, kind, document.line_count(), tokens);
  const bool stays = StaysExact(document, &reason);
  std::vector<Candidate> candidates;
  if (!stays) candidates = CandidatesFor(document, kind, score, tokens);
  ReadSignals(document, kind, candidates);
  if (explain) said = "kind: " + std::string(KindName(kind)) + "\n" + said;
  auto explained = [&](View view) {
    view.explanation = std::move(said);
    return view;
  };
  if (stays) {
    if (explain) said += "exact: " + reason + "\n";
    return explained(ExactOf(document, std::move(exact)));
  }
  if (options.kept) hashing.Wait();
  std::string token = digest ? TokenOf(*digest) : "";
  Budget budget(document, options, token, tokens);
  if (explain) said += BudgetText(document, budget.limit(), budget.FooterTokens(), budget.Floor(document));
  for (const Candidate& candidate : candidates) {
    if (explain && !candidate.sections.empty()) said += "sections:\n" + SectionsText(candidate.sections);
    std::unique_ptr<Shaper> shaper = ShaperOf(document, candidate);
    if (Stops(options.stop)) return StoppedView();
    if (!shaper) continue;
    Made made = MakeWithin(document, *shaper, budget, options.stop);
    if (Stops(options.stop)) return StoppedView();
    if (SameAsOriginal(made, original)) {  // the kind wants it whole
      if (explain) said += "exact: " + candidate.name + " shows all of it\n";
      return explained(ExactOf(document, std::move(exact)));
    }
    View view;
    view.kind = candidate.kind;
    view.original = exact.original;
    std::string why;
    bool accepted = Accept(document, options, token, made, view, why);
    if (accepted && !candidate.least && budget.Overruns(view.shown.tokens, document)) {
      accepted = false;
      why = "refused: over the budget (" + SizesText(view) + ")";
    }
    exact.fault += view.fault;
    if (explain) said += "candidate " + candidate.name + ": " + why + "\n";
    if (!accepted) continue;
    CountLines(document, made.pieces, view);
    view.shown.lines = LinesOf(view.text);
    view.digest = digest;
    view.fault = exact.fault;
    if (explain) said += KeptText(document, view, made.pieces);
    return explained(std::move(view));
  }
  if (explain) said += "exact: no candidate is smaller\n";
  return explained(ExactOf(document, std::move(exact)));
}

}  // namespace pith
