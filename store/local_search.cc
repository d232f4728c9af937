// Search over all originals of a namespace: every line that holds all words of the query.
//
// First the filters, in one walk over their rows (32 MiB for 1 GiB of originals), which leaves the few frames that may
// hold all words; then the sightings, newest first, and of each original that is left the frames in question. So an
// absent word costs the walk alone, a rare one the walk and a few frames, and a common one stops at the limit. Words
// are found inside longer ones, in any ASCII case. A line that goes on over the end of a frame is seen as two.
#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "base/clock.h"
#include "base/utf8.h"
#include "store/filter.h"
#include "store/local_store.h"

namespace pith {
namespace {

constexpr size_t kLongestExcerpt = 400;
constexpr uint64_t kHitsOfOneOriginal = 20;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Finds a lower-cased word in text of any case: memchr for either case of its first letter, then a comparison.
size_t FindWord(std::string_view text, std::string_view word, size_t from) {
  if (word.size() > text.size()) return std::string_view::npos;
  char low = word[0];
  char high = low >= 'a' && low <= 'z' ? static_cast<char>(low - 'a' + 'A') : low;
  size_t last = text.size() - word.size();
  auto next = [&](char c, size_t at) {
    const void* found = at <= last ? memchr(text.data() + at, c, last - at + 1) : nullptr;
    return found == nullptr ? std::string_view::npos
                            : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  };
  size_t at_low = next(low, from);
  size_t at_high = high == low ? std::string_view::npos : next(high, from);
  while (at_low != std::string_view::npos || at_high != std::string_view::npos) {
    size_t at = std::min(at_low, at_high);
    size_t matched = 1;
    while (matched < word.size() && Lower(text[at + matched]) == word[matched]) ++matched;
    if (matched == word.size()) return at;
    if (at == at_low)
      at_low = next(low, at + 1);
    else
      at_high = next(high, at + 1);
  }
  return std::string_view::npos;
}

// The line, cut around the first match when it is long.
std::string Excerpt(std::string_view line, size_t match) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.size() <= kLongestExcerpt) return std::string(line);
  size_t begin = match > kLongestExcerpt / 2 ? match - kLongestExcerpt / 2 : 0;
  begin = Utf8FloorBoundary(line, std::min(begin, line.size() - kLongestExcerpt));
  size_t end = Utf8FloorBoundary(line, std::min(line.size(), begin + kLongestExcerpt));
  return std::string(line.substr(begin, end - begin));
}

struct Found {
  uint64_t line = 0;  // within the frame, 0-based
  std::string text;
};

// The lines of `raw` that hold every word.
std::vector<Found> FindLines(std::string_view raw, const std::vector<std::string>& words, uint64_t most) {
  std::vector<Found> found;
  // The longest word leads: it is the rarest guess there is without counting.
  const std::string& lead =
      *std::max_element(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  uint64_t line = 0;
  size_t counted = 0;
  for (size_t at = FindWord(raw, lead, 0); at != std::string_view::npos && found.size() < most;) {
    const void* before = memrchr(raw.data(), '\n', at);
    size_t begin = before == nullptr ? 0 : static_cast<size_t>(static_cast<const char*>(before) - raw.data()) + 1;
    const void* after = memchr(raw.data() + at, '\n', raw.size() - at);
    size_t end = after == nullptr ? raw.size() : static_cast<size_t>(static_cast<const char*>(after) - raw.data()) + 1;
    std::string_view text = raw.substr(begin, end - begin);
    bool all = std::all_of(words.begin(), words.end(),
                           [&](const std::string& word) { return FindWord(text, word, 0) != std::string_view::npos; });
    if (all) {
      line += static_cast<uint64_t>(
          std::count(raw.begin() + static_cast<ptrdiff_t>(counted), raw.begin() + static_cast<ptrdiff_t>(begin), '\n'));
      counted = begin;
      found.push_back({line, Excerpt(text, at - begin)});
    }
    at = end < raw.size() ? FindWord(raw, lead, end) : std::string_view::npos;
  }
  return found;
}

// How long the caller waits.
class Patience {
 public:
  explicit Patience(const SearchQuery& query)
      : deadline_ms_(TheClock().BootMs() + query.time_limit_ms), stop_(query.stop) {}
  bool Over() const { return TheClock().BootMs() > deadline_ms_ || Stops(stop_); }

 private:
  int64_t deadline_ms_;
  const StopAsked* stop_;
};

// The frames that may hold the words: entry -> numbers.
using Candidates = std::unordered_map<int64_t, std::vector<uint32_t>>;

Result<Candidates> AskFilters(Lease& lease, const Cipher* cipher, const FilterQuery& query, const Patience& patience,
                              bool* in_time) {
  Candidates candidates;
  // The body's id is needed to open a sealed filter only.
  Statement statement = lease.database->Prepare(
      cipher == nullptr ? "SELECT id, filter FROM filters"
                        : "SELECT f.id, f.filter, e.body_id FROM filters f JOIN entries e ON e.id = f.id >> 20");
  for (uint64_t rows = 0;; ++rows) {
    if (rows % 1024 == 0 && patience.Over()) {
      *in_time = false;
      return candidates;
    }
    Result<bool> row = statement.Step();
    if (!row) return row.error();
    if (!*row) return candidates;
    int64_t id = statement.IntAt(0);
    auto number = static_cast<uint32_t>(id & ((1 << kFrameNumberBits) - 1));
    bool may = true;
    if (cipher == nullptr) {
      may = query.MayMatch(statement.BlobAt(1));
    } else {
      Result<std::string> filter =
          OpenFilter(statement.BlobAt(1), static_cast<uint64_t>(statement.IntAt(2)), number, cipher);
      may = !filter || query.MayMatch(*filter);
    }
    if (may) candidates[id >> kFrameNumberBits].push_back(number);
  }
}

}  // namespace

Result<SearchOutcome> LocalStore::Search(const SearchQuery& query) {
  std::vector<std::string> words = WordsOf(query.text);
  if (words.empty()) return Error{Cause::kInvalid, "the query has no word in it: letters or digits are needed"};
  FoldInToRead();
  const Patience patience(query);
  FilterQuery filter_query(words);
  Result<SearchOutcome> result = Reading<SearchOutcome>([&](Lease& lease) -> Result<SearchOutcome> {
    SearchOutcome outcome;
    Catalog& catalog = *lease.catalog;
    Result<int64_t> now = catalog.Now();
    if (!now) return now.error();
    bool in_time = true;
    Result<Candidates> candidates = AskFilters(lease, cipher_, filter_query, patience, &in_time);
    if (!candidates) return candidates.error();
    outcome.complete = in_time;
    std::unordered_set<int64_t> seen;
    bool stopped = false;
    auto visit = [&](SightingRow one) -> Result<bool> {
      if (!IsOf(one.sighting, query.tool, query.command)) return true;
      if (!seen.insert(one.entry).second) return true;
      ++outcome.total;
      auto candidate = candidates->find(one.entry);
      if (candidate == candidates->end()) {
        ++outcome.searched;
        return true;
      }
      if (stopped) return true;  // only counted from here on
      const bool over = patience.Over();
      if (over || outcome.hits.size() >= query.limit) {
        outcome.complete = false;
        stopped = true;
        return !over;
      }
      ++outcome.searched;
      Result<std::optional<EntryRow>> row = catalog.FindId(one.entry);
      if (!row) return row.error();
      if (!*row || (!(*row)->held && (*row)->expires_ms <= *now)) return true;
      Result<std::unique_ptr<FrameSource>> body = bodies_.Open(*lease.database, **row);
      if (!body) return true;
      uint64_t of_this = 0;
      std::sort(candidate->second.begin(), candidate->second.end());
      for (uint32_t number : candidate->second) {
        Result<std::string> raw = (*body)->Load(number);
        Result<FramePlace> place = (*body)->Place(number);
        if (!raw || !place) continue;  // damaged: Get says so to whoever asks for it
        uint64_t most = std::min(query.limit - outcome.hits.size(), kHitsOfOneOriginal - of_this);
        for (Found& found : FindLines(*raw, words, most)) {
          outcome.hits.push_back({(*row)->token(), place->newlines_before + found.line + 1, std::move(found.text),
                                  one.sighting.at_ms, one.sighting.tool, one.sighting.command});
          ++of_this;
        }
        if (outcome.hits.size() >= query.limit || of_this >= kHitsOfOneOriginal) break;
        if (patience.Over()) break;
      }
      return true;
    };
    if (Result<void> walked = catalog.WalkSightings(query.name_space, query.since_ms, visit); !walked) {
      return walked.error();
    }
    return outcome;
  });
  if (!result && result.error().cause == Cause::kNotFound) return SearchOutcome{};
  return result;
}

}  // namespace pith
