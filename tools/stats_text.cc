// Savings are said net: what retrievals brought back is taken off, so a view that is always fetched again saves
// nothing.
#include "tools/stats_text.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/units.h"

namespace pith {
namespace {

int64_t NetSaved(const StoreStats& stats) {
  return static_cast<int64_t>(stats.original_tokens) - static_cast<int64_t>(stats.shown_tokens) -
         static_cast<int64_t>(stats.retrieved_tokens);
}

std::string Percent(int64_t part, uint64_t whole) {
  char text[32];
  snprintf(text, sizeof text, "%.1f %%",
           whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

}  // namespace

std::string StatsText(const StoreStats& stats) {
  std::string text = CountText(stats.entries, "original") + ", " + BytesText(stats.raw_bytes) + " (" +
                     BytesText(stats.stored_bytes) + " as stored), seen " + CountText(stats.sightings, "time") + "\n";
  for (const TierStats& tier : stats.tiers) {
    text += "  " + tier.name + ": " + CountText(tier.entries, "original") + ", " + BytesText(tier.bytes) + "\n";
  }
  text += "views: " + CountText(stats.shown_tokens, "token") + " in place of " + std::to_string(stats.original_tokens) +
          "; fetched again: " + std::to_string(stats.retrieved_tokens) + " in " +
          CountText(stats.retrievals, "retrieval") + "\n";
  text += "saved by the views of these originals, less what was fetched again: " + std::to_string(NetSaved(stats)) +
          " tokens" + " (" + Percent(NetSaved(stats), stats.original_tokens) + "), estimated\n";
  text += "gone: " + std::to_string(stats.expired) + " expired, " + std::to_string(stats.evicted) + " evicted, " +
          std::to_string(stats.purged) + " purged\n";
  return text;
}

std::string StatsJson(const StoreStats& stats) {
  nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
  for (const TierStats& tier : stats.tiers) {
    tiers.push_back(
        {{"name", tier.name}, {"entries", tier.entries}, {"bytes", tier.bytes}, {"raw_bytes", tier.raw_bytes}});
  }
  nlohmann::ordered_json object = {{"entries", stats.entries},
                                   {"raw_bytes", stats.raw_bytes},
                                   {"stored_bytes", stats.stored_bytes},
                                   {"sightings", stats.sightings},
                                   {"tiers", std::move(tiers)},
                                   {"original_tokens", stats.original_tokens},
                                   {"shown_tokens", stats.shown_tokens},
                                   {"original_bytes", stats.original_bytes},
                                   {"shown_bytes", stats.shown_bytes},
                                   {"retrievals", stats.retrievals},
                                   {"retrieved_bytes", stats.retrieved_bytes},
                                   {"retrieved_tokens", stats.retrieved_tokens},
                                   {"net_saved_tokens", NetSaved(stats)},
                                   {"expired", stats.expired},
                                   {"evicted", stats.evicted},
                                   {"purged", stats.purged},
                                   {"inbox_files", stats.inbox_files}};
  return JsonText(object);
}

}  // namespace pith
