// Requests under way are kept by the JSON text of their id, so that 1 and "1" stay two. Callbacks of a cancellation run
// outside the lock: they reach into other parts that take locks of their own.
#include "server/session.h"

#include <array>
#include <utility>
#include <vector>

namespace pith::mcp {
namespace {

constexpr std::array<std::string_view, 8> kLevelNames = {"debug", "info",     "notice", "warning",
                                                         "error", "critical", "alert",  "emergency"};
constexpr size_t kMostSubscriptions = 10'000;

}  // namespace

std::optional<LogLevel> LogLevelNamed(std::string_view name) {
  for (size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}
std::string_view LogLevelName(LogLevel level) { return kLevelNames[static_cast<size_t>(level)]; }

void Session::Initialize(const RevisionTraits& revision, Json client_capabilities) {
  const std::lock_guard lock(mutex_);
  client_capabilities_ = std::move(client_capabilities);
  revision_ = &revision;
  initialized_ = true;
}

Json Session::client_capabilities() const {
  const std::lock_guard lock(mutex_);
  return client_capabilities_;
}

void Session::Subscribe(std::string uri) {
  const std::lock_guard lock(mutex_);
  if (subscriptions_.size() < kMostSubscriptions) subscriptions_.insert(std::move(uri));
}
void Session::Unsubscribe(const std::string& uri) {
  const std::lock_guard lock(mutex_);
  subscriptions_.erase(uri);
}
bool Session::SubscribedTo(std::string_view uri) const {
  const std::lock_guard lock(mutex_);
  return subscriptions_.find(uri) != subscriptions_.end();
}

CancelFlag Session::Begin(const Json& id) {
  auto flag = std::make_shared<std::atomic<bool>>(false);
  const std::lock_guard lock(mutex_);
  running_.emplace(Dump(id), Running{flag, nullptr});
  return flag;
}

void Session::OnCancel(const Json& id, const CancelFlag& flag, std::function<void()> on_cancel) {
  {
    const std::lock_guard lock(mutex_);
    auto [from, to] = running_.equal_range(Dump(id));
    for (; from != to; ++from) {
      if (from->second.flag != flag) continue;
      from->second.on_cancel = std::move(on_cancel);
      return;
    }
  }
  on_cancel();  // cancelled before it could say so
}

void Session::End(const Json& id, const CancelFlag& flag) {
  const std::lock_guard lock(mutex_);
  auto [from, to] = running_.equal_range(Dump(id));
  for (; from != to; ++from) {
    if (from->second.flag != flag) continue;
    running_.erase(from);
    return;
  }
}

void Session::Cancel(const Json& id) {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    auto [from, to] = running_.equal_range(Dump(id));
    for (auto running = from; running != to; ++running) {
      *running->second.flag = true;
      if (running->second.on_cancel) callbacks.push_back(std::move(running->second.on_cancel));
    }
    running_.erase(from, to);
  }
  answered_.notify_all();
  for (const auto& callback : callbacks) callback();
}

void Session::CancelAll() {
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, running] : running_) {
      *running.flag = true;
      if (running.on_cancel) callbacks.push_back(std::move(running.on_cancel));
    }
    running_.clear();
  }
  answered_.notify_all();
  for (const auto& callback : callbacks) callback();
}

std::string Session::Ask() {
  const std::lock_guard lock(mutex_);
  std::string ask = "pith-" + std::to_string(next_ask_++);
  asked_.emplace(ask, nullptr);
  return ask;
}

Result<std::string> Session::Await(const std::string& ask, const std::atomic<bool>& cancelled,
                                   std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  answered_.wait_for(lock, most, [&] { return cancelled || !asked_[ask].is_null(); });
  const Json answer = std::move(asked_[ask]);
  asked_.erase(ask);
  if (cancelled) return Error{Cause::kCancelled, "the request was taken back"};
  if (answer.is_null()) return Error{Cause::kUnavailable, "the client did not answer in time"};
  if (const auto result = answer.find("result"); result != answer.end()) return Dump(*result);
  return Error{Cause::kDenied, "the client refused: " + Quotable(Dump(answer.value("error", Json())), 200)};
}

void Session::Answer(const Message& response) {
  if (!response.id.is_string()) return;
  {
    const std::lock_guard lock(mutex_);
    const auto asked = asked_.find(response.id.get_ref<const std::string&>());
    if (asked == asked_.end()) return;
    asked->second = response.body;
  }
  answered_.notify_all();
}

}  // namespace pith::mcp
