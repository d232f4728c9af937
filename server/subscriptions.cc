// A server whose lists never change still acknowledges a listen, with an empty subset, and keeps it open until the
// client takes it back. Ids keep their JSON type in every notification: a number stays a number.
#include "server/subscriptions.h"
#include "base/json_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pith::mcp {
namespace {

constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
constexpr size_t kMostUris = 1000;

constexpr std::array<std::string_view, 4> kNotifications = {
    "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
    "notifications/resources/updated"};

std::string_view NotificationOf(ChangeFeed::Kind kind) { return kNotifications[static_cast<size_t>(kind)]; }

OrderedJson Tag(const Json& id) { return {{kSubscriptionKey, ParseOrderedJson(Dump(id))}}; }

bool ReadWish(const Json& filter, const char* key, bool* wish) {
  const auto found = filter.find(key);
  if (found == filter.end()) return true;
  if (!found->is_boolean()) return false;
  *wish = found->get<bool>();
  return true;
}

}  // namespace

void ChangeFeed::Publish(Kind kind, std::string_view uri) {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, listener] : listeners_) listener(kind, uri);
}

uint64_t ChangeFeed::Listen(Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_.emplace(next_, std::move(listener));
  return next_++;
}

void ChangeFeed::Forget(uint64_t listener) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(listener);
}

Subscriptions::Subscriptions(const Registry& registry) : registry_(registry) {
  if (!registry.changes) return;
  listener_ = registry.changes->Listen([this](ChangeFeed::Kind kind, std::string_view uri) { Publish(kind, uri); });
}

Subscriptions::~Subscriptions() {
  if (registry_.changes) registry_.changes->Forget(listener_);
}

Result<uint64_t> Subscriptions::Open(const Json& id, const Json& filter, std::shared_ptr<Sink> sink) {
  Entry entry{id, false, false, false, {}, std::move(sink)};
  const bool read = filter.is_object() && ReadWish(filter, "toolsListChanged", &entry.tools) &&
                    ReadWish(filter, "promptsListChanged", &entry.prompts) &&
                    ReadWish(filter, "resourcesListChanged", &entry.resources);
  const auto uris = read ? filter.find("resourceSubscriptions") : filter.end();
  bool uris_read = read;
  if (read && uris != filter.end()) {
    uris_read = uris->is_array() && uris->size() <= kMostUris;
    for (size_t i = 0; uris_read && i < uris->size(); ++i) {
      uris_read = (*uris)[i].is_string();
      if (uris_read) entry.uris.push_back((*uris)[i].get<std::string>());
    }
  }
  if (!uris_read) {
    return Error{Cause::kInvalid,
                 "`notifications` must be an object of toolsListChanged, promptsListChanged, resourcesListChanged "
                 "(true or false) and resourceSubscriptions (at most 1000 URIs)"};
  }
  entry.tools = entry.tools && registry_.tools_change;
  entry.prompts = entry.prompts && registry_.prompts_change;
  entry.resources = entry.resources && registry_.resources_change;
  if (!registry_.resource_subscriptions) entry.uris.clear();

  OrderedJson honoured = OrderedJson::object();
  if (entry.tools) honoured["toolsListChanged"] = true;
  if (entry.prompts) honoured["promptsListChanged"] = true;
  if (entry.resources) honoured["resourcesListChanged"] = true;
  if (!entry.uris.empty()) honoured["resourceSubscriptions"] = entry.uris;

  const std::lock_guard lock(mutex_);
  if (open_.size() >= kMostOpen) return Error{Cause::kFull, "too many subscriptions are open"};
  entry.sink->Send(NotificationText("notifications/subscriptions/acknowledged",
                                    {{"_meta", Tag(id)}, {"notifications", std::move(honoured)}}));
  open_.emplace(next_, std::move(entry));
  return next_++;
}

void Subscriptions::Close(uint64_t handle) {
  std::shared_ptr<Sink> sink;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = open_.find(handle);
    if (entry == open_.end()) return;
    sink = std::move(entry->second.sink);
    open_.erase(entry);
  }
  sink->Finish("");
}

void Subscriptions::FinishAll() {
  std::map<uint64_t, Entry> finished;
  {
    const std::lock_guard lock(mutex_);
    finished.swap(open_);
  }
  for (auto& [handle, entry] : finished) {
    entry.sink->Finish(ResultReply(entry.id, Dump(OrderedJson{{"resultType", "complete"}, {"_meta", Tag(entry.id)}})));
  }
}

void Subscriptions::Attach(std::weak_ptr<Session> session, std::shared_ptr<Sink> sink) {
  const std::lock_guard lock(mutex_);
  std::erase_if(attached_, [](const Attached& attached) { return attached.session.expired(); });
  attached_.push_back({std::move(session), std::move(sink)});
}

void Subscriptions::Publish(ChangeFeed::Kind kind, std::string_view uri) {
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, entry] : open_) {
    const bool wanted = kind == ChangeFeed::Kind::kTools       ? entry.tools
                        : kind == ChangeFeed::Kind::kPrompts   ? entry.prompts
                        : kind == ChangeFeed::Kind::kResources ? entry.resources
                                                               : std::ranges::find(entry.uris, uri) != entry.uris.end();
    if (!wanted) continue;
    OrderedJson params{{"_meta", Tag(entry.id)}};
    if (kind == ChangeFeed::Kind::kResource) params["uri"] = uri;
    entry.sink->Send(NotificationText(NotificationOf(kind), params));
  }
  TellAttached(kind, uri);
}

void Subscriptions::TellAttached(ChangeFeed::Kind kind, std::string_view uri) {
  for (const Attached& attached : attached_) {
    const std::shared_ptr<Session> session = attached.session.lock();
    if (!session || !session->initialized()) continue;
    if (kind == ChangeFeed::Kind::kResource && !session->SubscribedTo(uri)) continue;
    OrderedJson params = OrderedJson::object();
    if (kind == ChangeFeed::Kind::kResource) params["uri"] = uri;
    attached.sink->Send(NotificationText(NotificationOf(kind), params));
  }
}

}  // namespace pith::mcp
