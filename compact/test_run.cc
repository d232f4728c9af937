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

#include "compact/kinds.h"
#include "compact/test_run_causes.h"
#include "compact/test_run_json.h"
#include "compact/test_run_names.h"
#include "compact/test_run_rows.h"

namespace pith {
namespace {

constexpr uint8_t kRankName = 230;
constexpr uint8_t kRankCause = 220;
constexpr uint8_t kRankPlace = 210;
constexpr uint8_t kRankDetail = 200;
constexpr uint8_t kRankExtra = Rank::kUseful + 8;
constexpr uint8_t kRankSpare = 40;  // shown when a reader's budget leaves room
constexpr size_t kDetailsShown = 6;
constexpr uint64_t kLongLine = 480;
constexpr size_t kEchoLeast = 16, kEchoMost = 48;  // bytes of the end of a command that a line repeats

// Words that say no more of a red run than its totals do: ">>>>> Some Tests Failed".
constexpr std::string_view kPlainWords[] = {
    "some",  "all",     "the",  "test",  "tests", "run", "suite",  "suites",  "failed", "failure", "failures", "fail",
    "error", "errors",  "with", "there", "were",  "are", "result", "results", "status", "see",     "above",    "for",
    "more",  "details", "npm",  "err",   "not",   "ok",  "code",   "exit",    "exited", "return",  "command",
};

bool SaysOnlyFailed(std::string_view text) {
  size_t words = 0;
  for (size_t at = 0; at < text.size() && words <= 12;) {
    auto letter = [&](size_t i) { return i < text.size() && ((text[i] | 0x20) >= 'a') && ((text[i] | 0x20) <= 'z'); };
    if (!letter(at)) {
      ++at;
      continue;
    }
    char word[16];
    size_t length = 0;
    while (letter(at) && length < sizeof word) word[length++] = static_cast<char>(text[at++] | 0x20);
    if (std::find(std::begin(kPlainWords), std::end(kPlainWords), std::string_view(word, length)) ==
        std::end(kPlainWords)) {
      return false;
    }
    ++words;
  }
  return words > 0 && words <= 12;
}

// Of the original's bytes, how much goes to what merely helps.
constexpr uint64_t kExtraShare = 40, kExtraLeast = 160, kExtraMost = 2400;

struct Stretches {
  uint32_t first = 0, end = 0;  // lines between two rows
  uint32_t header = kNoLine;    // the row that it belongs to
  Stretch kind = Stretch::kOther;
  bool chatter = false;  // what a passing test printed
  std::vector<Cause> causes = {};
};

class TestRunPlan {
 public:
  explicit TestRunPlan(const Document& document) : document_(document), plan_(document), rows_(document.line_count()) {
    plan_.settled.assign(document.line_count(), false);
    plan_.long_line = kLongLine;
  }

  LinePlan Make() {
    ReadRows();
    FindStretches();
    for (Stretches& stretch : stretches_) {
      stretch.causes =
          FindCauses(document_, stretch.first, stretch.end, stretch.chatter ? Stretch::kOther : stretch.kind);
    }
    ChooseCauses();
    ChooseNames();
    RankRows();
    SpendExtra();
    std::stable_sort(plan_.notes.begin(), plan_.notes.end(), [](const LineNote& a, const LineNote& b) {
      return std::pair(a.line, a.after) < std::pair(b.line, b.after);
    });
    return std::move(plan_);
  }

 private:
  struct RowLine {
    RowRole role = RowRole::kBody;
    bool banner = false;  // a header of pytest's and sympy's form
  };

  Row RowAt(uint32_t line) { return ReadTestEvent(document_.Plain(line, scratch_), event_); }

  // Roles of all lines; names under a heading over failing tests become listings.
  void ReadRows() {
    bool list = false, listed = false, passes = false;
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      Row row = RowAt(line);
      std::string_view text = WithoutLinePrefix(scratch_view());
      bool blank = text.find_first_not_of(" \t\r") == std::string_view::npos;
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
      rows_[line].role = row.role;
      rows_[line].banner = row.role == RowRole::kBlock && text.starts_with("_");
      if (row.role == RowRole::kPass && !row.name.empty()) passed_.insert(TestNameHash(row.name));
    }
  }

  std::string_view scratch_view() const { return event_.text; }

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
    std::unordered_map<uint64_t, uint32_t> alike;
    for (Stretches& stretch : stretches_) {
      bool fresh = false;
      for (Cause& cause : stretch.causes) {
        auto [seen, first] = identical_.try_emplace(cause.key, Seen{&cause, stretch.header, 0});
        if (!first) {
          if (seen->second.header != stretch.header) ++seen->second.others;
          continue;
        }
        fresh = true;
        bool novel = alike[cause.alike]++ == 0;
        plan_.Raise(cause.line, kRankCause);
        if (novel) ShowPlace(cause);
        size_t shown = 0;
        for (uint32_t detail : cause.details) {
          if (novel && shown++ < kDetailsShown) {
            plan_.Raise(detail, kRankDetail);
          } else {
            extras_.push_back(detail);
          }
        }
        if (cause.code != kNoLine) extras_.push_back(cause.code);
      }
      if (stretch.header != kNoLine && fresh && IsFailing(stretch)) explained_.insert(stretch.header);
      Settle(stretch);
    }
    for (const auto& [key, seen] : identical_) {
      if (seen.others > 0) same_.push_back({seen.cause->line, seen.others});
    }
    for (const auto& [line, others] : same_) {
      std::string tests = std::to_string(others) + (others == 1 ? " more test" : " more tests");
      plan_.notes.push_back({line, true, {Note("[the same in " + tests + "]")}});
    }
  }

  static bool IsFailing(const Stretches& stretch) {
    return !stretch.chatter && (stretch.kind == Stretch::kFailing || stretch.kind == Stretch::kMarked);
  }

  // The frame is shown where it stands if that is next to the cause, else it is cited beside the cause.
  void ShowPlace(const Cause& cause) {
    uint32_t place = cause.place;
    if (place == kNoLine || !places_.insert(std::hash<std::string_view>{}(document_.Text(place))).second) return;
    if (place > cause.line) {
      bool near = place - cause.line <= cause.details.size() + 2;
      if (near) return plan_.Raise(place, kRankPlace);
      plan_.notes.push_back(
          {cause.details.empty() ? cause.line : cause.details[std::min(cause.details.size(), kDetailsShown) - 1],
           true,
           {Cite(document_.lines.Line(place))}});
      return;
    }
    uint32_t code = place + 1 < cause.line && IndentOf(place + 1) > IndentOf(place) ? place + 1 : place;
    if (cause.line - place <= 3) {
      for (uint32_t line = place; line < cause.line; ++line) plan_.Raise(line, kRankPlace);
      return;
    }
    plan_.notes.push_back({cause.line, false, {Cite(document_.lines.Lines(place, code))}});
  }

  size_t IndentOf(uint32_t line) {
    std::string_view text = document_.Text(line);
    return std::min(text.find_first_not_of(" \t"), text.size());
  }

  // Signals within failing stretches and chatter have been weighed: causes are chosen, the rest is source and copies.
  void Settle(const Stretches& stretch) {
    bool captured = false;
    for (uint32_t line = stretch.first; line < stretch.end; ++line) {
      bool weighed = stretch.chatter || stretch.kind == Stretch::kFailing || stretch.kind == Stretch::kMarked;
      if (weighed) plan_.settled[line] = true;
      if (!IsFailing(stretch)) continue;
      std::string_view text = document_.Text(line);
      if (text.starts_with("---") && text.find(" Captured ") != std::string_view::npos) captured = true;
      if (captured && document_.signals[line] != Signal::kNone) first_extras_.push_back(line);
    }
    for (const Cause& cause : stretch.causes) plan_.settled[cause.line] = true;
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
        bool wanted = always || (explained_.contains(line) && if_explained) || !shown.Covers(name);
        if (!wanted) continue;
        plan_.Raise(line, kRankName);
        shown.Add(name);
      }
    };
    std::vector<uint32_t> explained, unexplained;
    for (uint32_t line : headers) (explained_.contains(line) ? explained : unexplained).push_back(line);
    take(explained, true, true);
    std::reverse(listings.begin(), listings.end());
    take(listings, false, false);
    take(unexplained, false, false);
    take(rows, true, false);
    red_ = !headers.empty() || !rows.empty() || !listings.empty();
  }

  std::string_view NameAt(uint32_t line) {
    Row row = RowAt(line);
    if (!row.name.empty()) return row.name;
    std::string_view text = event_.text;
    size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? text : text.substr(first);
  }

  void RankRows() {
    uint8_t passing = plan_.NounIndex("passing tests"), skipped = plan_.NounIndex("skipped tests");
    for (uint32_t line = 0; line < document_.line_count(); ++line) {
      RowRole role = rows_[line].role;
      if (role == RowRole::kBody) {
        RankOther(line);
        continue;
      }
      plan_.settled[line] = true;
      switch (role) {
        case RowRole::kPass:
          plan_.noun[line] = passing;
          Lower(line);
          break;
        case RowRole::kSkip:
          plan_.noun[line] = skipped;
          last_extras_.push_back(line);
          break;
        case RowRole::kSummary:
          if (summaries_.insert(SummaryHash(line)).second) plan_.Raise(line, Rank::kVerdict);
          break;
        case RowRole::kBroken:
          plan_.Raise(line, Rank::kVerdict - 2);
          break;
        case RowRole::kTotals:
          first_extras_.push_back(line);
          break;
        case RowRole::kProgress:
          Lower(line);
          break;
        default:
          break;
      }
    }
  }

  // Lines that no row knows, outside of what tests say: an error is left to the shared rules unless it only repeats
  // what the totals say, or the command; a warning is one among what helps.
  void RankOther(uint32_t line) {
    Signal signal = document_.signals[line];
    if (signal == Signal::kNone || plan_.settled[line]) return;
    std::string_view text = document_.Plain(line, scratch_);
    if (signal == Signal::kWarning) last_extras_.push_back(line);
    if (signal == Signal::kWarning || (red_ && (SaysOnlyFailed(text) || EchoesCommand(text))))
      plan_.settled[line] = true;
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

  bool EchoesCommand(std::string_view text) const {
    std::string_view command = document_.hints.command;
    if (command.size() < kEchoLeast) return false;
    return text.find(command.substr(command.size() - std::min(command.size(), kEchoMost))) != std::string_view::npos;
  }

  void Lower(uint32_t line) { plan_.rank[line] = std::min(plan_.rank[line], Rank::kFiller); }

  // What merely helps, in the order of its use, until its share is spent. A red run is read for its failures: warnings
  // and skipped tests are for green ones.
  void SpendExtra() {
    uint64_t room = std::clamp(document_.bytes.size() / kExtraShare, kExtraLeast, kExtraMost);
    Spend(first_extras_, room);
    Spend(extras_, room);
    if (red_) room = 0;
    Spend(last_extras_, room);
  }

  void Spend(const std::vector<uint32_t>& lines, uint64_t& room) {
    for (uint32_t line : lines) {
      uint64_t cost = std::min<uint64_t>(document_.lines.Line(line).size(), kLongLine);
      plan_.Raise(line, cost <= room ? kRankExtra : kRankSpare);
      room -= cost <= room ? cost : 0;
    }
  }

  struct Seen {
    const Cause* cause;
    uint32_t header;  // where it was seen first
    uint64_t others;  // how many tests more
  };

  const Document& document_;
  LinePlan plan_;
  std::vector<RowLine> rows_;
  std::vector<Stretches> stretches_;
  std::unordered_set<uint64_t> passed_;              // names of tests that passed
  std::unordered_map<uint64_t, Seen> identical_;     // by key
  std::vector<std::pair<uint32_t, uint64_t>> same_;  // line of a cause, how many tests more it hit
  std::unordered_set<uint32_t> explained_;           // headers under which a cause is shown
  std::unordered_set<uint64_t> places_;              // frames that are shown
  std::vector<uint32_t> first_extras_, extras_, last_extras_;
  std::string scratch_;
  TestEvent event_;
  std::unordered_set<uint64_t> summaries_;  // totals that are shown
  bool red_ = false;                        // some test is known to have failed
};

constexpr uint32_t kSampledLines = 3000;

struct Sample {
  uint64_t summaries = 0;  // totals
  uint64_t named = 0;      // rows and headers that name failing tests
  uint64_t verdicts = 0;   // rows of other tests, marks of a beginning or an end
};

// The first and the last lines of a long original, all of a short one.
Sample SampleRows(const Document& document) {
  Sample sample;
  std::string scratch;
  TestEvent event;
  uint32_t count = document.line_count();
  for (uint32_t line = 0; line < count; ++line) {
    if (line == kSampledLines && count > 2 * kSampledLines) line = count - kSampledLines;
    switch (ReadTestEvent(document.Plain(line, scratch), event).role) {
      case RowRole::kSummary:
        ++sample.summaries;
        break;
      case RowRole::kFail:
      case RowRole::kOpen:
      case RowRole::kListing:
      case RowRole::kBlock:
        ++sample.named;
        break;
      case RowRole::kPass:
      case RowRole::kSkip:
      case RowRole::kStart:
      case RowRole::kHeading:
        ++sample.verdicts;
        break;
      default:
        break;
    }
  }
  return sample;
}

}  // namespace

Evidence DetectTestRun(const Document& document) {
  Sample sample = SampleRows(document);
  if (sample.named == 0 && sample.verdicts == 0) return {};
  if (sample.summaries > 0 && sample.named + sample.verdicts > 2)
    return {92, "totals of a test runner and rows of tests"};
  if (sample.summaries > 0) return {72, "totals of a test runner"};
  if (sample.named > 0 && sample.named + sample.verdicts > 2) return {66, "rows of tests, some failing"};
  if (sample.verdicts > 4) return {60, "rows of tests"};
  return {30, "a row of a test"};
}

std::unique_ptr<Shaper> ShapeTestRun(const Document& document) {
  return ShapeLines(document, TestRunPlan(document).Make());
}

}  // namespace pith
