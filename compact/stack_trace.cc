// A trace is found by its first sure line (a frame, or a heading that only traces have) and then read by the rules of
// its family until a line does not fit:
//
//   Python      heading; frames from far to near, each with its source line; then what was raised; chained by sentences
//   at          Java, Kotlin, Scala, JavaScript, C#: what was raised; frames from near to far; "Caused by:" and again
//   numbered    sanitizers, gdb, valgrind, Rust: what was raised some lines above; frames from near to far
//   Go          panic; per goroutine a heading and pairs of function and place
//
// Each reader returns the line after the trace and never goes back further than a few lines, so the whole is linear.
#include "compact/stack_trace.h"

#include <algorithm>

#include "compact/characters.h"
#include "compact/frames.h"

namespace pith {
namespace {

constexpr uint32_t kLookBack = 4;
constexpr size_t kMostHeads = 64;  // of one trace; a chain of causes longer than this is a loop

size_t IndentOf(std::string_view text) { return std::min(text.find_first_not_of(" \t|"), text.size()); }

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(IndentOf(text));
  return text;
}

using ascii::IsDigit;

size_t DigitsAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return end - at;
}

bool IsTracebackHeading(std::string_view trimmed) {
  return trimmed.starts_with("Traceback (most recent call last)") ||
         trimmed.starts_with("+ Exception Group Traceback (most recent call last)");
}

// "at f (a.js:3:1)", "at a.B.c(B.java:3)", "at Ns.C.M() in C:\\a.cs:line 3", "at async f (...)", "at
// node:internal/x:1:2"
bool IsAtFrame(std::string_view text, std::string_view trimmed) {
  if (trimmed.size() < 6 || !trimmed.starts_with("at ") || text.size() == trimmed.size()) return false;
  return trimmed.find('(') != std::string_view::npos || trimmed.find(':') != std::string_view::npos ||
         trimmed.find("<anonymous>") != std::string_view::npos;
}

bool IsAtDetail(std::string_view trimmed) {
  return (trimmed.starts_with("... ") && IsDigit(trimmed[4 < trimmed.size() ? 4 : 3])) ||
         trimmed.starts_with("--- End of ");
}

bool IsCause(std::string_view trimmed) {
  return trimmed.starts_with("Caused by:") || trimmed.starts_with("Suppressed:") || trimmed.starts_with("[cause]:") ||
         trimmed.starts_with("Wrapped by:") || trimmed.starts_with("---> ");
}

// The text after valgrind's ==123== or a sanitizer's indentation.
std::string_view AfterPid(std::string_view text) {
  if (!text.starts_with("==")) return Trimmed(text);
  const size_t digits = DigitsAt(text, 2);
  if (digits == 0 || text.substr(2 + digits, 2) != "==") return Trimmed(text);
  return Trimmed(text.substr(4 + digits));
}

// "#0 0x55 in f a.c:3", "#1  f (x=1) at a.c:3", valgrind's "at 0x10915E: f (a.c:3)" and "by 0x...", Rust's "12:
// core::f"
bool IsNumberedFrame(std::string_view text) {
  const std::string_view trimmed = AfterPid(text);
  if (trimmed.size() < 4) return false;
  if (trimmed[0] == '#') {
    const size_t digits = DigitsAt(trimmed, 1);
    return digits > 0 && digits < 5 && 1 + digits < trimmed.size() && trimmed[1 + digits] == ' ' &&
           (trimmed.find(" in ") != std::string_view::npos || trimmed.find('(') != std::string_view::npos);
  }
  if (text[0] == '=') return trimmed.starts_with("at 0x") || trimmed.starts_with("by 0x");
  return false;
}

// A frame with a source line outside of the C library, the sanitizers and valgrind.
bool IsOwnNative(std::string_view text) {
  if (text.find('.') == std::string_view::npos || text.rfind(':') == std::string_view::npos || InLibrary(text))
    return false;
  for (std::string_view part :
       {"interceptor", "vg_replace", "sysdeps", "/csu/", "libsanitizer", "vgpreload", " __libc_"}) {
    if (text.find(part) != std::string_view::npos) return false;
  }
  return text.find(':') != text.rfind(':') || text.find("0x") == std::string_view::npos || text[0] == ' ';
}

bool IsRustFrame(std::string_view text, std::string_view trimmed) {
  const size_t digits = DigitsAt(trimmed, 0);
  return digits > 0 && digits < 4 && text.size() > trimmed.size() && trimmed.substr(digits).starts_with(": ");
}

bool IsGoroutine(std::string_view text) { return text.starts_with("goroutine ") && text.ends_with("]:"); }

bool IsGoPlace(std::string_view text) {
  return text.size() > 4 && text[0] == '\t' && text.find(".go:") != std::string_view::npos;
}

// Reads one document; `at_` is the line after the trace at hand.
class Reader {
 public:
  explicit Reader(const Document& document) : document_(document), count_(document.line_count()) {}

  StackTraces Read() {
    StackTraces found;
    uint32_t floor = 0;
    for (uint32_t line = 0; line < count_;) {
      trace_.Clear(line);
      at_ = line;
      if (!ReadTrace(line, floor)) {
        ++line;
        continue;
      }
      found.Add({trace_.first, at_ - 1, trace_.heads, trace_.frames, trace_.more, trace_.frame_count});
      line = floor = at_;
    }
    return found;
  }

 private:
  // The trace at hand, as in StackTrace.
  struct Trace {
    uint32_t first = 0, frame_count = 0;
    std::vector<uint32_t> heads, frames, more;

    void Clear(uint32_t line) {
      first = line;
      if (heads.empty() && frames.empty() && more.empty() && frame_count == 0) return;
      frame_count = 0;
      heads.clear();
      frames.clear();
      more.clear();
    }
  };

  std::string_view Text(uint32_t line) const { return line < count_ ? document_.Text(line) : std::string_view{}; }

  // True with trace_ and at_ set when a trace starts at `line`, or just before it (not before `floor`).
  bool ReadTrace(uint32_t line, uint32_t floor) {
    const std::string_view text = Text(line), trimmed = Trimmed(text);
    if (trimmed.size() < 4) return false;
    switch (trimmed[0]) {
      case 'T':
      case '+':
        return IsTracebackHeading(trimmed) && ReadPython(line);
      case 'F':
        return trimmed.starts_with("File \"") && IndentOf(text) > 0 && ReadPythonFrames(line, 1);
      case 'a':
        return IsAtFrame(text, trimmed) && ReadAt(line, floor);
      case '#':
      case '=':
        return IsNumberedFrame(text) && ReadNumbered(line, floor);
      case 's':
        return trimmed.starts_with("stack backtrace:") && ReadRust(line, floor);
      case 'g':
        return IsGoroutine(text) && ReadGo(line, floor);
      default:
        return false;
    }
  }

  void AddHead(uint32_t line) {
    if (trace_.heads.size() < kMostHeads && (trace_.heads.empty() || trace_.heads.back() < line)) {
      trace_.heads.push_back(line);
    }
  }
  void AddFrame(uint32_t line) {
    if (trace_.frames.size() < 3 * kMostHeads && (trace_.frames.empty() || trace_.frames.back() < line)) {
      trace_.frames.push_back(line);
    }
  }

  // Whose code a frame is costs more to tell than all else; far from the fault it matters less.
  bool IsNear(bool found) const { return trace_.frame_count <= (found ? 16u : 48u); }

  void AddMore(uint32_t line) {
    if (trace_.more.size() < StackTrace::kMostMore) trace_.more.push_back(line);
  }

  // Moves the start of the trace up over the lines that say what was raised, and takes them as heads.
  void TakeHeadsBefore(uint32_t line, uint32_t floor, uint32_t most, bool over_blanks) {
    uint32_t start = line;
    while (start > floor && line - start < most) {
      const bool blank = Trimmed(Text(start - 1)).empty();
      if (blank && !over_blanks) break;
      --start;
    }
    while (start < line && Trimmed(Text(start)).empty()) ++start;
    trace_.first = start;
    for (uint32_t head = start; head < line; ++head) {
      if (!Trimmed(Text(head)).empty()) AddHead(head);
    }
  }

  bool ReadPython(uint32_t line) {
    if (line < barren_) return false;
    at_ = line;
    for (;;) {
      if (!ReadPythonFrames(at_ + 1, IndentOf(Text(at_)) + 1)) {
        barren_ = at_;
        return trace_.frame_count > 0;
      }
      uint32_t next = at_;  // a sentence between two blank lines joins the next trace to this one
      while (next < at_ + 2 && next < count_ && Trimmed(Text(next)).empty()) ++next;
      const std::string_view joint = Trimmed(Text(next));
      if (!joint.starts_with("During handling of") && !joint.starts_with("The above exception")) return true;
      uint32_t heading = next + 1;
      while (heading < next + 3 && heading < count_ && Trimmed(Text(heading)).empty()) ++heading;
      if (!IsTracebackHeading(Trimmed(Text(heading)))) return true;
      AddHead(next);
      at_ = heading;
    }
  }

  // Frames deeper than `indent` from `line` on, nearest last, then what was raised.
  bool ReadPythonFrames(uint32_t line, size_t indent) {
    uint32_t own = UINT32_MAX, nearest = UINT32_MAX;
    for (at_ = line; at_ < count_; ++at_) {
      const std::string_view text = Text(at_), trimmed = Trimmed(text);
      if (trimmed.empty() || IndentOf(text) < indent) break;
      if (!trimmed.starts_with("File \"")) continue;
      ++trace_.frame_count;
      nearest = at_;
      if (InLibrary(trimmed)) continue;
      if (own != UINT32_MAX) AddMore(own);
      own = at_;
    }
    if (nearest == UINT32_MAX) return false;
    const uint32_t frame = own == UINT32_MAX ? nearest : own;
    AddFrame(frame);
    const std::string_view source = Trimmed(Text(frame + 1));
    if (frame + 1 < at_ && !source.starts_with("File \"")) AddFrame(frame + 1);
    if (at_ < count_ && !Trimmed(Text(at_)).empty()) AddHead(at_++);
    return true;
  }

  bool ReadAt(uint32_t line, uint32_t floor) {
    TakeHeadsBefore(line, floor, 1, false);
    uint32_t own = UINT32_MAX, nearest = UINT32_MAX;
    auto close_part = [&] {
      if (nearest != UINT32_MAX) AddFrame(own == UINT32_MAX ? nearest : own);
      own = nearest = UINT32_MAX;
    };
    for (at_ = line; at_ < count_; ++at_) {
      const std::string_view text = Text(at_), trimmed = Trimmed(text);
      if (IsAtFrame(text, trimmed)) {
        ++trace_.frame_count;
        if (nearest == UINT32_MAX) nearest = at_;
        if (!IsNear(own != UINT32_MAX) || InLibrary(trimmed.substr(3)) || InLibrary(trimmed)) continue;
        if (own != UINT32_MAX) AddMore(at_);
        if (own == UINT32_MAX) own = at_;
      } else if (IsCause(trimmed)) {
        close_part();
        AddHead(at_);
      } else if (!IsAtDetail(trimmed)) {
        break;
      }
    }
    close_part();
    return true;
  }

  bool ReadNumbered(uint32_t line, uint32_t floor) {
    TakeHeadsBefore(line, floor, Text(line)[0] == '=' ? 1 : 3, false);
    uint32_t own = UINT32_MAX;
    for (at_ = line; at_ < count_ && IsNumberedFrame(Text(at_)); ++at_) {
      ++trace_.frame_count;
      if (!IsNear(own != UINT32_MAX) || !IsOwnNative(Text(at_))) continue;
      if (own != UINT32_MAX) AddMore(at_);
      if (own == UINT32_MAX) own = at_;
    }
    AddFrame(own == UINT32_MAX ? line : own);
    return true;
  }

  bool ReadRust(uint32_t line, uint32_t floor) {
    for (uint32_t back = 1; back <= kLookBack && line >= floor + back; ++back) {
      if (Text(line - back).find("panicked at") == std::string_view::npos) continue;
      TakeHeadsBefore(line, floor, back, true);
      break;
    }
    uint32_t own = UINT32_MAX, nearest = UINT32_MAX;
    for (at_ = line + 1; at_ < count_; ++at_) {
      const std::string_view text = Text(at_), trimmed = Trimmed(text);
      const bool frame = IsRustFrame(text, trimmed);
      if (!frame && !trimmed.starts_with("at ")) break;
      if (!frame) continue;
      ++trace_.frame_count;
      if (nearest == UINT32_MAX) nearest = at_;
      if (own == UINT32_MAX && !InLibrary(Trimmed(trimmed.substr(DigitsAt(trimmed, 0) + 1))) &&
          !InLibrary(Trimmed(Text(at_ + 1)))) {
        own = at_;
      }
    }
    if (nearest == UINT32_MAX) return false;
    const uint32_t frame = own == UINT32_MAX ? nearest : own;
    AddFrame(frame);
    if (frame + 1 < at_ && Trimmed(Text(frame + 1)).starts_with("at ")) AddFrame(frame + 1);
    return true;
  }

  bool ReadGo(uint32_t line, uint32_t floor) {
    for (uint32_t back = 1; back <= kLookBack && line >= floor + back; ++back) {
      const std::string_view text = Text(line - back);
      if (!text.starts_with("panic:") && !text.starts_with("fatal error:")) continue;
      TakeHeadsBefore(line, floor, back, true);
      break;
    }
    AddHead(line);
    uint32_t own = UINT32_MAX, nearest = UINT32_MAX;
    for (at_ = line + 1; at_ < count_ && !Text(at_).empty(); ++at_) {
      if (!IsGoPlace(Text(at_))) {
        if (!IsGoPlace(Text(at_ + 1)) && Text(at_).find("(") == std::string_view::npos) break;
        continue;
      }
      ++trace_.frame_count;
      if (nearest == UINT32_MAX) nearest = at_;
      if (own == UINT32_MAX && !InLibrary(Text(at_)) && Text(at_).find("/src/runtime/") == std::string_view::npos)
        own = at_;
    }
    if (nearest == UINT32_MAX) return false;
    const uint32_t frame = own == UINT32_MAX ? nearest : own;
    if (frame > line + 1) AddFrame(frame - 1);
    AddFrame(frame);
    return true;
  }

  const Document& document_;
  uint32_t count_, at_ = 0;
  uint32_t barren_ = 0;  // headings before this line were looked at: no frames
  Trace trace_;
};

}  // namespace

void StackTraces::Add(const StackTrace& trace) {
  Row row{trace.first, trace.last, trace.frame_count, static_cast<uint32_t>(lines_.size()), 0, 0, 0};
  row.heads = static_cast<uint16_t>(trace.heads.size());
  row.frames = static_cast<uint16_t>(trace.frames.size());
  row.more = static_cast<uint16_t>(trace.more.size());
  rows_.push_back(row);
  for (std::span<const uint32_t> lines : {trace.heads, trace.frames, trace.more}) {
    lines_.insert(lines_.end(), lines.begin(), lines.end());
  }
}

StackTrace StackTraces::operator[](size_t index) const {
  const Row& row = rows_[index];
  const std::span<const uint32_t> lines(lines_.data() + row.lines, size_t{row.heads} + row.frames + row.more);
  return {row.first,
          row.last,
          lines.subspan(0, row.heads),
          lines.subspan(row.heads, row.frames),
          lines.subspan(size_t{row.heads} + row.frames),
          row.frame_count};
}

StackTraces FindStackTraces(const Document& document) { return Reader(document).Read(); }

}  // namespace pith
