// The way back. A page of the whole reads only the frames that hold it; selectors need to see the lines or the JSON, so
// they read the original once.
#include <algorithm>

#include "base/markers.h"
#include "base/token.h"
#include "base/units.h"
#include "base/utf8.h"
#include "compact/estimate.h"
#include "tools/selection.h"
#include "tools/service.h"

namespace pith {
namespace {

constexpr uint64_t kMargin = 3;              // bytes of a UTF-8 character that may stand outside of a page
constexpr uint64_t kStreamPiece = 4u << 20;  // whole frames of the store
constexpr size_t kShortestPrefix = 4;

void SetNext(RetrieveOutcome& outcome, uint64_t end) {
  if (end < outcome.selected) outcome.next_offset = end;
}

std::string PastEnd(uint64_t offset, uint64_t selected) {
  return "offset " + std::to_string(offset) + " is past the end: there are " + CountText(selected, "byte");
}

bool IsSpoolName(std::string_view text) { return text.starts_with("run-") && text.size() == 12; }

bool IsHexBeginning(std::string_view text) {
  return text.size() >= kShortestPrefix && text.size() < 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

Result<RetrieveOutcome> Service::Retrieve(std::string_view token, const Selector& selector, bool raw,
                                          const StopAsked* stop) {
  if (!IsTokenShaped(token)) {
    return Error{Cause::kInvalid, "not a token: " + ReplaceInvalidUtf8(token.substr(0, 80)) +
                                      " (a token is 24 digits of 0-9 and a-f, as a footer names it)"};
  }
  Result<Entry> entry = store_->Find(token);
  if (!entry.ok()) return entry.error();
  uint64_t limit = selector.limit.value_or(options_.page.page_bytes);
  if (limit == 0) return Error{Cause::kInvalid, "limit must be at least 1"};
  bool by_range =
      selector.whole() || (selector.bytes && !selector.json_path && !selector.pattern && !selector.by_lines());
  Result<RetrieveOutcome> outcome = by_range ? RetrievePage(entry.Take(), selector, limit, raw)
                                             : RetrieveSelection(entry.Take(), selector, limit, raw, stop);
  if (outcome.ok() && !outcome->bytes.empty()) {
    const Entry& found = outcome->entry;
    const bool all = outcome->bytes.size() == found.bytes && found.last.original_tokens > 0;
    CountRetrieval(found, outcome->bytes.size(), all ? found.last.original_tokens : EstimateTokens(outcome->bytes));
  }
  return outcome;
}

void Service::CountRetrieval(const Entry& entry, uint64_t bytes, uint64_t tokens) {
  store_->CountRetrieval(entry.token, bytes, tokens);
  if (options_.retrieved) options_.retrieved(entry, tokens);
}

Result<RetrieveOutcome> Service::RetrievePage(Entry entry, const Selector& selector, uint64_t limit, bool raw) {
  RetrieveOutcome outcome;
  outcome.token = entry.token;
  outcome.entry = std::move(entry);
  outcome.whole = selector.whole();
  uint64_t total = outcome.entry.bytes;
  ByteRange wanted = selector.bytes.value_or(ByteRange{});
  uint64_t first = std::min(wanted.offset, total);
  uint64_t end_of_selection = first + std::min(wanted.length, total - first);
  outcome.selected = end_of_selection - first;
  outcome.offset = std::min(selector.offset, outcome.selected);
  if (wanted.offset >= total && selector.bytes) {
    outcome.note =
        "byte " + std::to_string(wanted.offset) + " is past the end: the original has " + CountText(total, "byte");
    return outcome;
  }
  if (selector.offset >= outcome.selected && selector.offset > 0) {
    outcome.note = PastEnd(selector.offset, outcome.selected);
    return outcome;
  }
  uint64_t begin = first + outcome.offset;
  uint64_t end = begin + std::min(limit, end_of_selection - begin);
  uint64_t margin = raw ? 0 : kMargin;
  uint64_t from = begin - std::min(begin, margin);
  uint64_t to = std::min(total, end + margin);
  Result<std::string> around = store_->Get(outcome.token, {from, to - from});
  if (!around.ok()) return around.error();
  PageSpan page = raw ? PageSpan{begin - from, end - from} : PageOnCharacters(*around, begin - from, end - from);
  outcome.bytes = around->substr(page.begin, page.end - page.begin);
  outcome.origin = from + page.begin;
  outcome.offset = from + page.begin - std::min(first, from + page.begin);
  SetNext(outcome, from + page.end - first);
  return outcome;
}

Result<RetrieveOutcome> Service::RetrieveSelection(Entry entry, const Selector& selector, uint64_t limit, bool raw,
                                                   const StopAsked* stop) {
  RetrieveOutcome outcome;
  outcome.token = entry.token;
  outcome.entry = std::move(entry);
  Result<std::string> original = store_->Get(outcome.token);
  if (!original.ok()) return original.error();
  Result<Selection> selection = Selection::Make(*original, selector, stop);
  if (!selection.ok()) return selection.error();
  outcome.selected = selection->size();
  outcome.verbatim = selection->verbatim();
  outcome.note = selection->note();
  outcome.entry.lines = selection->original_lines();
  if (selector.offset >= outcome.selected) {
    outcome.offset = outcome.selected;
    if (selector.offset > 0) outcome.note = PastEnd(selector.offset, outcome.selected);
    return outcome;
  }
  uint64_t margin = raw ? 0 : kMargin;
  uint64_t before = std::min(selector.offset, margin);
  uint64_t from = selector.offset - before;
  uint64_t length = std::min(limit, outcome.selected - selector.offset);
  std::string around = selection->Page(from, before + length + margin);
  PageSpan page = raw ? PageSpan{before, before + length} : PageOnCharacters(around, before, before + length);
  outcome.bytes = around.substr(page.begin, page.end - page.begin);
  outcome.offset = from + page.begin;
  outcome.origin = selection->OriginalOffset(outcome.offset);
  SetNext(outcome, from + page.end);
  return outcome;
}

Result<void> Service::Stream(std::string_view token, const std::function<bool(std::string_view)>& take) {
  Result<Entry> entry = store_->Find(token);
  if (!entry.ok()) return entry.error();
  for (uint64_t at = 0; at < entry->bytes;) {
    Result<std::string> piece = store_->Get(entry->token, {at, kStreamPiece});
    if (!piece.ok()) return piece.error();
    if (piece->empty()) return Error{Cause::kDamaged, "the stored original ends early"};
    at += piece->size();
    if (!take(*piece)) break;
  }
  CountRetrieval(*entry, entry->bytes, entry->last.original_tokens);
  return {};
}

Result<std::string> Service::TokenMeant(std::string_view written) {
  if (written == "last") {
    ListQuery newest;
    newest.name_space = options_.name_space;
    newest.limit = 1;
    Result<std::vector<Entry>> entries = store_->List(newest);
    if (!entries.ok()) return entries.error();
    if (entries->empty()) return Error{Cause::kNotFound, "nothing is stored for this project yet"};
    return entries->front().token;
  }
  if (IsSpoolName(written)) return store_->SpoolToken(written);
  if (std::optional<std::string> token = TokenFromArgument(written)) return *token;
  if (!IsHexBeginning(written)) {
    return Error{Cause::kInvalid, "not a token: " + ReplaceInvalidUtf8(written.substr(0, 80)) +
                                      " (a token is 24 digits of 0-9 and a-f; `last` is the newest original)"};
  }
  Result<std::vector<std::string>> tokens = store_->TokensStartingWith(written, 2);
  if (!tokens.ok()) return tokens.error();
  if (tokens->empty()) {
    return Error{Cause::kNotFound, "no original is stored under a token that begins with " + std::string(written)};
  }
  if (tokens->size() > 1) {
    return Error{Cause::kInvalid, "more than one token begins with " + std::string(written) + "; give more digits"};
  }
  return tokens->front();
}

}  // namespace pith
