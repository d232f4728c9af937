// JSON: one document, or several one after the other (`go list -m -json`, `docker inspect` in a loop), with a few lines
// of other output around them.
//
// Detection reads the beginning with the real reader, so that "[INFO] ..." and "{% block %}" are not taken for JSON;
// the shaper then reads all of it, and where that fails gives none, so that the general view steps in.
#include <algorithm>

#include "base/utf8.h"
#include "compact/json/source.h"
#include "compact/kinds.h"

namespace pith {
namespace {

constexpr size_t kProbe = 64 << 10;     // bytes that detection reads
constexpr uint32_t kForeignLines = 20;  // of other output before or after
constexpr int kCertain = 90;

// The first line that begins with a bracket, among the first few.
std::optional<uint64_t> FirstBracket(const Document& document) {
  for (uint32_t line = 0; line < std::min(document.line_count(), kForeignLines + 1); ++line) {
    Span span = document.lines.Line(line);
    size_t at =
        SkipJsonBlanks(document.bytes, line == 0 && document.bytes.starts_with("\xEF\xBB\xBF") ? 3 : span.begin);
    if (at < span.end && (document.bytes[at] == '{' || document.bytes[at] == '[')) return at;
  }
  return std::nullopt;
}

}  // namespace

Evidence DetectJson(const Document& document) {
  std::optional<uint64_t> at = FirstBracket(document);
  if (!at) return {};
  std::string_view sample = document.bytes.substr(*at, kProbe);
  bool whole = sample.size() + *at == document.bytes.size();
  JsonTape tape(sample);
  JsonTape::Probe probe = tape.ReadProbe();
  if (probe.ran_out ? whole : probe.bytes * 10 < sample.size() * 9 && sample.size() - probe.bytes > 400) return {};
  if (probe.values == 0 && !probe.ran_out) return {};
  if (tape.size() < 4) return {};
  if (LinesOfRecords(document) > 1) return {};  // JSON lines
  if (*at * 4 > document.bytes.size()) return {};
  return {kCertain, probe.values > 0 ? "reads as JSON" : "its beginning reads as JSON"};
}

std::unique_ptr<Shaper> ShapeJson(const Document& document) {
  std::optional<uint64_t> at = FirstBracket(document);
  if (!at || (document.needs_display && !IsUtf8(document.bytes))) return nullptr;
  return ShapeJsonSource(document, ReadDocuments(document, *at));
}

}  // namespace pith
