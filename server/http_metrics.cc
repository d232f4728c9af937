#include "server/http_metrics.h"

#include <cstdio>

namespace pith::mcp {
namespace {

std::string MetricText(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

}  // namespace

void HttpMetrics::Count(std::string_view method, int status, std::optional<std::chrono::steady_clock::duration> took) {
  const double seconds = took ? std::chrono::duration<double>(*took).count() : 0;
  size_t bucket = 0;
  while (bucket < kBounds.size() && seconds > kBounds[bucket]) ++bucket;
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(method), status}];
  if (!took) return;
  ++buckets_[bucket];
  ++count_;
  seconds_ += seconds;
}

std::string HttpMetrics::Text() const {
  const std::lock_guard lock(mutex_);
  std::string text =
      "# HELP pith_http_requests_total Requests answered, by method of the protocol and HTTP status.\n"
      "# TYPE pith_http_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text += "pith_http_requests_total{method=\"" + key.first + "\",status=\"" + std::to_string(key.second) + "\"} " +
            std::to_string(count) + "\n";
  }
  text +=
      "# HELP pith_http_request_seconds Time from the whole request to the reply or its first event.\n"
      "# TYPE pith_http_request_seconds histogram\n";
  uint64_t below = 0;
  for (size_t i = 0; i < kBounds.size(); ++i) {
    below += buckets_[i];
    text += "pith_http_request_seconds_bucket{le=\"" + MetricText(kBounds[i]) + "\"} " + std::to_string(below) + "\n";
  }
  text += "pith_http_request_seconds_bucket{le=\"+Inf\"} " + std::to_string(count_) + "\n";
  text += "pith_http_request_seconds_sum " + MetricText(seconds_) + "\n";
  text += "pith_http_request_seconds_count " + std::to_string(count_) + "\n";
  return text;
}

}  // namespace pith::mcp
