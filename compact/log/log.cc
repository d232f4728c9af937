// Logs: application, service, access, CI, syslog, kernel, JSON lines, crash reports.
//
// A log says few things many times. What it says is its templates, counted over the whole input (templates.h), not over
// neighbours, since the services of one log interleave. So a view is one exemplar of each template, where it first
// stands, with how often it comes and where last:
//
//   1. each distinct fault, most severe first, with the lines just before and after it where those are rare themselves;
//      where a fault comes in few variants (another device, another code) each of them is shown, and the mark of
//      repeats says what lines that are not the same to the byte differ in; a stack trace is one unit: what was raised,
//      every cause, the project's nearest frame;
//   2. the first and last lines;
//   3. of what is no fault: the most frequent templates, which say what the log is about, and the rarest, which say
//      what was odd; as many as about a tenth of the log is long.
//
// Everything else is in gaps that count the faults that they hide. Two passes over the lines (count, then rank), each
// linear, with a table of bounded size between them.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "compact/fault_count.h"
#include "compact/kinds.h"
#include "compact/listing/folds_prefix.h"
#include "compact/listing/rows.h"
#include "compact/log/lines.h"
#include "compact/records/columns.h"
#include "compact/stack_trace.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint32_t kSampled = 240;  // lines looked at for evidence
constexpr uint32_t kHeadLines = 3, kTailLines = 5;
constexpr uint32_t kContextFaults = 40;  // with more faults than this there is no room for what stands around each
constexpr uint64_t kLeastOrdinary = 1500, kMostOrdinary = 7000;  // bytes of lines that are no fault
constexpr uint64_t kOrdinaryShare = 10;                          // ... or this part of the log
constexpr uint64_t kLongLine = 400, kShortLine = 220;  // bytes of a line shown; the fewer, the more faults there are
constexpr uint64_t kFaultBytes = 50000;
constexpr uint64_t kGapBytes = 40;
constexpr uint64_t kOfACoarseKind = 8;
constexpr size_t kFewVariants = 5;    // of a fault: each is shown
constexpr size_t kMoreVariants = 16;  // each is shown while there is room
constexpr size_t kMostVariants = 40;  // counted
constexpr uint8_t kFatalRank = Rank::kSignal + 12;
constexpr uint8_t kWarningRank = Rank::kUseful + 32;
constexpr uint8_t kFurtherRank = Rank::kUseful + 28;
constexpr uint8_t kEdgeRank = Rank::kUseful + 40;
constexpr uint8_t kContextRank = Rank::kUseful + 20;
constexpr uint8_t kOrdinaryRank = Rank::kUseful + 8;

using RowIndex = uint16_t;  // one a line: what a log of millions of lines costs in memory
static_assert(TemplateTable::kCapacity - 1 <= UINT16_MAX);
constexpr uint32_t kNoVariants = UINT32_MAX;

constexpr uint32_t kShadowLines = 60;

// Nothing, or the mark that a memory checker puts before a line of nothing: "==123== ".
bool IsBlank(std::string_view text) {
  return text.empty() ||
         (text[0] == '=' && Begins(text, "==") && text.find_first_not_of("=0123456789 ") == std::string_view::npos &&
          text.find(' ') != std::string_view::npos);
}

// "Modify: 2026-01-02 03:04:05.0 +0000": a time that is all that a key has to say; what tells of a file, not of a
// moment.
bool IsProperty(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  const size_t colon = text.find(": ");
  if (begin == std::string_view::npos || colon == std::string_view::npos || colon - begin > 20) return false;
  if (text.substr(begin, colon - begin).find_first_of(" 0123456789") != std::string_view::npos) return false;
  return text.find_first_not_of("0123456789-:. +Z", colon + 2) == std::string_view::npos;
}

class LogPlan {
 public:
  explicit LogPlan(const Document& document)
      : document_(document), count_(document.line_count()), plan_(document), traces_(FindStackTraces(document)) {
    plan_.long_line = kLongLine;
    plan_.settled.assign(count_, true);
    plan_.counts_settled = true;
    if (!traces_.empty()) FindShadowMemory();
  }

  LinePlan Make() && {
    CountTemplates();
    CountVariants();
    RankTraces();
    RankShadowMemory();
    RankFaults();
    RankEdges();
    RankOrdinary();
    std::sort(shown_.begin(), shown_.end(), [](const Shown& a, const Shown& b) { return a.first < b.first; });
    NoteCounts();
    std::sort(plan_.notes.begin(), plan_.notes.end(),
              [](const LineNote& a, const LineNote& b) { return a.line < b.line; });
    return std::move(plan_);
  }

 private:
  // AddressSanitizer's map of the memory around a fault, with its legend: whoever can read it fetches it.
  void FindShadowMemory() {
    constexpr std::string_view kHead = "Shadow bytes around the buggy address";
    for (size_t at = document_.bytes.find(kHead); at != std::string_view::npos;
         at = document_.bytes.find(kHead, at + kHead.size())) {
      const uint32_t first = document_.lines.LineAt(at);
      uint32_t last = first;
      while (last + 1 < count_ && last - first < kShadowLines && !Begins(document_.Text(last + 1), "==")) ++last;
      if (shadow_.empty() || first > shadow_.back().second) shadow_.push_back({first, last});
    }
  }

  void RankShadowMemory() {
    if (shadow_.empty()) return;
    const uint8_t noun = plan_.NounIndex("shadow memory lines");
    for (const auto& [first, last] : shadow_) {
      std::fill(plan_.rank.begin() + first, plan_.rank.begin() + last + 1, Rank::kNoise);
      std::fill(plan_.noun.begin() + first, plan_.noun.begin() + last + 1, noun);
    }
  }

  // Calls visit(line) for each line that is not blank, not within a stack trace and no map of memory.
  template <typename Visit>
  void ForEachLine(Visit visit) const {
    size_t trace = 0, shadow = 0;
    for (uint32_t line = 0; line < count_; ++line) {
      if (shadow < shadow_.size() && line >= shadow_[shadow].first) {
        line = std::max(line, shadow_[shadow++].second);
        continue;
      }
      if (trace < traces_.size() && line >= traces_[trace].first) {
        line = traces_[trace++].last;
        continue;
      }
      if (!IsBlank(document_.Text(line))) visit(line);
    }
  }

  void CountTemplates() {
    TemplateTable templates(count_);
    row_of_.assign(count_, 0);  // first the place in the table
    has_row_.assign(count_, false);
    ForEachLine([&](uint32_t line) {
      row_of_[line] = static_cast<RowIndex>(templates.AddAt(TemplateHash(document_.Text(line)), line));
      has_row_[line] = true;
    });
    std::vector<RowIndex> row_at(templates.places());
    for (uint32_t line = 0; line < count_; ++line) {
      if (!has_row_[line]) continue;
      RowIndex& row = row_of_[line];
      const Template& counted = templates.At(row);
      if (counted.first == line) {
        row_at[row] = static_cast<RowIndex>(rows_.size());
        rows_.push_back(counted);
      }
      has_row_[line] = counted.first <= line;
      row = row_at[row];
    }
  }

  // What faults of one template differ in: their words after the time as they are, or, where those are many, their
  // names.
  struct Variants {
    bool counts = false;                 // faults, of one thing each (fault_count.h): none stands for another
    std::vector<Template> exact, named;  // by first line; one more than kFewVariants, or kMostVariants: there are more
    static void Count(std::vector<Template>& variants, size_t most, uint64_t hash, uint32_t line) {
      for (Template& variant : variants) {
        if (variant.hash != hash) continue;
        variant.last = line;
        ++variant.count;
        return;
      }
      if (variants.size() < most) variants.push_back({hash, line, line, 1});
    }
    size_t MostExact() const { return counts ? kMostVariants : kFewVariants + 1; }
    const std::vector<Template>& Told() const { return counts || exact.size() <= kFewVariants ? exact : named; }
    size_t MostTold() const { return counts ? kMostVariants : kMoreVariants; }
  };

  // A line that stands for others too.
  // What they differ in beside their time: nothing; numbers and ids alone; whatever a template leaves open, names too.
  enum class Differ : uint8_t { kNot, kInNumbers, kInNames };
  struct Shown : Template {
    Differ differ = Differ::kNot;
    size_t names = 0;  // how many names they hold that are not shown
  };

  void CountVariants() {
    equal_.assign(rows_.size(), true);
    variants_of_.assign(rows_.size(), kNoVariants);
    ForEachLine([&](uint32_t line) {
      const RowIndex row = row_of_[line];
      if (!has_row_[line] || rows_[row].count == 1) return;
      if (!equal_[row] && document_.signals[line] == Signal::kNone) return;
      const std::string_view said = Said(line);
      if (equal_[row] && said != Said(rows_[row].first)) equal_[row] = false;
      if (document_.signals[line] == Signal::kNone) return;
      if (variants_of_[row] == kNoVariants) {
        variants_of_[row] = static_cast<uint32_t>(variants_.size());
        variants_.emplace_back();
        variants_.back().counts = CountsFaults(said);
      }
      Variants& variants = variants_[variants_of_[row]];
      if (variants.exact.size() < variants.MostExact()) {
        Variants::Count(variants.exact, variants.MostExact(), HashText(said), line);
      }
      Variants::Count(variants.named, kMostVariants, NamedTemplateHash(said), line);
    });
  }

  std::string_view Said(uint32_t line) const {
    const std::string_view text = document_.Text(line);
    return text.substr(TimeEnd(text));
  }

  void NoteAfter(uint32_t line, std::string text) {
    LineNote note;
    note.line = line;
    note.after = true;
    note.pieces.push_back(Note(std::move(text)));
    note.pieces.back().glued = true;
    plan_.notes.push_back(std::move(note));
  }

  // Shown exemplars that stand together and come equally often are a block: one note tells of them all.
  void NoteCounts() {
    for (size_t i = 0; i < shown_.size();) {
      size_t end = i + 1;
      while (end < shown_.size() && shown_[end].count == shown_[i].count && shown_[end].differ == shown_[i].differ &&
             shown_[end].names == 0 && shown_[end].first == shown_[end - 1].first + 1 &&
             shown_[end].last >= shown_[end - 1].last) {
        ++end;
      }
      const Shown& last = shown_[end - 1];
      if (last.count > 1) NoteAfter(last.first, CountText(last, end - i));
      i = end;
    }
  }

  static std::string CountText(const Shown& row, size_t lines) {
    std::string text = lines > 1 ? " [these " + std::to_string(lines) + " lines x" : " [x";
    text += std::to_string(row.count);
    if (row.differ == Differ::kInNames) text += " alike";
    if (row.differ == Differ::kInNumbers) text += " but for numbers";
    if (row.names > 1) text += (row.names >= kMostVariants ? ", over " : ", ") + std::to_string(row.names) + " names";
    return text + ", last " + std::to_string(row.last + 1) + "]";
  }

  // Traces that raise the same from the same frame are one; the first is shown. Of others that differ from it in a
  // number or an id, what differs is shown where they come in few variants; else the note says that they are alike.
  struct TraceGroup {
    Template all;                    // `first` and `last` are indices in traces_
    std::vector<Template> variants;  // at most kFewVariants + 1
  };

  uint64_t TraceHash(const StackTrace& trace, uint64_t (*hash_of)(std::string_view)) const {
    uint64_t hash = 1;
    for (uint32_t line : trace.heads) hash = hash * 31 + hash_of(Said(line));
    for (uint32_t line : trace.frames) hash = hash * 31 + hash_of(Said(line));
    return hash;
  }

  void RankTraces() {
    std::vector<TraceGroup> groups;
    TemplateTable same(traces_.size());
    std::vector<uint32_t> group_at(same.places());
    const uint8_t noun = traces_.empty() ? 0 : plan_.NounIndex("stack trace lines");
    for (uint32_t i = 0; i < traces_.size(); ++i) {
      const StackTrace trace = traces_[i];
      std::fill(plan_.rank.begin() + trace.first, plan_.rank.begin() + trace.last + 1, Rank::kNoise);
      std::fill(plan_.noun.begin() + trace.first, plan_.noun.begin() + trace.last + 1, noun);
      const uint32_t place = same.AddAt(TraceHash(trace, &TemplateHash), i);
      if (same.At(place).first == i) {
        group_at[place] = static_cast<uint32_t>(groups.size());
        groups.emplace_back();
        RankTrace(trace);
      }
      TraceGroup& group = groups[group_at[place]];
      group.all = same.At(place);
      Variants::Count(group.variants, kFewVariants + 1, TraceHash(trace, &HashText), i);
    }
    for (const TraceGroup& group : groups) NoteTraces(group);
  }

  void RankTrace(const StackTrace& trace) {
    for (uint32_t line : trace.heads) plan_.Raise(line, Rank::kSignal + 2);
    for (uint32_t line : trace.frames) plan_.Raise(line, Rank::kSignal);
    for (uint32_t line : trace.more) plan_.Raise(line, kContextRank);
  }

  void NoteTraces(const TraceGroup& group) {
    const StackTrace shown = traces_[group.all.first];
    if (group.variants.size() > kFewVariants) return NoteTrace(group.all, " alike");
    for (const Template& variant : group.variants) {
      const StackTrace trace = traces_[variant.first];
      RaiseWhatDiffers(trace.heads, shown.heads);
      RaiseWhatDiffers(trace.frames, shown.frames);
      NoteTrace(variant, "");
    }
  }

  void RaiseWhatDiffers(std::span<const uint32_t> lines, std::span<const uint32_t> shown) {
    for (size_t i = 0; i < lines.size(); ++i) {
      if (i >= shown.size() || Said(lines[i]) != Said(shown[i])) plan_.Raise(lines[i], Rank::kSignal);
    }
  }

  void NoteTrace(const Template& row, std::string_view alike) {
    if (row.count < 2) return;
    const StackTrace trace = traces_[row.first];
    const uint32_t at = trace.heads.empty() ? trace.frames.back() : trace.heads.back();
    plan_.Raise(at, Rank::kSignal);
    NoteAfter(at, " [this trace x" + std::to_string(row.count) + std::string(alike) + ", last " +
                      std::to_string(traces_[row.last].first + 1) + "]");
  }

  // The first of each kind of fault first; further ones that differ only in names while there is room.
  void RankFaults() {
    uint64_t faults = traces_.size();
    TemplateTable coarse(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Template& row = rows_[i];
      const Signal signal = document_.signals[row.first];
      if (signal == Signal::kNone) {
        faults += ShowFaultsAmong(i);
        continue;
      }
      const bool further = coarse.Add(CoarseTemplateHash(document_.Text(row.first)), row.first).count > kOfACoarseKind;
      ShowFault(i, further ? std::min(RankOf(signal), kFurtherRank) : RankOf(signal));
      faults += signal >= Signal::kError;
    }
    if (faults > kContextFaults) {
      plan_.long_line = std::clamp(kFaultBytes / faults, kShortLine, kLongLine);
      return;
    }
    for (const Template& row : rows_) {
      if (document_.signals[row.first] >= Signal::kError) RankContext(row.first);
    }
  }

  static uint8_t RankOf(Signal signal) {
    return signal == Signal::kFatal ? kFatalRank : signal == Signal::kError ? uint8_t{Rank::kSignal} : kWarningRank;
  }

  // Lines of a harmless template that a number makes a fault: "exit code 137" among a hundred "exit code 0". How many
  // of them are errors.
  uint64_t ShowFaultsAmong(size_t row) {
    if (variants_of_[row] == kNoVariants) return 0;
    const Variants& variants = variants_[variants_of_[row]];
    const std::vector<Template>& told = variants.Told();
    uint64_t errors = 0;
    for (size_t i = 0; i < std::min(told.size(), variants.MostTold()); ++i) {
      const Signal signal = document_.signals[told[i].first];
      plan_.Raise(told[i].first, i < kFewVariants ? RankOf(signal) : std::min(RankOf(signal), kFurtherRank));
      shown_.push_back({told[i], &told == &variants.exact ? Differ::kNot : Differ::kInNumbers, 0});
      errors += signal >= Signal::kError;
    }
    return errors;
  }

  void ShowFault(size_t row, uint8_t rank) {
    static const Variants kOne;  // of a template that comes once
    const Variants& variants = variants_of_[row] == kNoVariants ? kOne : variants_[variants_of_[row]];
    const std::vector<Template>& told = variants.Told();
    const bool exact = &told == &variants.exact;
    if (told.size() > variants.MostTold() || told.size() < 2) {
      plan_.Raise(rows_[row].first, rank);
      const Differ differ = told.size() > 1 ? Differ::kInNames : Differ::kInNumbers;
      shown_.push_back({rows_[row], equal_[row] ? Differ::kNot : differ, told.size()});
      return;
    }
    for (size_t i = 0; i < told.size(); ++i) {
      plan_.Raise(told[i].first, i < kFewVariants ? rank : std::min(rank, kFurtherRank));
      shown_.push_back({told[i], exact ? Differ::kNot : Differ::kInNumbers, 0});
    }
  }

  // What stands around a fault explains it only if it does not stand everywhere.
  void RankContext(uint32_t line) {
    const uint64_t rare = std::max<uint64_t>(2, count_ / 200);
    for (uint32_t around : {line - 2, line - 1, line + 1}) {
      if (around >= count_ || document_.Text(around).empty()) continue;
      const RowIndex row = row_of_[around];
      if (has_row_[around] && rows_[row].count <= rare) plan_.Raise(around, kContextRank);
    }
  }

  // Where the line is the same as others to the byte, the note beside the first of them tells of it; but the very first
  // and the very last line stay.
  void RankEdge(uint32_t line) {
    for (const auto& [first, last] : shadow_) {
      if (line >= first && line <= last) return;
    }
    const RowIndex row = row_of_[line];
    const bool told = has_row_[line] && equal_[row] && rows_[row].first != line &&
                      plan_.rank[rows_[row].first] >= kEdgeRank && line + 1 < count_;
    if (!told) plan_.Raise(line, kEdgeRank);
  }

  void RankEdges() {
    for (uint32_t line = 0; line < std::min(kHeadLines, count_); ++line) RankEdge(line);
    for (uint32_t line = count_ - std::min(kTailLines, count_); line < count_; ++line) RankEdge(line);
  }

  // Half of the space for the most frequent, the rest for the rarest; of lines that differ only in names two are
  // enough.
  void RankOrdinary() {
    std::vector<uint32_t> ordinary;
    for (uint32_t row = 0; row < rows_.size(); ++row) {
      if (document_.signals[rows_[row].first] != Signal::kNone) continue;
      plan_.Raise(rows_[row].first, Rank::kFiller + 8);  // for a reader whose budget has room
      ordinary.push_back(row);
    }
    const auto rare =
        std::stable_partition(ordinary.begin(), ordinary.end(), [&](uint32_t row) { return rows_[row].count > 1; });
    std::stable_sort(ordinary.begin(), rare, [&](uint32_t a, uint32_t b) { return rows_[a].count > rows_[b].count; });
    const uint64_t room = std::clamp(document_.bytes.size() / kOrdinaryShare, kLeastOrdinary, kMostOrdinary);
    TemplateTable coarse(rows_.size());
    uint64_t spent = 0;
    const auto first_rare = static_cast<size_t>(rare - ordinary.begin());
    size_t next = 0;
    for (; next < first_rare && spent < room / 2; ++next) spent += ShowOrdinary(ordinary[next], coarse);
    for (size_t i = first_rare; i < ordinary.size() && spent < room; ++i) spent += ShowOrdinary(ordinary[i], coarse);
    for (size_t i = first_rare; i > next && spent < room; --i) spent += ShowOrdinary(ordinary[i - 1], coarse);
  }

  // The bytes that it costs; 0 where two that differ from it only in names are shown.
  uint64_t ShowOrdinary(uint32_t index, TemplateTable& coarse) {
    const Template& row = rows_[index];
    if (coarse.Add(CoarseTemplateHash(document_.Text(row.first)), row.first).count > 2) return 0;
    plan_.Raise(row.first, kOrdinaryRank);
    shown_.push_back({row, equal_[index] ? Differ::kNot : Differ::kInNames, 0});
    const bool joins = row.first > 0 && plan_.rank[row.first - 1] >= kOrdinaryRank;  // no gap before it
    return std::min<uint64_t>(document_.lines.Line(row.first).size(), plan_.long_line) + (joins ? 0 : kGapBytes);
  }

  const Document& document_;
  uint32_t count_;
  LinePlan plan_;
  StackTraces traces_;
  std::vector<std::pair<uint32_t, uint32_t>> shadow_;  // first and last line of each map of shadow memory
  std::vector<RowIndex> row_of_;                       // of each line its template, in rows_
  std::vector<bool> has_row_;                          // false: evicted, blank, in a trace
  std::vector<Template> rows_;                         // by their first line
  std::vector<bool> equal_;                            // of each row: its lines are the same but for their time
  std::vector<uint32_t> variants_of_;  // of each row its index in variants_; kNoVariants: no fault that comes again
  std::vector<Variants> variants_;
  std::vector<Shown> shown_;
};

// Where lines that are shown stand together, their time and their ids are said once.
class LogShaper : public Shaper {
 public:
  LogShaper(const Document& document, std::unique_ptr<Shaper> lines) : document_(document), lines_(std::move(lines)) {}
  std::vector<Piece> Make(const Limit& limit) const override {
    return FoldQuotes(document_, lines_->Make(limit), {&SplitWords, false, false});
  }

 private:
  const Document& document_;
  std::unique_ptr<Shaper> lines_;
};

// A line that goes on with the record before it: indented, a frame, the end of a quoted text.
bool ContinuesRecord(std::string_view text) {
  if (text[0] == ' ' || text[0] == '\t' || text[0] == '}' || text[0] == '"') return true;
  if (text[0] == '#') return text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  for (std::string_view start : {"[stacktrace]", "Stack trace:", "Caused by:", "Traceback (", "at ", "... "}) {
    if (text.starts_with(start)) return true;
  }
  return false;
}

// "==123==ERROR: AddressSanitizer", "==123== Memcheck"
bool IsCheckerLine(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789", 2);
  return text.starts_with("==") && end > 2 && end != std::string_view::npos && text.substr(end).starts_with("==");
}

}  // namespace

Evidence DetectLog(const Document& document) {
  uint32_t looked = 0, timed = 0, levelled = 0, access = 0, frames = 0, checker = 0, records = 0;
  const uint32_t count = document.line_count();
  std::string scratch;
  // A third from the start, the rest spread over all.
  const uint32_t step = std::max<uint32_t>(1, count / kSampled);
  for (uint32_t line = 0; line < count; line += line < kSampled / 3 ? 1 : step) {
    const std::string_view text = document.Plain(line, scratch);
    if (text.empty() || ContinuesRecord(text)) continue;
    const LogLine read = ReadLogLine(text);
    ++looked;
    timed += read.timed && !IsProperty(text);
    levelled += read.levelled;
    records += read.timed && read.levelled;
    access += read.access;
    frames += read.native_frame;
    checker += IsCheckerLine(text);
  }
  if (checker > 1) return {62, "a memory checker's report"};
  if (looked < 4) return {};
  const auto share = [&](uint32_t part) { return static_cast<int>(100ull * part / looked); };
  if (share(access) >= 60) return {90, "access records"};
  if (share(timed) >= 50 && share(levelled) >= 30) return {88, "lines start with a time and name a level"};
  if (share(timed) >= 60) return {72, "lines start with a time"};
  if (share(levelled) >= 60) return {60, "lines name a level"};
  if (share(frames) >= 50) return {60, "frames of a crash report"};
  if (share(records) >= 20 && records * 5 >= timed * 4) return {62, "records of several lines, with times and levels"};
  // Rows of files and of commits have times in them as well, but no levels.
  if (share(timed) >= 25 && levelled * 4 >= timed) return {35, "some lines start with a time"};
  return {};
}

std::unique_ptr<Shaper> ShapeLog(const Document& document) {
  return std::make_unique<LogShaper>(document, ShapeLines(document, LogPlan(document).Make()));
}

}  // namespace pith
