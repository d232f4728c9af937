// A test run is read for two things: did it pass, and if not, which tests failed and why. Rows of passing tests are
// most of a long run and say nothing but a number; tracebacks are most of a failing one and say one line and one place.
// So a view keeps: the runner's totals as they stand; every failing test by name, once, in its fullest spelling; of
// each distinct cause its message, expected and actual, and the nearest line of the project; identical causes once,
// with how many tests they hit; whatever broke the run itself. A share of the size of the original goes to what else
// helps: source, the rest of a message, what was captured, skipped tests. All else is counted in gaps.
//
// Passes: rows (test_run_rows) -> stretches between them -> causes in each (test_run_causes) -> which names are needed
// -> ranks. What no rule here knows is left to the signals shared by all kinds, so that a crash in words that no runner
// uses is still shown.
#include <algorithm>
#include <unordered_map>

#include "compact/begins.h"
#include "compact/frames.h"
#include "compact/hash_set.h"
#include "compact/kinds.h"
#include "compact/templates.h"
#include "compact/test_run/causes.h"
#include "compact/test_run/json.h"
#include "compact/test_run/names.h"
#include "compact/test_run/rows.h"
#include "compact/test_run/words.h"

namespace pith {
namespace {

constexpr uint8_t kRankName = 230;
constexpr uint8_t kRankCause = 220;
constexpr uint8_t kRankPlace = 210;
constexpr uint8_t kRankDetail = 200;
constexpr uint8_t kRankExtra = Rank::kUseful + 8;
constexpr uint8_t kRankSpare = 40;  // shown when a reader's budget leaves room
constexpr size_t kDetailsShown = 6;
constexpr size_t kMostTracked = 1 << 14;  // distinct causes told apart; a page holds far fewer
constexpr uint32_t kMostRules = 4;
constexpr uint64_t kRepeatedBytes = 12000;  // of such names in all
constexpr size_t kMostRepeated = 64;        // tests named under one cause; more keep their own lines
constexpr uint64_t kLongLine = 480;
constexpr std::string_view kBareHead = "Traceback:";  // pytest's, over the frames of a collection error

// Of the original's bytes, how much goes to expected and actual values of failures that are like one shown but for
// numbers, and to what merely helps.
constexpr uint64_t kDetailShare = 16, kDetailLeast = 600, kDetailMost = 5000;
constexpr uint64_t kExtraShare = 40, kExtraLeast = 160, kExtraMost = 2400;
constexpr uint64_t kLoggedBytes = 400;  // of what passing tests wrote to the log by themselves, each kind of it once
constexpr uint64_t kGreenShare = 8, kGreenLeast = 1200;  // of a green run, for its summary of warnings

struct Stretches {
  uint32_t first = 0, end = 0;  // lines between two rows
  uint32_t header = kNoLine;    // the row that it belongs to
  Stretch kind = Stretch::kOther;
  bool chatter = false;  // what a passing test printed
};

class TestRunPlan {
 public:
  explicit TestRunPlan(const Document& document) : document_(document), plan_(document), rows_(document.line_count()) {
    plan_.settled.assign(document.line_count(), false);
    detail_room_ = std::clamp(document.bytes.size() / kDetailShare, kDetailLeast, kDetailMost);
    plan_.long_line = kLongLine;
  }

  LinePlan Make() {
    ReadRows();
    FindStretches();
    ChooseCauses();
    ChooseNames();
    RankRows();
    SpendExtra();
    CloseRules();
    std::stable_sort(plan_.notes.begin(), plan_.notes.end(), [](const LineNote& a, const LineNote& b) {
      return std::pair(a.line, a.after) < std::pair(b.line, b.after);
    });
    return std::move(plan_);
  }

 private:
  struct RowLine {
    RowRole role = RowRole::kBody;
    bool banner = false;      // a header of pytest's and sympy's form
    uint32_t name = kNoName;  // index in names_
  };
  static constexpr uint32_t kNoName = ~0u;

  Row RowAt(uint32_t line) { return ReadTestEvent(document_.Plain(line, scratch_), event_); }

  // Roles of all lines; names under a heading over failing tests become listings.
  void ReadRows() {
    bool list = false, listed = false, passes = false;
    bool starts = false;  // tests are announced: then it matters which of them passed
    bool awaits = false;  // a row has been broken off by what its test printed: its verdict comes alone on a line
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      Row row = RowAt(line);
      std::string_view text = WithoutLinePrefix(scratch_view());
      const size_t start = BlanksEnd(text);
      bool blank = start == text.size() || text[start] == '\r';
      bool indented = !blank && (text.front() == ' ' || text.front() == '\t');
      if (row.role == RowRole::kBody || row.role == RowRole::kPass) {
        if (list && indented) row.role = RowRole::kListing, listed = true;
        if (list && ((blank && listed) || (!blank && !indented))) list = false;
      } else if (row.role != RowRole::kListing) {
        list = row.role == RowRole::kList;
        listed = false;
      }
      if (row.role == RowRole::kPasses) passes = true;
      if (row.role == RowRole::kHeading || row.role == RowRole::kSummary) passes = false;
      if (passes && row.role == RowRole::kBlock) row.role = RowRole::kPasses;
      if (row.role == RowRole::kBody && awaits && text == "ok") row.role = RowRole::kPass;
      awaits = row.role == RowRole::kBody && (awaits || IsBrokenOff(text));
      rows_[line].role = row.role;
      rows_[line].banner = row.role == RowRole::kBlock && text.starts_with("_");
      if (NamesFailing(row.role)) KeepName(line, row);
      starts |= row.role == RowRole::kStart;
      if (starts && (row.role == RowRole::kPass || row.role == RowRole::kSkip) && !row.name.empty())
        passed_.insert(TestNameHash(row.name));
    }
  }

  // "test_x (suite.Case) ... what the test printed"
  static bool IsBrokenOff(std::string_view text) {
    const size_t dots = text.find(") ... ");
    return dots != std::string_view::npos && text.substr(0, dots).find(" (") == text.find(' ');
  }

  std::string_view scratch_view() const { return event_.text; }

  static bool NamesFailing(RowRole role) {
    return role == RowRole::kListing || role == RowRole::kBlock || role == RowRole::kOpen || role == RowRole::kFail;
  }

  // The name of a row just read, where it lies in the original and not in what was unwrapped or cleaned.
  void KeepName(uint32_t line, const Row& row) {
    const std::string_view name = NameOf(row);
    const char* first = document_.bytes.data();
    if (name.data() < first || name.data() >= first + document_.bytes.size()) return;
    rows_[line].name = static_cast<uint32_t>(names_.size());
    names_.push_back(name);
  }

  static bool EndsBlock(RowRole role) {
    return role != RowRole::kBody && role != RowRole::kPass && role != RowRole::kSkip && role != RowRole::kProgress &&
           role != RowRole::kTotals && role != RowRole::kListing;
  }

  void FindStretches() {
    uint32_t count = document_.line_count();
    Stretches open{0, 0};
    bool in_block = false;
    auto close = [&](uint32_t line) {
      open.end = line;
      if (open.end > open.first) stretches_.push_back(open);
    };
    for (uint32_t line = 0; line < count; ++line) {
      RowRole role = rows_[line].role;
      if (role == RowRole::kBody || (in_block && !EndsBlock(role))) continue;
      close(line);
      open = Stretches{line + 1, 0, line};
      in_block = role == RowRole::kBlock;
      if (role == RowRole::kBlock) open.kind = rows_[line].banner ? Stretch::kMarked : Stretch::kFailing;
      if (role == RowRole::kOpen) open.kind = Stretch::kFailing;
      if (role == RowRole::kFail) open.kind = Stretch::kMaybe;
      if (role == RowRole::kBroken) open.kind = Stretch::kMaybe;
      if (role == RowRole::kPasses) open.chatter = true;
      if (role == RowRole::kStart) {
        Row row = RowAt(line);
        bool passed = passed_.contains(TestNameHash(row.name));
        open.kind = passed ? Stretch::kOther : Stretch::kMaybe;
        open.chatter = passed;
      }
    }
    close(count);
  }

  // The first of identical causes is shown whole, of those alike but for what varies the message; later ones are
  // counted.
  void ChooseCauses() {
    for (const Stretches& stretch : stretches_) {
      bool broke = stretch.header != kNoLine && rows_[stretch.header].role == RowRole::kBroken;
      std::vector<Cause> causes =
          FindCauses(document_, stretch.first, stretch.end, stretch.chatter ? Stretch::kOther : stretch.kind,
                     broke ? stretch.header : kNoLine);
      bool fresh = false;
      uint32_t repeats = kNoLine;  // index of what an earlier stretch said
      for (const Cause& cause : causes) {
        auto seen = identical_.find(cause.key);
        if (seen != identical_.end()) {
          repeats = seen->second;
          continue;
        }
        fresh = true;
        bool novel = alike_.size() < kMostTracked && alike_.insert(cause.alike);
        uint32_t last = ShowCause(cause, novel);
        if (shown_.size() >= kMostTracked) continue;
        identical_.emplace(cause.key, static_cast<uint32_t>(shown_.size()));
        shown_.push_back({last, stretch.header, {}, 0});
      }
      if (stretch.header != kNoLine && IsFailing(stretch)) {
        if (fresh) explained_.insert(stretch.header);
        if (!fresh && repeats != kNoLine) repeated_.push_back({stretch.header, repeats});
      }
      Settle(stretch, causes);
      if (stretch.chatter) FindLogged(stretch);
    }
  }

  // "    suite_test.go:620: message" of a test that passed: somebody wanted it said.
  void FindLogged(const Stretches& stretch) {
    for (uint32_t line = stretch.first; line < stretch.end; ++line) {
      const std::string_view text = document_.Plain(line, scratch_);
      const size_t start = BlanksEnd(text), place = text.find(".go:", start);
      if (start < 4 || place == std::string_view::npos ||
          text.substr(start, place - start).find(' ') != std::string_view::npos)
        continue;
      const size_t digits = text.find_first_not_of("0123456789", place + 4);
      if (digits == std::string_view::npos || digits == place + 4 || !text.substr(digits).starts_with(": ")) continue;
      const std::string_view message = text.substr(digits + 2);
      if (message.starts_with("===") || message.starts_with("---") ||
          message.find_first_not_of(' ') == std::string_view::npos)
        continue;
      if (logged_kinds_.size() < kMostTracked && logged_kinds_.insert(TemplateHash(message))) logged_.push_back(line);
    }
  }

  // Ranks the lines of a cause; the last of them that is shown. `novel`: no other like it has been shown.
  uint32_t ShowCause(const Cause& cause, bool novel) {
    plan_.Raise(cause.line, kRankCause);
    uint32_t last = cause.line;
    size_t shown = 0;
    for (uint32_t detail : cause.details) {
      uint64_t cost = std::min<uint64_t>(document_.lines.Line(detail).size(), kLongLine);
      bool wanted = shown++ < kDetailsShown && (novel || cost <= detail_room_);
      if (wanted) {
        if (!novel) detail_room_ -= cost;
        plan_.Raise(detail, kRankDetail);
        last = detail;
      } else {
        extras_.push_back(detail);
      }
    }
    ShowPlace(cause, cause.place, last);
    if (cause.test_place != kNoLine) ShowPlace(cause, cause.test_place, last);
    if (cause.code != kNoLine) extras_.push_back(cause.code);
    return last;
  }

  static bool IsFailing(const Stretches& stretch) {
    return !stretch.chatter && (stretch.kind == Stretch::kFailing || stretch.kind == Stretch::kMarked);
  }

  // The frame is shown where it stands if that is next to the cause, else it is cited beside the cause; once.
  void ShowPlace(const Cause& cause, uint32_t place, uint32_t last) {
    if (place == kNoLine || HoldsPlace(cause.line, place)) return;
    if (places_.size() >= kMostTracked) return;
    if (!places_.insert(std::hash<std::string_view>{}(document_.Text(place)))) return;
    if (place > cause.line) {
      if (place <= last + 2) return plan_.Raise(place, kRankPlace);
      return CitePlace(last, true, place, place);
    }
    uint32_t code = place + 1 < cause.line && IndentOf(place + 1) > IndentOf(place) ? place + 1 : place;
    if (cause.line - place <= 3) {
      for (uint32_t line = place; line < cause.line; ++line) plan_.Raise(line, kRankPlace);
      return;
    }
    CitePlace(cause.line, false, place, code);
  }

  // Lines that a gap hides, beside the cause that they are the place of; the number says where they stand.
  void CitePlace(uint32_t beside, bool after, uint32_t first, uint32_t last) {
    Piece number = Note(" [line " + std::to_string(first + 1) + "]");
    number.glued = true;
    plan_.notes.push_back({beside, after, {Cite(document_.lines.Lines(first, last)), std::move(number)}});
  }

  // Whether a message says itself where it was raised: "panicked at src/a.rs:3:5:" over "at ./src/a.rs:3:5".
  bool HoldsPlace(uint32_t message, uint32_t place) const {
    std::string_view frame = document_.Text(place);
    while (!frame.empty() && (frame.back() == ')' || frame.back() == ':' || frame.back() == ' '))
      frame.remove_suffix(1);
    size_t first = std::min(frame.find(": "), frame.size());  // "a.py:3: ValueError"
    bool leads = first < frame.size() && frame.find(':') < first;
    frame = leads ? frame.substr(0, first) : frame.substr(frame.find_last_of(" (") + 1);
    if (frame.starts_with("./")) frame.remove_prefix(2);
    frame = WithoutColumn(frame);
    if (frame.find(':') == std::string_view::npos) return false;  // Python's ends in a function's name
    return frame.size() > 4 && frame.size() < 512 &&
           document_.Text(message).substr(0, 4096).find(frame) != std::string_view::npos;
  }

  // "src/a.rs:3:" of "src/a.rs:3:5": a frame of the same line tells no more, whatever its column.
  static std::string_view WithoutColumn(std::string_view frame) {
    const size_t colon = frame.rfind(':');
    if (colon == std::string_view::npos || frame.find_first_not_of("0123456789", colon + 1) != std::string_view::npos) {
      return frame;
    }
    const size_t line = frame.substr(0, colon).find_last_not_of("0123456789");
    const bool numbered = line != std::string_view::npos && line + 1 < colon && frame[line] == ':';
    return numbered ? frame.substr(0, colon + 1) : frame;
  }

  size_t IndentOf(uint32_t line) {
    std::string_view text = document_.Text(line);
    return std::min(text.find_first_not_of(" \t"), text.size());
  }

  // Signals within failing stretches and chatter have been weighed: causes are chosen, the rest is source and copies.
  void Settle(const Stretches& stretch, const std::vector<Cause>& causes) {
    bool captured = false;
    for (uint32_t line = stretch.first; line < stretch.end; ++line) {
      bool weighed = stretch.chatter || stretch.kind == Stretch::kFailing || stretch.kind == Stretch::kMarked;
      const bool unmarked = stretch.kind == Stretch::kMarked && !captured;
      if (weighed) plan_.settled[line] = stretch.chatter || !IsStrange(line, unmarked);
      // What is shown of a test is shown under its name.
      if (weighed && !plan_.settled[line] && stretch.header != kNoLine) explained_.insert(stretch.header);
      if (!IsFailing(stretch)) continue;
      std::string_view text = document_.Text(line);
      if (text.starts_with("---") && text.find(" Captured ") != std::string_view::npos) captured = true;
      if (captured && document_.signals[line] != Signal::kNone) first_extras_.push_back(line);
    }
    for (const Cause& cause : causes) plan_.settled[cause.line] = true;
  }

  // A fault at the start of its line that is part of no trace, message, source or heading: something else said it.
  // `unmarked`: what the runner says there bears a mark, which this line lacks.
  bool IsStrange(uint32_t line, bool unmarked) {
    if (document_.signals[line] < Signal::kError) return false;
    std::string_view text = document_.Plain(line, scratch_);
    const char first = text.empty() ? ' ' : text.front();
    const bool word = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '[' || first == '=';
    if (!word || text.starts_with("E ") || text.starts_with("==== ")) return false;
    const LineShape shape = ReadShape(text).shape;
    const bool raised = shape == LineShape::kException || shape == LineShape::kExpected;
    return shape == LineShape::kOther || (unmarked && raised);
  }

  // A list names tests in full: what it names needs no header without an explanation, and no row.
  void ChooseNames() {
    ShownNames shown;
    std::vector<uint32_t> headers, rows, listings;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      switch (rows_[line].role) {
        case RowRole::kListing:
          listings.push_back(line);
          break;
        case RowRole::kBlock:
          headers.push_back(line);
          break;
        case RowRole::kOpen:
        case RowRole::kFail:
          rows.push_back(line);
          break;
        default:
          break;
      }
    }
    auto take = [&](const std::vector<uint32_t>& lines, bool if_explained, bool always) {
      for (uint32_t line : lines) {
        std::string_view name = NameAt(line);
        if (always || (if_explained && explained_.contains(line))) {
          shown.Add(name);
        } else if (!shown.AddUnlessCovered(name)) {
          continue;
        }
        plan_.Raise(line, kRankName);
      }
    };
    std::vector<uint32_t> explained, unexplained;
    for (uint32_t line : headers) {
      if (explained_.contains(line)) {
        explained.push_back(line);
      } else if (listings.empty() || !rows_[line].banner || !PrintsOnly(line)) {
        unexplained.push_back(line);
      }
    }
    take(explained, true, true);
    std::reverse(listings.begin(), listings.end());
    take(listings, false, false);
    NameRepeated(shown);
    take(unexplained, false, false);
    take(rows, true, false);
    red_ = !headers.empty() || !rows.empty() || !listings.empty();
  }

  // A header over nothing but captured output: pytest -rA shows so what passing tests printed. Where failing tests are
  // listed, it names none of them.
  bool PrintsOnly(uint32_t header) {
    if (header + 1 >= document_.line_count()) return false;
    return ReadShape(document_.Plain(header + 1, scratch_)).shape == LineShape::kCaptured;
  }

  // Tests that failed as an earlier one did are named right under what that one said, not each between gaps of its own.
  void NameRepeated(ShownNames& shown) {
    uint64_t room = kRepeatedBytes;
    for (const auto& [header, index] : repeated_) {
      Shown& first = shown_[index];
      if (first.header == kNoLine) continue;
      uint64_t name = TestNameHash(NameAt(header));
      if (name == TestNameHash(NameAt(first.header))) continue;  // one test, told of twice
      ++first.repeats;
      if (first.others.size() >= kMostRepeated || room < document_.lines.Line(header).size()) continue;
      room -= document_.lines.Line(header).size();
      first.others.push_back(header);
    }
    for (Shown& first : shown_) {
      if (first.repeats == 0) continue;
      uint64_t count = first.repeats;
      std::vector<Piece> pieces = {
          Note("[the same in " + std::to_string(count) + (count == 1 ? " more test]" : " more tests]"))};
      for (uint32_t header : first.others) {
        std::string_view name = NameAt(header);
        if (!shown.AddUnlessCovered(name)) continue;
        pieces.push_back(Cite(document_.lines.Line(header)));
        cited_.insert(header);
      }
      plan_.notes.push_back({first.last, true, std::move(pieces)});
    }
  }

  std::string_view NameAt(uint32_t line) {
    return rows_[line].name == kNoName ? NameOf(RowAt(line)) : names_[rows_[line].name];
  }

  // Of the row that was read last: where it has no name, its text.
  std::string_view NameOf(const Row& row) const {
    if (!row.name.empty()) return row.name;
    std::string_view text = event_.text;
    size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? text : text.substr(first);
  }

  // What a test is called that neither simply passed nor failed.
  static std::string_view NounOfSkip(std::string_view text) {
    const size_t at = text.find_last_not_of(" \t");
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (says(" XPASS") || text.starts_with("XPASS ") || (text.ends_with(" X") && at < 256)) return "unexpected passes";
    if (says(" XFAIL") || text.starts_with("XFAIL ") || says(" expected failure") || (text.ends_with(" f") && at < 256))
      return "expected failures";
    return says("# TODO") || says("(todo)") ? "TODO tests" : "skipped tests";
  }

  void RankRows() {
    const uint8_t passing = plan_.NounIndex("passing tests");
    plan_.NounIndex("skipped tests");
    const uint8_t failing = plan_.NounIndex("failing tests");
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      RowRole role = rows_[line].role;
      if (role == RowRole::kBody) {
        RankOther(line);
        continue;
      }
      plan_.settled[line] = true;
      if (role == RowRole::kHeading || role == RowRole::kSummary) {
        in_warnings_ = document_.Text(line).find("warnings summary") != std::string_view::npos;
      }
      switch (role) {
        case RowRole::kPass:
          plan_.noun[line] = passing;
          Lower(line);
          break;
        case RowRole::kSkip:
          plan_.noun[line] = plan_.NounIndex(NounOfSkip(document_.Plain(line, scratch_)));
          last_extras_.push_back(line);
          break;
        case RowRole::kBlock:
          if (cited_.contains(line) || document_.Text(line).find("ERROR collecting ") != std::string_view::npos) break;
          [[fallthrough]];
        case RowRole::kOpen:
        case RowRole::kFail:
          plan_.noun[line] = failing;  // where it is hidden, the test is named elsewhere
          break;
        case RowRole::kSummary:
          RankSummary(line);
          break;
        case RowRole::kBroken:
          plan_.Raise(line, Rank::kVerdict - 2);
          break;
        case RowRole::kGroup:
          first_extras_.push_back(line);
          break;
        case RowRole::kTotals:
          last_extras_.push_back(line);
          break;
        case RowRole::kProgress:
          Lower(line);
          break;
        default:
          break;
      }
    }
    for (uint32_t line : repeated_summaries_) plan_.Raise(line, Rank::kVerdict - 1);
  }

  // Lines that no row knows, outside of what tests say: an error is left to the shared rules unless it only repeats
  // what the totals say, or the command; a warning is one among what helps, and counted where it is hidden.
  void RankOther(uint32_t line) {
    Signal signal = document_.signals[line];
    if (signal == Signal::kNone || plan_.settled[line]) return;
    std::string_view text = UnwrapTestEvent(document_.Plain(line, scratch_), event_);
    LineShape shape = ReadShape(text).shape;
    bool frame = shape == LineShape::kFrame || shape == LineShape::kFrameBefore || shape == LineShape::kFrameAfter;
    const bool head = shape == LineShape::kTraceHead;  // says nothing without what it heads
    if (frame || text == kBareHead || (head && red_)) plan_.settled[line] = true;
    if (red_ && (SaysOnlyFailed(text) || EchoesCommand(text, document_.hints.command))) {
      plan_.settled[line] = true;
    } else if (signal == Signal::kWarning) {
      (in_warnings_ ? summed_up_ : last_extras_).push_back(line);
      plan_.noun[line] = plan_.NounIndex("warnings");  // the gap that hides it says so
      plan_.settled[line] = true;
    }
  }

  // Of totals that say the same the first are shown, and those that end the run.
  void RankSummary(uint32_t line) {
    constexpr uint32_t kLastLines = 3;
    const bool fresh = summaries_.insert(SummaryHash(line));
    if (fresh) plan_.Raise(line, Rank::kVerdict);
    while (!repeated_summaries_.empty() && line - repeated_summaries_.front() > kLastLines) {
      repeated_summaries_.erase(repeated_summaries_.begin());
    }
    if (!fresh) repeated_summaries_.push_back(line);
  }

  // Totals of one text count as one, whatever they took.
  uint64_t SummaryHash(uint32_t line) {
    std::string_view text = document_.Plain(line, scratch_);
    for (std::string_view before : {" in ", "finished in", "(", " Time elapsed"}) {
      size_t at = text.rfind(before);
      if (at != std::string_view::npos && at > 0 && text.find_first_of("0123456789", at) != std::string_view::npos &&
          before != "(") {
        text = text.substr(0, at);
      }
    }
    return std::hash<std::string_view>{}(text);
  }

  void Lower(uint32_t line) { plan_.rank[line] = std::min(plan_.rank[line], Rank::kFiller); }

  // What merely helps, in the order of its use, until its share is spent. A red run is read for its failures: warnings
  // and skipped tests are for green ones.
  void SpendExtra() {
    uint64_t room = std::clamp(document_.bytes.size() / kExtraShare, kExtraLeast, kExtraMost);
    uint64_t logged_room = kLoggedBytes;
    Spend(logged_, logged_room);
    Spend(first_extras_, room);
    Spend(extras_, room);
    if (red_) room = 0;
    Spend(last_extras_, room);
    room = red_ ? 0 : std::clamp(document_.bytes.size() / kGreenShare, kGreenLeast, kExtraMost);
    Spend(summed_up_, room);
  }

  // Rules and heads of traces between lines that are shown cost no more than the gap that would stand for them.
  void CloseRules() {
    uint32_t count = document_.line_count();
    for (uint32_t line = 0; line < count; ++line) {
      if (plan_.rank[line] < Rank::kUseful) continue;
      uint32_t end = line + 1;
      while (end < count && end - line <= kMostRules && plan_.rank[end] < Rank::kUseful && IsRule(end)) ++end;
      if (end == count || end - line > kMostRules || plan_.rank[end] < Rank::kUseful) continue;
      for (uint32_t between = line + 1; between < end; ++between) plan_.Raise(between, kRankPlace);
    }
  }

  bool IsRule(uint32_t line) const {
    std::string_view text = document_.Text(line);
    if (text.find_first_not_of(" \t") == std::string_view::npos) return true;
    if (text.find_first_not_of(text.front()) == std::string_view::npos) return true;
    return text.ends_with("Traceback (most recent call last):");
  }

  void Spend(const std::vector<uint32_t>& lines, uint64_t& room) {
    for (uint32_t line : lines) {
      uint64_t cost = std::min<uint64_t>(document_.lines.Line(line).size(), kLongLine);
      plan_.Raise(line, cost <= room ? kRankExtra : kRankSpare);
      room -= cost <= room ? cost : 0;
    }
  }

  struct Shown {
    uint32_t last;                 // line of a cause after which more can be said
    uint32_t header;               // of the test that it is said of
    std::vector<uint32_t> others;  // headers of tests that failed alike and are named here
    uint64_t repeats = 0;          // how many tests failed alike
  };

  const Document& document_;
  LinePlan plan_;
  std::vector<RowLine> rows_;
  std::vector<std::string_view> names_;
  std::vector<Stretches> stretches_;
  HashSet passed_;                                       // names of tests that passed
  std::unordered_map<uint64_t, uint32_t> identical_;     // key of a cause: index into shown_
  HashSet alike_;                                        // causes without what varies in them
  std::vector<Shown> shown_;                             // causes that are shown
  std::vector<std::pair<uint32_t, uint32_t>> repeated_;  // header of a test, index of what it repeats
  HashSet explained_;                                    // headers under which a cause is shown
  HashSet cited_;                                        // headers of tests that are named beside another's cause
  HashSet places_;                                       // frames that are shown
  std::vector<uint32_t> first_extras_, extras_, last_extras_;
  std::vector<uint32_t> logged_;  // what passing tests logged, the first of each kind
  HashSet logged_kinds_;
  std::vector<uint32_t> summed_up_;  // warnings of the runner's summary of them
  bool in_warnings_ = false;         // the line looked at stands in that
  std::string scratch_;
  TestEvent event_;
  HashSet summaries_;                         // totals that are shown
  std::vector<uint32_t> repeated_summaries_;  // the last that say what others have said; at most a few
  uint64_t detail_room_;                      // for details of causes that are like one shown but for numbers
  bool red_ = false;                          // some test is known to have failed
};

}  // namespace

std::unique_ptr<Shaper> ShapeTestRun(const Document& document) {
  return ShapeLines(document, TestRunPlan(document).Make());
}

}  // namespace pith
