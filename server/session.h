// What earlier revisions keep between messages, and what any transport must know of the requests that are under way.
// One Session a stdio process, one a session id over HTTP, one that lives as long as its request where there is
// neither. Thread-safe.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "server/jsonrpc.h"
#include "server/revisions.h"

namespace pith::mcp {

using CancelFlag = std::shared_ptr<std::atomic<bool>>;

enum class LogLevel : uint8_t { kDebug, kInfo, kNotice, kWarning, kError, kCritical, kAlert, kEmergency };
std::optional<LogLevel> LogLevelNamed(std::string_view name);
std::string_view LogLevelName(LogLevel level);

class Session {
 public:
  explicit Session(const RevisionTraits& revision) : revision_(&revision) {}

  // The handshake's outcome. Before it: the revision given at construction, no capabilities.
  void Initialize(const RevisionTraits& revision, Json client_capabilities);
  bool initialized() const { return initialized_; }
  const RevisionTraits& revision() const { return *revision_.load(); }
  Json client_capabilities() const;

  void set_log_level(LogLevel level) { log_level_ = level; }
  LogLevel log_level() const { return log_level_; }

  void Subscribe(std::string uri);
  void Unsubscribe(const std::string& uri);
  bool SubscribedTo(std::string_view uri) const;

  // Requests under way. Two may bear one id: cancelling it cancels both. `on_cancel` runs once, on the canceller's
  // thread.
  CancelFlag Begin(const Json& id);
  void OnCancel(const Json& id, const CancelFlag& flag, std::function<void()> on_cancel);
  void End(const Json& id, const CancelFlag& flag);
  void Cancel(const Json& id);  // unknown ids are passed over
  void CancelAll();

  // Requests from here to the client. Ask makes the id; Await gives the client's `result` as JSON text.
  std::string Ask();
  Result<std::string> Await(const std::string& ask, const std::atomic<bool>& cancelled, std::chrono::milliseconds most);
  void Answer(const Message& response);  // answers to nothing we asked are passed over

 private:
  struct Running {
    CancelFlag flag;
    std::function<void()> on_cancel;
  };

  std::atomic<const RevisionTraits*> revision_;
  std::atomic<bool> initialized_ = false;
  std::atomic<LogLevel> log_level_ = LogLevel::kInfo;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable answered_;
  Json client_capabilities_ = Json::object();
  std::set<std::string, std::less<>> subscriptions_;
  std::multimap<std::string, Running> running_;  // by the id's JSON text
  std::map<std::string, Json> asked_;            // null until answered
  uint64_t next_ask_ = 1;
};

}  // namespace pith::mcp
