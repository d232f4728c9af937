// Every step narrows a list of spans of the original; only a pattern, and values that do not stand side by side, add
// bytes of our own. So a page costs what it shows, and slices joined give the original back.
#include "tools/selection.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/units.h"
#include "compact/begins.h"
#include "compact/json/tape.h"
#include "compact/plain_text.h"
#include "tools/json_path.h"

namespace pith {
namespace {

constexpr size_t kLinesBetweenLooks = 1u << 16;

Error TakenBack() { return {Cause::kCancelled, "the request was taken back"}; }

void Intersect(std::vector<Span>& kept, const std::vector<Span>& spans, Span wanted) {
  for (const Span& span : spans) {
    Span both{std::max(span.begin, wanted.begin), std::min(span.end, wanted.end)};
    if (both.begin < both.end) kept.push_back(both);
  }
}

bool ByBegin(const Span& a, const Span& b) { return a.begin < b.begin; }

// A line, or what the spans leave of it, with its number.
struct Candidate {
  uint32_t line = 0;  // 0-based
  Span span;
  bool hit = false;
  bool shown = false;
};

std::vector<Candidate> CandidatesOf(const LineIndex& index, const std::vector<Span>& spans) {
  std::vector<Candidate> candidates;
  for (const Span& span : spans) {
    for (uint64_t at = span.begin; at < span.end;) {
      uint32_t line = index.LineAt(at);
      uint64_t end = std::min(index.Line(line).end, span.end);
      candidates.push_back({line, {at, end}});
      at = end;
    }
  }
  return candidates;
}

}  // namespace

Result<Selection> Selection::Make(std::string_view original, const Selector& selector, const StopAsked* stop) {
  if (Stops(stop)) return TakenBack();
  if (selector.bytes && selector.by_lines()) {
    return Error{Cause::kInvalid, "give lines or bytes, not both"};
  }
  if (original.size() >= UINT32_MAX) {
    return Error{Cause::kTooLarge, "an original of 4 GiB or more can be read by bytes, offset and limit only"};
  }
  Selection selection;
  selection.original_ = original;
  LineIndex index(original);
  selection.original_lines_ = index.count();
  if (Stops(stop)) return TakenBack();
  std::vector<Span> spans = {{0, original.size()}};
  bool values = false;  // separate JSON values: a newline between them
  if (selector.json_path) {
    Result<std::vector<Span>> found = selection.FindJson(original, *selector.json_path, stop);
    if (!found.ok()) return found.error();
    spans = found.Take();
    values = spans.size() > 1;
  }
  if (selector.by_lines()) selection.KeepLines(index, selector, spans);
  if (selector.bytes) selection.KeepBytes(original, *selector.bytes, spans);
  if (selector.pattern) {
    if (Result<void> grep = selection.Grep(original, index, selector, spans, stop); !grep.ok()) return grep.error();
    return selection;
  }
  for (const Span& span : spans) {
    if (values && selection.size_ > 0) selection.AppendOwned("\n");
    selection.Append(original.substr(span.begin, span.size()));
  }
  return selection;
}

Result<std::vector<Span>> Selection::FindJson(std::string_view original, const std::string& text,
                                              const StopAsked* stop) {
  Result<JsonPath> path = JsonPath::Parse(text);
  if (!path.ok()) return path.error();
  const PlainText plain(original);  // what a view read: jq -C and the like colour JSON
  JsonTape tape(plain.text());
  std::optional<uint32_t> end = tape.Read(0);
  if (!end || SkipJsonBlanks(plain.text(), *end) != plain.text().size()) {
    return Error{
        Cause::kInvalid,
        "json_path needs an original that is one JSON value, and this one is not; use lines, bytes or pattern"};
  }
  if (Stops(stop)) return TakenBack();
  bool repeated = false;
  Result<std::vector<Span>> spans = path->Spans(tape, &repeated);
  if (spans.ok() && repeated && spans->size() > 1) {
    note_ = "an object repeats a name of json_path: " + CountText(spans->size(), "value") + ", each on its own";
  }
  if (spans.ok()) {
    for (Span& span : *spans) span = plain.InOriginal(span);
  }
  if (spans.ok() && spans->empty()) note_ = "json_path matches nothing in this original";
  return spans;
}

void Selection::KeepLines(const LineIndex& index, const Selector& selector, std::vector<Span>& spans) {
  uint64_t count = index.count();
  std::vector<LineRange> ranges = selector.lines;
  if (selector.head.value_or(0) > 0) ranges.push_back({1, *selector.head});
  if (selector.tail.value_or(0) > 0) ranges.push_back({count - std::min(*selector.tail, count) + 1, UINT64_MAX});
  const bool ends = selector.head || selector.tail;  // where there is nothing, there is no end to be past
  std::vector<Span> kept;
  for (const LineRange& range : ranges) {
    if (range.first > count) {
      if (!ends) {
        note_ =
            "line " + std::to_string(range.first) + " is past the end: the original has " + CountText(count, "line");
      }
      continue;
    }
    uint64_t last = std::min(range.last, count);
    Intersect(kept, spans, index.Lines(static_cast<uint32_t>(range.first - 1), static_cast<uint32_t>(last - 1)));
  }
  if (kept.empty() && note_.empty() && !spans.empty() && count > 0 && !ends) {
    note_ = "json_path and lines have nothing in common";
  }
  spans = std::move(kept);
}

void Selection::KeepBytes(std::string_view original, ByteRange bytes, std::vector<Span>& spans) {
  std::vector<Span> kept;
  if (bytes.offset >= original.size()) {
    note_ = "byte " + std::to_string(bytes.offset) + " is past the end: the original has " +
            CountText(original.size(), "byte");
  } else {
    uint64_t length = std::min<uint64_t>(bytes.length, original.size() - bytes.offset);
    Intersect(kept, spans, {bytes.offset, bytes.offset + length});
  }
  spans = std::move(kept);
}

Result<void> Selection::Grep(std::string_view original, const LineIndex& index, const Selector& selector,
                             const std::vector<Span>& spans, const StopAsked* stop) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(64 << 20);
  RE2 regex(*selector.pattern, options);
  if (!regex.ok()) return Error{Cause::kInvalid, "bad pattern: " + regex.error() + " (RE2 syntax, one line at a time)"};
  std::vector<Span> ordered = spans;
  std::sort(ordered.begin(), ordered.end(), ByBegin);
  std::vector<Candidate> candidates = CandidatesOf(index, ordered);
  uint64_t shown_to = 0;  // candidates before this one are decided
  bool any = false;
  for (size_t at = 0; at < candidates.size(); ++at) {
    if (at % kLinesBetweenLooks == 0 && Stops(stop)) return TakenBack();
    Candidate& candidate = candidates[at];
    std::string_view text = WithoutLineEnd(original.substr(candidate.span.begin, candidate.span.size()));
    candidate.hit = RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
    if (!candidate.hit) continue;
    any = true;
    size_t first = at - std::min<uint64_t>(selector.context, at);
    size_t last = at + std::min<uint64_t>(selector.context, candidates.size() - 1 - at);
    for (size_t near = std::max<size_t>(first, shown_to); near <= last; ++near) candidates[near].shown = true;
    shown_to = last + 1;
  }
  if (!any) {
    note_ = note_.empty() ? "no line matches the pattern" : note_;
    return {};
  }
  const Candidate* before = nullptr;
  for (const Candidate& candidate : candidates) {
    if (!candidate.shown) continue;
    if (before && selector.context > 0 && candidate.line > before->line + 1) AppendOwned("--\n");
    AppendOwned(std::to_string(candidate.line + 1) + (candidate.hit ? ":" : "-"));
    std::string_view text = original.substr(candidate.span.begin, candidate.span.size());
    Append(text);
    if (!text.ends_with('\n')) AppendOwned("\n");
    before = &candidate;
  }
  return {};
}

void Selection::Append(std::string_view part) {
  if (part.empty()) return;
  parts_.push_back(part);
  size_ += part.size();
}

void Selection::AppendOwned(std::string text) { Append(owned_.emplace_back(std::move(text))); }

std::optional<uint64_t> Selection::OriginalOffset(uint64_t offset) const {
  for (std::string_view part : parts_) {
    if (offset >= part.size()) {
      offset -= part.size();
      continue;
    }
    bool borrowed = part.data() >= original_.data() && part.data() < original_.data() + original_.size();
    if (!borrowed) return std::nullopt;
    return static_cast<uint64_t>(part.data() - original_.data()) + offset;
  }
  return std::nullopt;
}

std::string Selection::Page(uint64_t offset, uint64_t limit) const {
  std::string page;
  for (std::string_view part : parts_) {
    if (offset >= part.size()) {
      offset -= part.size();
      continue;
    }
    std::string_view rest = part.substr(offset, limit - page.size());
    offset = 0;
    page += rest;
    if (page.size() >= limit) break;
  }
  return page;
}

}  // namespace pith
