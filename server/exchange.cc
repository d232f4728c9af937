// A client that reads slowly must not make the server hold what it does not read: beyond a bound, notifications are
// dropped (each later progress message says what the dropped ones said), the answer never is.
#include "server/exchange.h"

#include <utility>

namespace pith::mcp {
namespace {

constexpr size_t kMostWaiting = 1000;

std::string AsEvent(const std::string& message) { return "event: message\ndata: " + message + "\n\n"; }

}  // namespace

void Exchange::Send(std::string message) {
  {
    const std::lock_guard lock(mutex_);
    if (!takes_events_ || gone_ || ended() || events_.size() >= kMostWaiting) return;
    events_.push_back(std::move(message));
  }
  changed_.notify_all();
}

void Exchange::Finish(std::string message) {
  {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    answer_ = std::move(message);
    finished_ = true;
  }
  changed_.notify_all();
}

void Exchange::CloseStream() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

Exchange::First Exchange::WaitFirst(std::optional<std::chrono::milliseconds> most) {
  std::unique_lock lock(mutex_);
  const auto something = [&] { return finished_ || closed_ || !events_.empty(); };
  if (most) {
    changed_.wait_for(lock, *most, something);
  } else {
    changed_.wait(lock, something);
  }
  if (!events_.empty() || closed_) return First::kEvent;
  return finished_ ? First::kAnswer : First::kNothingYet;
}

std::string Exchange::TakeAnswer() {
  const std::lock_guard lock(mutex_);
  return std::move(answer_);
}

HttpStream::State Exchange::Next(std::string* chunk, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait, [&] { return ended() || !events_.empty(); });
  chunk->clear();
  for (const std::string& event : events_) *chunk += AsEvent(event);
  events_.clear();
  if (finished_ && !answer_.empty()) *chunk += takes_events_ ? AsEvent(answer_) : answer_;
  if (ended()) return State::kEnd;
  return chunk->empty() ? State::kIdle : State::kData;
}

void Exchange::Disconnected() {
  std::function<void()> on_disconnect;
  {
    const std::lock_guard lock(mutex_);
    if (gone_) return;
    gone_ = true;
    events_.clear();
    on_disconnect = std::move(on_disconnect_);
  }
  if (on_disconnect) on_disconnect();
}

}  // namespace pith::mcp
