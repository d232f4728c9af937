// Counts for GET /metrics, in Prometheus' text form. Names of methods come from our own table, never from a request.
// Thread-safe.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pith::mcp {

class HttpMetrics {
 public:
  // `took`: none where the head alone decided, which says nothing of how long an answer takes.
  void Count(std::string_view method, int status, std::optional<std::chrono::steady_clock::duration> took);
  std::string Text() const;

 private:
  static constexpr std::array kBounds = {0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0};

  mutable std::mutex mutex_;  // guards all below
  std::map<std::pair<std::string, int>, uint64_t> requests_;
  std::array<uint64_t, kBounds.size() + 1> buckets_{};
  uint64_t count_ = 0;
  double seconds_ = 0;
};

}  // namespace pith::mcp
