// What passed by on hooks and `pith run`, and what became of it: one line of JSON a call in `reach.jsonl` beside the
// store, with names and sizes and nothing of the content. `pith stats` sums it up.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/config.h"
#include "store/store.h"

namespace pith {

enum class ReachOutcome : uint8_t {
  kView,      // a view was shown
  kMeasured,  // measure_only: a view was made and the original shown
  kLeft,      // the text stayed as it was; `reason` says why
};

struct ReachCall {
  std::string host;  // "claude-code"; "" where it is not known
  std::string road;  // "hook", "run"
  std::string tool;
  std::string command;  // of which the program's name and its family are written, no more
  std::string session;  // of the host; eight digits of its hash are written
  ReachOutcome outcome = ReachOutcome::kLeft;
  std::string reason;      // of kLeft
  bool touchable = false;  // kLeft: the rules would have allowed a view
  bool mcp_tools = false;  // the session pays for Pith's list of tools
  uint64_t original_bytes = 0, original_tokens = 0;
  uint64_t shown_bytes = 0, shown_tokens = 0;
  uint64_t host_tokens = 0;  // what the host would have shown without us, where it cuts or saves away long results
};

// Charges a retrieval to the road, host, tool and family of commands by which the original was last seen, where that
// was a hook or `pith run`: what a view there saved, it did not save then. Written as a line of its own.
void NoteRetrieval(const Config& config, const Entry& entry, uint64_t tokens);

// Appends a line. What cannot be written is not said, since nothing depends on it; nothing is kept under memory_only.
void NoteReach(const Config& config, const ReachCall& call);

struct ReachSum {
  uint64_t calls = 0, views = 0, measured = 0;
  uint64_t original_tokens = 0;   // of all calls
  uint64_t touchable_tokens = 0;  // of those that became views or could have
  uint64_t viewed_tokens = 0;     // originals of the views
  uint64_t host_tokens = 0;       // what the host would have shown in their place
  uint64_t shown_tokens = 0;      // the views
  uint64_t retrieved_tokens = 0;  // of their originals, fetched again
  uint64_t measured_tokens = 0, measured_shown_tokens = 0;
  int64_t gross() const { return static_cast<int64_t>(host_tokens) - static_cast<int64_t>(shown_tokens); }
  int64_t net() const { return gross() - static_cast<int64_t>(retrieved_tokens); }
};

struct Reach {
  ReachSum all;
  std::map<std::string, ReachSum> by_host, by_tool, by_family, by_day;  // days as 2026-11-30, UTC
  std::map<std::string, ReachSum> by_reason;                            // of what was left alone
  uint64_t sessions = 0;                                                // seen, that pay for a list of tools
};
Reach SumOfReach(const Config& config);

// `standing_tokens`: what the list of tools and the instructions cost a session, subtracted from what all saved.
std::string ReachText(const Reach& reach, uint64_t standing_tokens);
std::string ReachJson(const Reach& reach, uint64_t standing_tokens);

}  // namespace pith
