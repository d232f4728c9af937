// Which line of the view stands for which of the original is not kept in a view, but its gaps say where they were: the
// lines between two gaps are shown, in order. So the view is walked from gap to gap; between them equal lines are
// paired as they come, and what remains on both sides before the next pair belongs together.
#include "cli/side_by_side.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "base/utf8.h"
#include "compact/display.h"
#include "compact/piece.h"

namespace pith::cli {
namespace {

constexpr unsigned kLeastColumns = 60;
constexpr unsigned kTab = 4;
constexpr std::string_view kPlain = "\x1b[0m", kGone = "\x1b[31m", kChanged = "\x1b[33m", kOwn = "\x1b[36m";

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// East Asian wide and emoji ranges, roughly: two columns.
unsigned WidthOf(char32_t c) {
  const bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
                    (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                    (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
  return wide ? 2 : 1;
}

char32_t CodePoint(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  char32_t c = first & (0xFFu >> (sequence.size() + 1));
  for (char byte : sequence.substr(1)) c = c << 6 | (static_cast<unsigned char>(byte) & 0x3F);
  return c;
}

// `line` in exactly `width` columns: tabs as blanks, control characters as U+FFFD, its end cut off, or filled up.
std::string Fitted(std::string_view line, unsigned width, bool fill) {
  std::string out;
  unsigned used = 0;
  for (size_t at = 0; at < line.size() && used < width;) {
    const size_t length = Utf8SequenceLength(line, at);
    const std::string_view sequence = line.substr(at, std::max<size_t>(length, 1));
    at += sequence.size();
    if (sequence == "\t") {
      const unsigned blanks = std::min(kTab - used % kTab, width - used);
      out.append(blanks, ' ');
      used += blanks;
      continue;
    }
    const bool control =
        length == 0 || (length == 1 && (static_cast<unsigned char>(sequence[0]) < 0x20 || sequence[0] == 0x7f));
    const unsigned columns = control ? 1 : WidthOf(CodePoint(sequence));
    if (used + columns > width) break;
    out += control ? std::string_view("\xEF\xBF\xBD") : sequence;
    used += columns;
  }
  if (fill) out.append(width - used, ' ');
  return out;
}

class Pairing {
 public:
  Pairing(std::string_view original, const View& view, const SideBySideOptions& options)
      : view_(view), shown_(LinesOf(view.text)), options_(options) {
    for (std::string_view line : LinesOf(original)) {
      lines_.emplace_back();
      AppendDisplayed(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, lines_.back());
      for (char& c : lines_.back()) {
        if (c == '\n') c = ' ';  // states that were written over
      }
    }
    digits_ = static_cast<unsigned>(std::to_string(lines_.size()).size());
    const unsigned columns = std::max(options.columns, kLeastColumns);
    width_ = (columns - digits_ - 4) / 2;
  }

  std::string Write() {
    out_ = Fitted("", digits_, true) + " " + Fitted("original: " + Size(view_.original), width_, true) +
           "   view: " + Size(view_.shown) + "\n";
    size_t gap = 0, from = 0;
    for (size_t line = 0; line < shown_.size(); ++line) {
      while (gap < view_.gaps.size() && view_.gaps[gap].form != Address::Form::kLines) ++gap;
      if (gap == view_.gaps.size()) break;
      const Address& address = view_.gaps[gap];
      if (!Names(shown_[line], address)) continue;
      Between(from, line, at_, std::min<size_t>(address.first - 1, lines_.size()));
      Gap(shown_[line], std::min<size_t>(address.last, lines_.size()));
      from = line + 1;
      ++gap;
    }
    Between(from, shown_.size(), at_, lines_.size());
    return std::move(out_);
  }

 private:
  static std::string Size(const Extent& extent) {
    return BytesText(extent.bytes) + ", " + CountText(extent.lines, "line") + ", about " +
           CountText(extent.tokens, "token");
  }

  // Whether this line of the view is the gap with that address.
  static bool Names(std::string_view line, const Address& address) {
    const std::string lines =
        std::to_string(address.first) + (address.last == address.first ? "" : "-" + std::to_string(address.last));
    const size_t at = line.find(" omitted: " + lines);
    if (!line.starts_with('[') || at == std::string_view::npos) return false;
    const size_t end = at + 10 + lines.size();
    return end < line.size() && (line[end] == ']' || line[end] == ',');
  }

  void Row(size_t original, char mark, std::string_view shown, std::string_view colour) {
    const bool has = original < lines_.size();
    std::string number = has ? std::to_string(original + 1) : "";
    out_ += std::string(digits_ - number.size(), ' ') + number + " ";
    const bool coloured = options_.colour && !colour.empty();
    if (coloured) out_ += colour;
    out_ += Fitted(has ? std::string_view(lines_[original]) : std::string_view(), width_, true);
    out_ += std::string(" ") + mark + " ";
    out_ += Fitted(shown, width_, false);
    while (!out_.empty() && out_.back() == ' ' && !coloured) out_.pop_back();
    if (coloured) out_ += kPlain;
    out_ += '\n';
  }

  void Gap(std::string_view text, size_t end) {
    if (at_ >= end) return Row(lines_.size(), '>', text, kOwn);
    Row(at_++, '<', text, kGone);
    while (at_ < end) Row(at_++, '<', "", kGone);
  }

  // Lines [from, to) of the view stand for lines [first, end) of the original.
  void Between(size_t from, size_t to, size_t first, size_t end) {
    std::unordered_map<std::string_view, std::vector<size_t>> places;
    for (size_t i = end; i > first; --i) places[lines_[i - 1]].push_back(i - 1);  // the first one last
    at_ = first;
    size_t waiting = from;  // lines of the view that no line has been found for
    for (size_t line = from; line < to; ++line) {
      const auto found = places.find(shown_[line]);
      if (found == places.end()) continue;
      std::vector<size_t>& of = found->second;
      while (!of.empty() && of.back() < at_) of.pop_back();
      if (of.empty()) continue;
      Unequal(waiting, line, of.back());
      Row(at_++, ' ', shown_[line], "");
      waiting = line + 1;
    }
    Unequal(waiting, to, end);
  }

  void Unequal(size_t from, size_t to, size_t end) {
    while (at_ < end && from < to) Row(at_++, '|', shown_[from++], kChanged);
    while (at_ < end) Row(at_++, '<', "", kGone);
    while (from < to) Row(lines_.size(), '>', shown_[from++], kOwn);
  }

  const View& view_;
  std::vector<std::string> lines_;  // of the original, as a reader sees them
  std::vector<std::string_view> shown_;
  const SideBySideOptions& options_;
  unsigned digits_ = 1, width_ = 70;
  size_t at_ = 0;  // lines of the original before it are written
  std::string out_;
};

}  // namespace

SideBySideOptions OptionsOfTerminal() {
  SideBySideOptions options;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.columns = size.ws_col;
  } else if (const char* columns = std::getenv("COLUMNS")) {
    options.columns = static_cast<unsigned>(std::min<uint64_t>(ParseWhole(columns).value_or(160), 1000));
  }
  const char* no_colour = std::getenv("NO_COLOR");
  options.colour = isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
  return options;
}

std::string SideBySide(std::string_view original, const View& view, const SideBySideOptions& options) {
  return Pairing(original, view, options).Write();
}

}  // namespace pith::cli
