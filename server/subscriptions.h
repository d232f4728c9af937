// Who is told of changes: the open subscriptions/listen requests of revision 2026-07-28, and sessions of earlier ones
// that have a road for messages outside a request. Thread-safe. Stops listening to the feed when destroyed.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/registry.h"
#include "server/session.h"
#include "server/sink.h"

namespace pith::mcp {

class Subscriptions {
 public:
  explicit Subscriptions(const Registry& registry);
  ~Subscriptions();
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  static constexpr size_t kMostOpen = 1024;

  // Acknowledges on the sink what is honoured of `filter` (params.notifications) and keeps the request open.
  // The handle is for Close. Errors: kInvalid (filter of the wrong form), kFull.
  Result<uint64_t> Open(const Json& id, const Json& filter, std::shared_ptr<Sink> sink);
  void Close(uint64_t handle);  // the client took it back: nothing more is sent
  void FinishAll();             // orderly end: each open request gets its result

  // A session of an earlier revision hears of changes on `sink` from its handshake on.
  void Attach(std::weak_ptr<Session> session, std::shared_ptr<Sink> sink);

 private:
  struct Entry {
    Json id;
    bool tools = false, prompts = false, resources = false;
    std::vector<std::string> uris;
    std::shared_ptr<Sink> sink;
  };
  struct Attached {
    std::weak_ptr<Session> session;
    std::shared_ptr<Sink> sink;
  };

  void Publish(ChangeFeed::Kind kind, std::string_view uri);
  void TellAttached(ChangeFeed::Kind kind, std::string_view uri);

  const Registry& registry_;
  uint64_t listener_ = 0;
  std::mutex mutex_;  // guards all below; held while sending, so that an acknowledgement comes before any change
  uint64_t next_ = 1;
  std::map<uint64_t, Entry> open_;
  std::vector<Attached> attached_;
};

}  // namespace pith::mcp
