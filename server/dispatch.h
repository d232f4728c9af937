// From a message to its answer, whatever carried it. A transport parses and classifies, calls Admit on its own thread
// (cheap; decides era and revision, refuses what is not to be served), then Run where it likes (blocks while the
// handler runs). Thread-safe; the registry must outlive it and stay as it is.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "server/headers.h"
#include "server/jsonrpc.h"
#include "server/registry.h"
#include "server/revisions.h"
#include "server/schema.h"
#include "server/session.h"
#include "server/sink.h"
#include "server/subscriptions.h"

namespace pith::mcp {

// Who sent a message, as its transport knows it.
struct Peer {
  std::shared_ptr<Session> session;  // never null
  std::string name_space = {};       // of the bearer; "" if there is none
  bool over_http = false;
  std::shared_ptr<const HeaderLookup> headers = nullptr;  // HTTP, but for the elements of a batch
};

// A request on its way: where it stands, or why it was refused.
struct Call {
  Message message;
  const RevisionTraits* revision = nullptr;
  const MethodTraits* method = nullptr;  // null where refused
  RpcError refusal;                      // code 0: admitted
  CancelFlag cancelled;                  // set where admitted
  bool quick() const { return method == nullptr || method->quick; }
};

struct Outcome {
  std::string reply;   // a whole message; empty: none is due (cancelled, or still open)
  int error_code = 0;  // of the reply, 0 if it is a result
  bool open = false;   // a listen: the reply comes through the sink, later
};

class Dispatcher {
 public:
  explicit Dispatcher(const Registry& registry);

  // Decides how a request is served. Begins it in the session: Run must follow, on any thread.
  Call Admit(Message message, const Peer& peer) const;
  Outcome Run(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink);

  // Notifications and responses: never answered.
  static void Notice(const Message& message, Session& session);

  // A JSON array of messages. The reply is an array of the answers, empty if none is due; one error where the session's
  // revision has no batches, the array is empty or has more than kLongestBatch elements.
  Outcome RunBatch(Json batch, const Peer& peer, const std::shared_ptr<Sink>& sink);
  static constexpr size_t kLongestBatch = 1000;

  Subscriptions& subscriptions() { return subscriptions_; }
  const Registry& registry() const { return registry_; }

 private:
  struct Answer {
    std::string result;  // JSON text
    RpcError error;
    bool open = false;
  };
  // A tool with its schema compiled at first use.
  struct ToolEntry {
    const Tool* tool = nullptr;
    std::once_flag compiled;
    std::optional<Schema> schema;
  };

  RpcError CheckModern(const Message& message, const Peer& peer) const;
  RpcError CheckMethod(Call* call) const;
  Answer Serve(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink);

  Answer Initialize(const Call& call, Session& session) const;
  Answer Discover(const Call& call) const;
  Answer Listen(const Call& call, Session& session, const std::shared_ptr<Sink>& sink);
  Answer SetLevel(const Call& call, Session& session) const;
  Answer SubscribeResource(const Call& call, Session& session) const;
  Answer ListTools(const Call& call);
  Answer CallTool(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink);
  Answer ListResources(const Call& call, const Peer& peer) const;
  Answer ListTemplates(const Call& call) const;
  Answer ReadResource(const Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) const;
  Answer ListPrompts(const Call& call) const;
  Answer GetPrompt(const Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) const;
  Answer Complete(const Call& call) const;

  Answer Finished(OrderedJson result, const Call& call, uint64_t ttl_ms = 0, std::string_view scope = {}) const;
  const Schema* SchemaOf(ToolEntry& entry) const;

  const Registry& registry_;
  Subscriptions subscriptions_;
  std::map<std::string, ToolEntry, std::less<>> tools_;
  std::array<std::once_flag, kRevisionCount> tool_list_made_;
  std::array<std::string, kRevisionCount> tool_list_;  // whole results, by revision
};

}  // namespace pith::mcp
