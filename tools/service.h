// What callers can ask of Pith, whatever road they come on: MCP tools, the command line, JSONL, hooks and `pith run`
// all come in here. It joins the two halves: compact (bytes to view, pure) and store (bytes under tokens, durable), and
// keeps the promise between them: an original is stored before its view is shown, or it goes out unchanged.
//
// All methods may be called from any thread. Nothing changes in a Service after it was opened.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "base/result.h"
#include "compact/compact.h"
#include "store/store.h"
#include "tools/page.h"
#include "tools/selector.h"

namespace pith {

struct ServiceOptions {
  StoreOptions store;
  CompactOptions view;     // marker style and sizes; `kept` is set by the service
  std::string name_space;  // of lists, search, statistics
  std::string folder;      // where the caller works; noted in sightings
  std::string road;        // "mcp", "cli", "jsonl", "hook", "run"
  HostPage page = {"", kDefaultPageBytes, 0};
  std::vector<std::string> allow_secrets;
  const RuleTable* rules = nullptr;  // of hints that bring none; outlives the service
  bool disabled = false;             // everything passes through
  bool measure_only = false;         // views are made and counted, originals shown
  bool keep = true;                  // false: a one-shot process that keeps nothing on disk prints no token
  // Told of each retrieval: what is known of the original, and the tokens that were given. On the caller's thread.
  std::function<void(const Entry&, uint64_t tokens)> retrieved = nullptr;
};

// What the configuration says, for a road. `style` is used where marker_style is `auto`. Errors: kInvalid (an unknown
// host, a key file that others can read), kDenied, kIo.
Result<ServiceOptions> ServiceOptionsFrom(const Config& config, std::string_view road, MarkerStyle style);
// The store's key in a file that only its owner can read. kInvalid (others can, or it is empty), kDenied.
Result<std::string> ReadKeyFile(const std::string& path);

// Who asks, where that differs from call to call (bearers over HTTP).
struct Caller {
  std::optional<std::string> name_space;  // none: the service's
  std::string road;                       // empty: the service's
  const CompactOptions* view = nullptr;   // null: the service's; borrowed for the call
  const StopAsked* stop = nullptr;        // borrowed for the call; null: it runs to its end
  // Keeps the original in place of the store's put, where it is there already but for its end (a spool). Null: put.
  std::function<Result<PutOutcome>(const Sighting&)> put = nullptr;
};

struct CompactOutcome {
  View view;                         // view.text is what to show
  std::string token;                 // of the stored original; empty: it was not stored
  std::optional<View> measured;      // under measure_only: the view that would have been shown
  std::vector<std::string> notices;  // for a person, on stderr: why it went out unchanged, a tier set aside
};

struct RetrieveOutcome {
  std::string token;                    // 24 digits
  std::string bytes;                    // the page
  uint64_t offset = 0;                  // of the page in what the selectors left
  uint64_t selected = 0;                // bytes that the selectors left
  std::optional<uint64_t> next_offset;  // none: this was the last page
  bool whole = false;                   // nothing but a page of the whole was asked for
  bool verbatim = true;                 // bytes of the original and nothing else (no line numbers)
  std::optional<uint64_t> origin;       // offset in the original of the page\'s first byte, where it has one
  std::string note;                     // why there is nothing, or less than asked for
  Entry entry;                          // what is known of the original
};

class Service {
 public:
  static Result<std::unique_ptr<Service>> Open(ServiceOptions options);
  // For tests and for callers that bring their own store.
  Service(ServiceOptions options, std::unique_ptr<Store> store);

  // Never fails: what goes wrong is a notice, and the original is shown. Exact views are not stored. A stopped one has
  // view.stopped and stores nothing.
  CompactOutcome Compact(std::string_view bytes, const Hints& hints, const Caller& caller = {});

  // `token` in the store's shape. Misses are the store's errors. Pages on UTF-8 characters unless `raw`.
  // kCancelled once `stop` says so.
  Result<RetrieveOutcome> Retrieve(std::string_view token, const Selector& selector, bool raw = false,
                                   const StopAsked* stop = nullptr);
  // The whole original in order, a piece at a time, until `take` gives false. Memory: one piece.
  Result<void> Stream(std::string_view token, const std::function<bool(std::string_view)>& take);

  Result<SearchOutcome> Search(SearchQuery query);
  Result<StoreStats> Stats(const std::optional<std::string>& name_space) { return store_->Stats(name_space); }
  Result<std::vector<Entry>> List(const ListQuery& query) { return store_->List(query); }
  Result<GcOutcome> Gc() { return store_->Gc(); }

  // The token that a person means: a token, a marker, an unambiguous beginning of at least 4 digits, `last` (the newest
  // original of the namespace) or the name of a spool whose command has ended. Errors: kInvalid, kNotFound.
  Result<std::string> TokenMeant(std::string_view written);

  const ServiceOptions& options() const { return options_; }
  Store& store() { return *store_; }

 private:
  void CountRetrieval(const Entry& entry, uint64_t bytes, uint64_t tokens);
  CompactOutcome PassThrough(std::string_view bytes, std::string notice);
  std::string Withheld(const Hints& hints) const;
  Result<RetrieveOutcome> RetrievePage(Entry entry, const Selector& selector, uint64_t limit, bool raw);
  Result<RetrieveOutcome> RetrieveSelection(Entry entry, const Selector& selector, uint64_t limit, bool raw,
                                            const StopAsked* stop);

  ServiceOptions options_;
  std::unique_ptr<Store> store_;
};

}  // namespace pith
