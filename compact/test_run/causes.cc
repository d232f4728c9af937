// One pass over a stretch of lines with a little state. Two orders exist in the world: Python shows the frames first
// and what was raised last; the others say what was raised and list the frames after. pytest marks what it wants to be
// read with an E. Whatever the order, a cause ends up with the frame of the project that stands nearest to what was
// raised.
#include "compact/test_run/causes.h"

#include "compact/begins.h"
#include "compact/frames.h"
#include "compact/templates.h"
#include "compact/test_run/json.h"
#include "compact/test_run/rows.h"

namespace pith {
namespace {

constexpr size_t kMostFollowing = 4;  // lines after a cause that are taken for the rest of its message

// FNV-1a, going on from `hash`, over a text without its addresses of memory ("0x7f1c..."): two runs of one fault hash
// alike.
uint64_t TextHash(std::string_view text, uint64_t hash) {
  auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '0' && i + 1 < text.size() && text[i + 1] == 'x') {
      i += 2;
      while (i < text.size() && is_hex(text[i])) ++i;
      if (i == text.size()) break;
    }
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3u;
  }
  return hash;
}

class Scanner {
 public:
  Scanner(const Document& document, Stretch stretch) : document_(document), stretch_(stretch) {}

  void Read(uint32_t line) {
    if (stretch_ == Stretch::kOther && !in_trace_ && !message_open_ && !MayBeTrace(line)) return;
    std::string_view text = WithoutLinePrefix(UnwrapTestEvent(document_.Plain(line, scratch_), event_));
    ShapedLine shaped = ReadShape(text);
    bool was_marked = marked_;
    marked_ = shaped.marked;
    if (stretch_ == Stretch::kMarked && text.starts_with(">")) {
      pointer_ = line;
    } else if (in_trace_ && ReadInTrace(line, shaped)) {
      return;
    } else if (!ReadTrace(line, shaped)) {
      if (shaped.marked) {
        ReadMarked(line, was_marked);
      } else if (message_open_) {
        AddMessage(line, shaped);
      } else if (stretch_ == Stretch::kFailing || stretch_ == Stretch::kMaybe) {
        ReadSaid(line, shaped);
      } else if (stretch_ == Stretch::kMarked && !captured_ && shaped.indent == 0 &&
                 shaped.shape == LineShape::kException) {
        AddCause(line, false);
      }
    }
  }

  std::vector<Cause> Finish() {
    if (causes_.empty() && stretch_ == Stretch::kFailing && first_words_ != kNoLine) AddCause(first_words_, false);
    for (Cause& cause : causes_) Identify(cause);
    return std::move(causes_);
  }

  void AddCause(uint32_t line, bool traced) {
    Cause cause;
    cause.line = line;
    cause.traced = traced;
    cause.place = own_frame_;
    cause.code = pointer_;
    causes_.push_back(std::move(cause));
    own_frame_ = first_own_frame_ = pointer_ = kNoLine;
    placed_after_ = message_open_ = false;
    following_ = 0;
  }

 private:
  // Outside of what failing tests say only traces and pytest's marks count: told by a line's first letter.
  bool MayBeTrace(uint32_t line) const {
    std::string_view text = document_.Text(line);
    size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    char c = text[first];
    return c == 'T' || c == 'F' || c == 'E' || c == '[' || c == '{' || (c >= '0' && c <= '9');
  }

  // Frames, heads, blanks, headings: true if the line was one.
  bool ReadTrace(uint32_t line, const ShapedLine& shaped) {
    switch (shaped.shape) {
      case LineShape::kTraceHead:
        BeginTrace(shaped.indent);
        return true;
      case LineShape::kFrame:
        BeginTrace(shaped.indent >= 2 ? shaped.indent - 2 : 0);
        FrameBefore(line, shaped);
        return true;
      case LineShape::kFrameBefore:
        FrameBefore(line, shaped);
        return true;
      case LineShape::kPlace:
      case LineShape::kFrameAfter:
        FrameAfter(line, shaped);
        return true;
      case LineShape::kCaptured:
        captured_ = true;
        following_ = 0;
        return true;
      case LineShape::kBlank:
        following_ = following_ > 1 ? 1 : 0;
        goes_on_ = false;
        return true;
      default:
        return false;
    }
  }

  void BeginTrace(uint32_t indent) {
    in_trace_ = true;
    message_open_ = false;
    trace_indent_ = indent;
    own_frame_ = first_own_frame_ = kNoLine;
    following_ = 0;
  }

  // Inside a Python trace: frames and their source go by; the first line that stands no deeper than the head is what
  // was raised. True if the line is done with.
  bool ReadInTrace(uint32_t line, const ShapedLine& shaped) {
    if (shaped.shape == LineShape::kTraceHead) return false;
    if (shaped.shape == LineShape::kFrame) {
      FrameBefore(line, shaped);
      return true;
    }
    if (shaped.shape == LineShape::kBlank || shaped.indent > trace_indent_) return true;
    in_trace_ = false;
    std::string_view said = document_.Plain(line, scratch_);
    bool assertion = said.find("Assert") != std::string_view::npos;
    bool bare = said.find(' ', said.find_first_not_of(" E\t")) == std::string_view::npos;
    if (assertion && first_own_frame_ != kNoLine) own_frame_ = first_own_frame_;  // the test, not its helper
    AddCause(line, true);
    if (bare) KeyOfPlace(causes_.back());
    message_open_ = !shaped.marked;
    goes_on_ = Ends(said, ":");
    return true;
  }

  // An exception without a message says nothing but where it was raised: that makes it one with another or not.
  void KeyOfPlace(Cause& cause) {
    if (cause.place == kNoLine) return;
    cause.key = TextHash(document_.Plain(cause.place, scratch_), cause.key);
  }

  // What follows what was raised, up to the end of the stretch: the rest of its message. All of it makes causes
  // identical or not; what it says was raised or expected is shown.
  void AddMessage(uint32_t line, const ShapedLine& shaped) {
    Cause& cause = causes_.back();
    cause.key = TextHash(document_.Plain(line, scratch_), cause.key);
    const bool telling = shaped.shape == LineShape::kException || shaped.shape == LineShape::kExpected;
    if (telling || goes_on_ || (IsChange(line, shaped) && !SaysBoth(cause.line))) AddDetail(line);
  }

  void FrameBefore(uint32_t line, const ShapedLine& shaped) {
    following_ = 0;
    if (shaped.library) return;
    own_frame_ = line;
    if (first_own_frame_ == kNoLine) first_own_frame_ = line;
  }

  void FrameAfter(uint32_t line, const ShapedLine& shaped) {
    following_ = 0;
    if (shaped.library || causes_.empty()) return;
    if (placed_after_) {
      causes_.back().test_place = line;
    } else {
      causes_.back().place = line;
      placed_after_ = true;
    }
  }

  void ReadMarked(uint32_t line, bool was_marked) {
    if (was_marked && !causes_.empty()) {
      AddDetail(line);
    } else {
      AddCause(line, true);
    }
  }

  void ReadSaid(uint32_t line, const ShapedLine& shaped) {
    bool loud = shaped.shape == LineShape::kOther && document_.signals[line] >= Signal::kError;
    if (shaped.shape == LineShape::kException || loud) {
      AddCause(line, false);
      following_ = kMostFollowing;
    } else if (shaped.shape == LineShape::kExpected) {
      if (causes_.empty()) AddCause(first_words_ != kNoLine ? first_words_ : line, false);
      if (causes_.back().line != line) AddDetail(line);
      following_ = 1;
    } else if (shaped.shape != LineShape::kCode) {
      if (first_words_ == kNoLine && HasWords(line)) first_words_ = line;
      if (following_ > 0 || IsChange(line, shaped)) AddDetail(line);
      if (following_ > 0) --following_;
      if (!causes_.empty() && !placed_after_)
        causes_.back().key = TextHash(document_.Plain(line, scratch_), causes_.back().key);
    }
  }

  // A line of the difference between what was expected and what came: "-  163", "+  163.1".
  bool IsChange(uint32_t line, const ShapedLine& shaped) {
    if (causes_.empty() || placed_after_) return false;
    std::string_view text = document_.Plain(line, scratch_);
    if (text.size() < shaped.indent + 2u) return false;
    return (text[shaped.indent] == '-' || text[shaped.indent] == '+') && text[shaped.indent + 1u] == ' ';
  }

  // "AssertionError: 3 != 4" needs no difference under it; "AssertionError: <tr>" says little without.
  bool SaysBoth(uint32_t line) { return document_.Plain(line, scratch_).find(" != ") != std::string_view::npos; }

  bool HasWords(uint32_t line) {
    std::string_view text = document_.Plain(line, scratch_);
    return text.find_first_not_of(" \t-=.|#~*") != std::string_view::npos;
  }

  void AddDetail(uint32_t line) {
    if (causes_.empty()) return;
    std::vector<uint32_t>& details = causes_.back().details;
    if (details.size() < Cause::kMostDetails) details.push_back(line);
  }

  void Identify(Cause& cause) {
    std::string_view text = document_.Plain(cause.line, scratch_);
    cause.alike = TemplateHash(text);
    cause.key = TextHash(text, cause.key);
    if (text.find(' ') == std::string_view::npos) cause.alike ^= cause.key;
    for (uint32_t detail : cause.details) {
      text = document_.Plain(detail, scratch_);
      cause.alike = cause.alike * 0x100000001b3u ^ TemplateHash(text);
      cause.key = TextHash(text, cause.key);
    }
  }

  const Document& document_;
  Stretch stretch_;
  std::string scratch_;
  TestEvent event_;
  std::vector<Cause> causes_;
  bool in_trace_ = false, marked_ = false, captured_ = false;
  bool message_open_ = false;  // lines belong to the message of the last cause
  bool goes_on_ = false;       // its first line ended in a colon: all up to a blank line says what
  bool placed_after_ = false;  // the last cause has its frame from after it
  uint32_t trace_indent_ = 0;
  uint32_t own_frame_ = kNoLine, first_own_frame_ = kNoLine, pointer_ = kNoLine, first_words_ = kNoLine;
  size_t following_ = 0;  // further lines that may belong to the last cause's message
};

}  // namespace

std::vector<Cause> FindCauses(const Document& document, uint32_t first, uint32_t end, Stretch stretch, uint32_t said) {
  Scanner scanner(document, stretch);
  if (said != kNoLine) scanner.AddCause(said, true);
  for (uint32_t line = first; line < end; ++line) scanner.Read(line);
  return scanner.Finish();
}

}  // namespace pith
