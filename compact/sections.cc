// Commands are joined by `&&` and `;`, and what they print arrives as one text. A view that takes it for one kind knows
// what to keep of one part only: the rows of a test run say nothing of the warnings that the build before it gave.
//
// A boundary is drawn only where something says so that cannot be mistaken, for a test run prints logs, patches and
// JSON of its own: the first and the last row of a test run; a JSON text that begins and ends with its lines; a patch
// by its headers and hunk counts; a line that the command itself echoes between its parts (`echo "--- b"`); and where
// lines with times begin or end for good. What is left between these is of the kind that its own lines show. Where
// fewer than two kinds are sure, the original stays one; so does what one command alone is known to have printed.
#include "compact/sections.h"

#include <algorithm>
#include <cstring>

#include "compact/command/shell_line.h"
#include "compact/diff/lines.h"
#include "compact/folds.h"
#include "compact/kinds.h"
#include "compact/log/lines.h"
#include "compact/test_run/rows.h"

namespace pith {
namespace {

constexpr uint32_t kFewestLines = 16;
constexpr uint64_t kFewestBytes = 1500;
constexpr int kSure = 60;         // evidence from which a kind is sure by itself
constexpr int kSureWhole = 70;    // ... from which times alone draw no boundary in the whole
constexpr int kSureLog = 70;      // a level named here and there does not make lines a log
constexpr int kBeyondDoubt = 95;  // ... from which nothing else is looked for
constexpr uint64_t kJsonBytes = 300;
constexpr uint32_t kSampledLines = 1000;
constexpr uint32_t kSampledRun = 16;   // of them that stand together: each run costs pages of its own
constexpr uint32_t kTimedLines = 12;   // on one side, before a boundary is drawn by times
constexpr uint32_t kMostBetween = 20;  // lines between patches of one commit
constexpr size_t kMostSections = 64;   // beyond, the original stays one
constexpr uint64_t kScansOfJson = 2;   // of the whole, in search of JSON texts

using Sections = std::vector<Section>;

// A part of an original as an original of its own. The command of the whole says nothing of it.
struct Part {
  Part(const Document& whole, const Section& section)
      : hints(PartHints(whole.hints, section.kind)),
        span(whole.lines.Lines(section.first, section.end - 1)),
        first_line(section.first),
        document(whole.Bytes(span), hints, false) {}
  Part(const Document& whole, uint32_t first, uint32_t end)
      : hints(PartHints(whole.hints, std::nullopt)),
        span(whole.lines.Lines(first, end - 1)),
        first_line(first),
        document(whole.Bytes(span), hints, false) {}

  static Hints PartHints(Hints hints, std::optional<Kind> kind) {
    hints.command = hints.path = hints.mime = {};
    hints.kind = kind;
    return hints;
  }

  Hints hints;
  Span span;
  uint32_t first_line;
  Document document;
};

// -- finding

class Finder {
 public:
  // `by_times`: times alone may draw a boundary.
  Finder(const Document& document, bool by_times)
      : document_(document), count_(document.line_count()), by_times_(by_times) {}

  Sections Find() {
    FindTestRun();
    FindBlocks();
    if (blocks_.empty()) AddEchoes(0, count_);
    const bool parted = !blocks_.empty() || !cuts_.empty();
    if (!parted && !(by_times_ && MayPartByTimes())) return {};
    by_times_ = true;
    return Assemble();
  }

 private:
  std::string_view Text(uint32_t line) { return document_.Plain(line, scratch_); }

  static bool BoundsRun(RowRole role) {
    switch (role) {
      case RowRole::kPass:
      case RowRole::kSkip:
      case RowRole::kFail:
      case RowRole::kOpen:
      case RowRole::kBlock:
      case RowRole::kStart:
      case RowRole::kGroup:
      case RowRole::kHeading:
      case RowRole::kListing:
      case RowRole::kSummary:
      case RowRole::kTotals:
      case RowRole::kBroken:
        return true;
      default:
        return false;
    }
  }

  // From the first row of a test to the last row or total.
  void FindTestRun() {
    if (DetectTestRun(document_).score < kSure) return;
    uint32_t first = 0, end = count_;
    while (first < end && !BoundsRun(ReadRow(Text(first)).role)) ++first;
    while (end > first && !BoundsRun(ReadRow(Text(end - 1)).role)) --end;
    if (end - first > 1) blocks_.push_back({first, end, Kind::kTestRun});
  }

  // JSON texts and patches outside of the test run, in order.
  void FindBlocks() {
    Sections found;
    const Section run = blocks_.empty() ? Section{count_, count_, Kind::kText} : blocks_.front();
    uint64_t scanned = 0;
    for (uint32_t line = 0; line < count_; ++line) {
      if (line == run.first) line = run.end;
      if (line >= count_) break;
      const std::string_view text = document_.Text(line);
      if (text.empty()) continue;
      const uint32_t most = line < run.first ? run.first : count_;
      Section block{line, line, Kind::kText};
      if ((text[0] == '{' || text[0] == '[') && scanned < kScansOfJson * document_.bytes.size()) {
        block = JsonFrom(line, most, scanned);
      } else if (text.starts_with("diff --git ") && patches_) {
        block = PatchFrom(line, most);
        patches_ = block.end != line;
      }
      if (block.end == line) continue;
      found.push_back(block);
      line = block.end - 1;
    }
    blocks_.insert(blocks_.end(), found.begin(), found.end());
    std::sort(blocks_.begin(), blocks_.end(), [](const Section& a, const Section& b) { return a.first < b.first; });
  }

  bool OpensJson(uint32_t line) const {
    return line < count_ && (document_.Text(line).starts_with('{') || document_.Text(line).starts_with('['));
  }

  // The JSON text that begins with `line` and ends with a line before `most`; empty if there is none.
  Section JsonFrom(uint32_t line, uint32_t most, uint64_t& scanned) {
    const Section none{line, line, Kind::kText};
    const std::string_view bytes = document_.Bytes(document_.lines.Lines(line, most - 1));
    std::string open;
    bool quoted = false;
    size_t at = 0;
    for (; at < bytes.size(); ++at) {
      const char c = bytes[at];
      if (quoted) {
        if (c == '\\') ++at;
        if (c == '"' || c == '\n') quoted = c == '"' ? false : quoted;
        if (c == '\n') break;  // no string spans lines
        continue;
      }
      if (c == '"') quoted = true;
      if (c == '{' || c == '[') open.push_back(c);
      if (c != '}' && c != ']') continue;
      if (open.empty() || open.back() != (c == '}' ? '{' : '[')) break;
      open.pop_back();
      if (open.empty()) break;
    }
    scanned += at;
    if (!open.empty() || at >= bytes.size() || at + 1 < kJsonBytes) return none;
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    if (bytes.substr(at + 1, end - at - 1).find_first_not_of(" \t\r") != std::string_view::npos) return none;
    const uint64_t last = document_.lines.Line(line).begin + at;
    const Section block{line, document_.lines.LineAt(last) + 1, Kind::kJson};
    const bool record = block.end == line + 1 && (OpensJson(line - 1) || OpensJson(line + 1));  // of a log, one a line
    if (record) return none;
    return DetectJson(Part(document_, block.first, block.end).document).score >= kSure ? block : none;
  }

  // The patch that begins with `line`, with the message of its commit before it, up to its last hunk.
  Section PatchFrom(uint32_t line, uint32_t most) {
    const Part part(document_, line, most);
    const DiffText text = ReadDiff(part.document, part.document.line_count());
    uint32_t end = 0;
    for (uint32_t i = 0; i < text.lines.size() && i < end + kMostBetween; ++i) {
      const bool message = text.lines[i] == DiffLine::kMessage;
      if (!message || part.document.Text(i).starts_with("commit ")) end = i + 1;
    }
    if (text.hunks == 0 || end < 3) return {line, line, Kind::kText};
    return {line, line + end, Kind::kDiff};
  }

  // Lines that the command prints between its parts by `echo`.
  void AddEchoes(uint32_t first, uint32_t end) {
    if (!document_.command.compound) return;
    std::vector<std::string> echoed;
    for (const Pipeline& pipeline : ParseShellLine(document_.hints.command)) {
      if (pipeline.stages.empty() || pipeline.stages[0].words.size() < 2 || pipeline.stages[0].words[0] != "echo")
        continue;
      const std::vector<std::string>& words = pipeline.stages[0].words;
      std::string line;
      for (size_t i = words[1] == "-e" || words[1] == "-n" ? 2 : 1; i < words.size(); ++i) {
        line += (line.empty() ? "" : " ") + words[i];
      }
      if (line.find('$') == std::string::npos && line.size() >= 3) echoed.push_back(line);
    }
    if (echoed.empty()) return;
    for (uint32_t line = first; line < end; ++line) {
      const std::string_view text = document_.Text(line);
      if (std::find(echoed.begin(), echoed.end(), text) != echoed.end()) cuts_.push_back(line);
    }
  }

  // Blocks and what lies between them, each of a kind; neighbours of one kind as one.
  Sections Assemble() {
    Sections all;
    uint32_t at = 0;
    for (const Section& block : blocks_) {
      AddFree(at, block.first, all);
      Append(all, block);
      at = block.end;
    }
    AddFree(at, count_, all);
    return all;
  }

  void AddFree(uint32_t first, uint32_t end, Sections& all) {
    if (first >= end) return;
    for (uint32_t cut : cuts_) {
      if (cut <= first || cut >= end) continue;
      AddByTimes(first, cut, all);
      first = cut;
    }
    AddByTimes(first, end, all);
  }

  // A look at some lines of the whole: some have times, and some have none.
  bool MayPartByTimes() {
    const uint32_t step = std::max<uint32_t>(1, count_ / kSampledLines);
    uint32_t timed = 0, lines = 0;
    for (uint64_t run = 0; run < count_; run += uint64_t{step} * kSampledRun) {
      const auto end = static_cast<uint32_t>(std::min<uint64_t>(count_, run + kSampledRun));
      for (auto line = static_cast<uint32_t>(run); line < end; ++line) {
        if (document_.Text(line).empty()) continue;
        ++lines;
        timed += ReadLogLine(document_.Text(line)).timed;
      }
    }
    return timed * step >= kTimedLines && (lines - timed) * step >= kTimedLines;
  }

  // Where lines with times begin, or end, for good: the place that tells best the timed from the others.
  void AddByTimes(uint32_t first, uint32_t end, Sections& all) {
    uint32_t timed = 0, lines = 0;
    for (uint32_t line = first; line < end; ++line) {
      if (document_.Text(line).empty()) continue;
      ++lines;
      timed += ReadLogLine(document_.Text(line)).timed;
    }
    if (by_times_ && timed >= kTimedLines && lines - timed >= kTimedLines) {
      uint32_t place = first, best = 0, timed_before = 0, before = 0;
      bool log_first = false;
      for (uint32_t line = first; line < end; ++line) {
        const uint32_t told_log_first = timed_before + (lines - before - (timed - timed_before));
        const uint32_t told_log_last = (before - timed_before) + (timed - timed_before);
        if (std::max(told_log_first, told_log_last) > best) {
          best = std::max(told_log_first, told_log_last);
          place = line;
          log_first = told_log_first > told_log_last;
        }
        if (document_.Text(line).empty()) continue;
        ++before;
        timed_before += ReadLogLine(document_.Text(line)).timed;
      }
      if (place > first && best * 10 >= lines * 9) {
        AddDetected(first, place, log_first ? Kind::kLog : Kind::kText, all);
        return AddDetected(place, end, log_first ? Kind::kText : Kind::kLog, all);
      }
    }
    AddDetected(first, end, Kind::kText, all);
  }

  void AddDetected(uint32_t first, uint32_t end, Kind known, Sections& all) {
    if (known == Kind::kText) {
      int score = 0;
      const Part part(document_, first, end);
      known = DetectKind(part.document, nullptr, &score);
      if (score < (known == Kind::kLog ? kSureLog : kSure) || !RowOf(known).shape) known = Kind::kText;
    }
    Append(all, {first, end, known});
  }

  // The message of a commit belongs to the patch under it; text of a line or two to what stands before it.
  void Append(Sections& all, Section section) {
    if (!all.empty() && section.kind == Kind::kDiff) {
      const std::string_view head = document_.Text(all.back().first);
      if (head.starts_with("commit ") || head.starts_with("From ")) {
        section.first = all.back().first;
        all.pop_back();
      }
    }
    if (!all.empty() && all.back().kind == section.kind) {
      all.back().end = section.end;
    } else {
      all.push_back(section);
    }
  }

  const Document& document_;
  uint32_t count_;
  bool by_times_;
  std::string scratch_;
  Sections blocks_;
  std::vector<uint32_t> cuts_;
  bool patches_ = true;  // none has been looked for in vain
};

// -- shaping

// Shares of `room` such that the small needs are met whole and the large ones evenly.
std::vector<uint64_t> Shares(const std::vector<uint64_t>& needs, uint64_t room) {
  std::vector<size_t> order(needs.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return needs[a] < needs[b]; });
  std::vector<uint64_t> shares(needs.size());
  for (size_t i = 0; i < order.size(); ++i) {
    shares[order[i]] = std::min(needs[order[i]], room / (order.size() - i));
    room -= shares[order[i]];
  }
  return shares;
}

// The number at the end of "[x50, last 2061]" and "[line 31]" is a line of its part: in the view it is one of the
// whole.
void ShiftNote(std::string& text, uint64_t lines) {
  for (std::string_view before : {", last ", " [line "}) {
    const size_t at = text.rfind(before);
    if (at == std::string::npos || !text.ends_with(']')) continue;
    const size_t begin = at + before.size(), end = text.size() - 1;
    if (begin == end || end - begin > 10 || text.find_first_not_of("0123456789", begin) != end) continue;
    text.replace(begin, end - begin, std::to_string(std::stoull(text.substr(begin, end - begin)) + lines));
    return;
  }
}

class SectionShaper : public Shaper {
 public:
  SectionShaper(const Document& document, const Sections& sections) : document_(document) {
    for (const Section& section : sections) {
      parts_.push_back(std::make_unique<Part>(document, section));
      Document& part = parts_.back()->document;
      std::copy_n(document.signals.begin() + section.first, section.end - section.first, part.signals.begin());
      if (section.kind == Kind::kDiff) ReadPatchSignals(part);
      std::unique_ptr<Shaper> shaper = RowOf(section.kind).shape(parts_.back()->document);
      // A kind may find nothing to shape after all.
      shapers_.push_back(shaper ? std::move(shaper) : ShapeText(parts_.back()->document));
    }
  }

  std::vector<Piece> Make(const Limit& limit) const override {
    std::vector<Limit> limits(parts_.size(), limit);
    for (uint64_t Limit::*bound : {&Limit::soft, &Limit::hard}) {
      std::vector<uint64_t> needs;
      for (size_t i = 0; i < parts_.size(); ++i) needs.push_back(BytesOf(i, limits[i]));
      const std::vector<uint64_t> shares = Shares(needs, limit.*bound);
      for (size_t i = 0; i < parts_.size(); ++i) {
        if (shares[i] == needs[i]) continue;  // it has what it wants
        limits[i].*bound = shares[i];
        if (bound == &Limit::hard) limits[i].soft = std::min(limits[i].soft, shares[i]);
      }
    }
    std::vector<Piece> pieces;
    for (size_t i = 0; i < parts_.size(); ++i) {
      for (Piece& piece : PiecesOf(i, limits[i])) Add(std::move(piece), *parts_[i], pieces);
    }
    return pieces;
  }

  uint64_t SignalBytes() const override {
    uint64_t bytes = 0;
    for (const std::unique_ptr<Shaper>& shaper : shapers_) bytes += shaper->SignalBytes();
    return bytes;
  }

 private:
  std::vector<Piece> PiecesOf(size_t part, const Limit& limit) const {
    std::vector<Piece> pieces = shapers_[part]->Make(limit);
    CountHiddenSignals(parts_[part]->document, pieces);
    return pieces;
  }

  uint64_t BytesOf(size_t part, const Limit& limit) const {
    return Render(parts_[part]->document, PiecesOf(part, limit)).size();
  }

  // What a part says of itself, said of the whole.
  void Add(Piece piece, const Part& part, std::vector<Piece>& pieces) const {
    const uint64_t bytes = part.span.begin;
    piece.span = {piece.span.begin + bytes, piece.span.end + bytes};
    for (Span& span : piece.more) span = {span.begin + bytes, span.end + bytes};
    if (piece.type == Piece::Type::kNote) ShiftNote(piece.text, part.first_line);
    if (piece.form == FoldForm::kRepeat) {
      const uint32_t first = document_.lines.LineAt(piece.span.begin);
      const uint32_t last = document_.lines.LineAt(piece.span.end - 1);
      piece.text = RepeatText(last - first + 1ull, first + 1, last + 1);
    }
    if (piece.type != Piece::Type::kGap) return pieces.push_back(std::move(piece));
    piece.weighed = true;
    if (piece.address.form == Address::Form::kLines) {
      piece.address.first += part.first_line;
      piece.address.last += part.first_line;
    } else {
      piece.address.first += piece.address.form == Address::Form::kBytes ? bytes : 0;
    }
    if (piece.address.form != Address::Form::kJsonPath) return pieces.push_back(std::move(piece));
    // A path into a JSON text among others would name nothing.
    piece.address = {Address::Form::kBytes, piece.span.begin, piece.span.size(), ""};
    const std::string count = " (" + Counted(piece.count, piece.noun) + ")";
    pieces.push_back(std::move(piece));
    pieces.push_back(Note(count));
    pieces.back().glued = true;
  }

  const Document& document_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::unique_ptr<Shaper>> shapers_;
};

}  // namespace

std::vector<Section> FindSections(const Document& document, Kind whole, int whole_score) {
  const bool one_command = document.command.rule != nullptr && !document.command.compound;
  const Kind named = KindByName(document.hints).value_or(Kind::kText);
  const bool told = one_command || document.hints.kind || (named != Kind::kText && named != Kind::kLog);
  const bool parsed = whole_score >= kSureWhole && (whole == Kind::kJson || whole == Kind::kJsonLines);
  if (told || parsed || document.binary || !RowOf(whole).shape || whole_score >= kBeyondDoubt) return {};
  if (document.line_count() < kFewestLines || document.bytes.size() < kFewestBytes) return {};
  std::vector<Section> sections = Finder(document, whole_score < kSureWhole).Find();
  std::vector<Kind> sure;
  for (const Section& section : sections) {
    const bool set_up = section.kind == Kind::kPackage && whole == Kind::kTestRun;  // what a runner does before it runs
    if (section.kind == Kind::kText || set_up) continue;
    if (std::find(sure.begin(), sure.end(), section.kind) == sure.end()) sure.push_back(section.kind);
  }
  if (sure.size() < 2 || sections.size() > kMostSections) return {};
  return sections;
}

std::unique_ptr<Shaper> ShapeSections(const Document& document, const std::vector<Section>& sections) {
  return std::make_unique<SectionShaper>(document, sections);
}

std::string SectionsText(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    text += "  lines " + std::to_string(section.first + 1) + "-" + std::to_string(section.end) + ": " +
            std::string(KindName(section.kind)) + "\n";
  }
  return text;
}

}  // namespace pith
