// Where values begin and end in an original that is more than one JSON document. Lines that are no JSON stay where they
// are, as they are; there may be a few (a warning before the document, a prompt after it), else this is not JSON.
#include "compact/json/source.h"

#include <algorithm>

namespace pith {
namespace {

constexpr uint32_t kSampledLines = 64;
constexpr size_t kSampledBytes = 16 << 10;  // of each of them
constexpr uint32_t kForeignShare = 10;      // at most one byte in this many may be outside of values

class JsonShaper : public Shaper {
 public:
  JsonShaper(const Document& document, std::unique_ptr<JsonReading> reading)
      : reading_(std::move(reading)), shapes_(reading_->tape), source_{document, reading_->tape, shapes_} {}
  std::vector<Piece> Make(const Limit& limit) const override { return JsonView(source_, reading_->parts, limit); }

 private:
  std::unique_ptr<JsonReading> reading_;
  JsonShapes shapes_;
  JsonSource source_;
};

bool OnlyBlanks(std::string_view bytes, uint64_t begin, uint64_t end) {
  if (begin == 0 && bytes.starts_with("\xEF\xBB\xBF")) begin = 3;
  return SkipJsonBlanks(bytes.substr(0, end), begin) >= end;
}

// The lines of [begin, end) as foreign, merged with the ones before.
void AddForeign(JsonReading& reading, std::string_view bytes, Span span) {
  if (OnlyBlanks(bytes, span.begin, span.end)) return;
  std::vector<Span>& foreign = reading.parts.foreign;
  if (!foreign.empty() && foreign.back().end == span.begin)
    foreign.back().end = span.end;
  else
    foreign.push_back(span);
}

uint64_t ForeignBytes(const JsonReading& reading) {
  uint64_t bytes = 0;
  for (const Span& span : reading.parts.foreign) bytes += span.size();
  return bytes;
}

bool EachHasItsLines(const Document& document, const JsonTape& tape) {
  uint32_t next = 0;
  for (uint32_t root : tape.roots()) {
    const uint32_t first = document.lines.LineNear(tape.node(root).begin, next);
    if (first < next) return false;
    next = document.lines.LineNear(tape.node(root).end - 1ull, first) + 1;
  }
  return true;
}

bool MostlyJson(const Document& document, const JsonReading& reading) {
  if (reading.tape.roots().empty()) return false;
  uint64_t foreign = ForeignBytes(reading);
  return foreign * kForeignShare <= document.bytes.size() || foreign <= 400;
}

}  // namespace

std::unique_ptr<JsonReading> ReadDocuments(const Document& document, uint64_t at) {
  std::string_view bytes = document.bytes;
  auto reading = std::make_unique<JsonReading>(bytes);
  AddForeign(*reading, bytes, {0, document.lines.Line(document.lines.LineAt(at)).begin});
  while (at < bytes.size()) {
    at = SkipJsonBlanks(bytes, at);
    if (at >= bytes.size()) break;
    bool bracket = bytes[at] == '{' || bytes[at] == '[';
    std::optional<uint32_t> end = bracket ? reading->tape.Read(static_cast<uint32_t>(at)) : std::nullopt;
    if (end) {
      at = *end;
      continue;
    }
    const Span line = document.lines.Line(document.lines.LineAt(at));
    // A line that is no JSON; what begins in the middle of one is not ours to cut.
    if (!OnlyBlanks(bytes, line.begin, at) || (bracket && reading->tape.roots().empty())) return nullptr;
    AddForeign(*reading, bytes, line);
    if (ForeignBytes(*reading) > 400 + bytes.size() / kForeignShare) return nullptr;
    at = line.end;
  }
  if (!MostlyJson(document, *reading)) return nullptr;
  reading->parts.by_lines = reading->tape.roots().size() > 1 && EachHasItsLines(document, reading->tape);
  if (!reading->parts.foreign.empty() && !EachHasItsLines(document, reading->tape)) return nullptr;
  return reading;
}

std::unique_ptr<JsonReading> ReadLines(const Document& document) {
  std::string_view bytes = document.bytes;
  auto reading = std::make_unique<JsonReading>(bytes);
  reading->parts.by_lines = true;
  for (uint32_t line = 0; line < document.line_count(); ++line) {
    Span span = document.lines.Line(line);
    size_t at =
        SkipJsonBlanks(bytes.substr(0, span.end), line == 0 && bytes.starts_with("\xEF\xBB\xBF") ? 3 : span.begin);
    if (at >= span.end) continue;
    std::optional<uint32_t> end;
    if (bytes[at] == '{' || bytes[at] == '[') end = reading->tape.Read(static_cast<uint32_t>(at));
    if (end && (*end > span.end || !OnlyBlanks(bytes, *end, span.end))) {
      reading->tape.DropRoots(reading->tape.roots().size() - 1);
      end.reset();
    }
    if (!end) AddForeign(*reading, bytes, span);
  }
  return MostlyJson(document, *reading) ? std::move(reading) : nullptr;
}

uint32_t LinesOfRecords(const Document& document) {
  if (document.line_count() < 2) return 0;
  uint32_t records = 0;
  for (uint32_t line = 0; line < std::min(document.line_count(), kSampledLines); ++line) {
    std::string_view text = document.Text(line);
    if (line == 0 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (SkipJsonBlanks(text, 0) == text.size()) continue;
    std::string_view sample = text.substr(0, kSampledBytes);
    JsonTape tape(sample);
    JsonTape::Probe probe = tape.ReadProbe();
    bool whole = probe.values == 1 && probe.bytes == text.size();
    bool cut = probe.values == 0 && probe.ran_out && sample.size() < text.size();
    if (!whole && !cut) return 0;
    ++records;
  }
  return records;
}

std::unique_ptr<Shaper> ShapeJsonSource(const Document& document, std::unique_ptr<JsonReading> reading) {
  if (!reading) return nullptr;
  return std::make_unique<JsonShaper>(document, std::move(reading));
}

}  // namespace pith
