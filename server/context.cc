// Progress is held to the protocol's rule (strictly rising, only with a token) and to a rate: a first burst goes
// through, then one message each tenth of a second. What a handler reports in between is dropped; the next one says it
// all.
#include "server/context.h"

#include <cmath>
#include <utility>

#include "base/json_text.h"

namespace pith::mcp {
namespace {

using std::chrono::steady_clock;

constexpr int kProgressBurst = 10;
constexpr std::chrono::milliseconds kProgressInterval{100};
constexpr std::chrono::minutes kAskPatience{2};

// What a client must have declared to be asked that.
struct AskRow {
  std::string_view method;
  const char* capability;
};
constexpr AskRow kAsks[] = {
    {"sampling/createMessage", "sampling"}, {"elicitation/create", "elicitation"}, {"roots/list", "roots"}};

const Json* Find(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

RequestContext::RequestContext(const Facts& facts, std::shared_ptr<Sink> sink, CancelFlag cancelled)
    : facts_(facts), sink_(std::move(sink)), cancelled_(std::move(cancelled)), burst_left_(kProgressBurst) {
  const Json* meta = Find(*facts_.params, "_meta");
  if (meta != nullptr) {
    const Json* token = Find(*meta, "progressToken");
    if (token != nullptr && (token->is_string() || token->is_number_integer())) progress_token_ = *token;
  }
  if (!facts_.revision->modern) {
    client_capabilities_ = facts_.session->client_capabilities();
    if (facts_.registry->logging) log_threshold_ = facts_.session->log_level();
    return;
  }
  if (meta == nullptr) return;
  if (const Json* capabilities = Find(*meta, kCapabilitiesKey)) client_capabilities_ = *capabilities;
  const Json* level = Find(*meta, kLogLevelKey);
  if (facts_.registry->logging && level != nullptr && level->is_string()) {
    log_threshold_ = LogLevelNamed(level->get_ref<const std::string&>());
  }
}

void RequestContext::Progress(double progress, std::optional<double> total, std::string_view message) {
  if (progress_token_.is_null() || *cancelled_ || !std::isfinite(progress)) return;
  const std::lock_guard lock(mutex_);
  if (last_progress_ && progress <= *last_progress_) return;
  const auto now = steady_clock::now();
  if (burst_left_ > 0) {
    --burst_left_;
  } else if (now - last_sent_ < kProgressInterval) {
    return;
  }
  last_progress_ = progress;
  last_sent_ = now;
  OrderedJson params{{"progressToken", ParseOrderedJson(Dump(progress_token_))}, {"progress", progress}};
  if (total && std::isfinite(*total)) params["total"] = *total;
  if (facts_.revision->progress_message && !message.empty()) params["message"] = message;
  sink_->Send(NotificationText("notifications/progress", params));
}

void RequestContext::Log(std::string_view level, std::string_view message) {
  const std::optional<LogLevel> named = LogLevelNamed(level);
  if (!log_threshold_ || !named || *named < *log_threshold_ || *cancelled_) return;
  sink_->Send(NotificationText("notifications/message",
                               {{"level", level}, {"logger", facts_.registry->name}, {"data", message}}));
}

const Json* RequestContext::input_responses() const {
  return facts_.revision->modern ? Find(*facts_.params, "inputResponses") : nullptr;
}

std::string_view RequestContext::request_state() const {
  const Json* state = facts_.revision->modern ? Find(*facts_.params, "requestState") : nullptr;
  return state != nullptr && state->is_string() ? state->get_ref<const std::string&>() : std::string_view();
}

Result<std::string> RequestContext::Ask(std::string_view method, std::string_view params_json) {
  if (facts_.revision->modern) return Error{Cause::kUnsupported, "this revision has no requests to the client"};
  for (const AskRow& row : kAsks) {
    if (row.method == method && Find(client_capabilities_, row.capability) == nullptr) {
      return Error{Cause::kUnsupported, "this client did not declare " + std::string(row.capability)};
    }
  }
  OrderedJson params = ParseOrderedJson(params_json);
  if (!params.is_object()) return Error{Cause::kInvalid, "the parameters are not a JSON object"};
  const std::string ask = facts_.session->Ask();
  sink_->Send(RequestText(ask, method, params));
  return facts_.session->Await(ask, *cancelled_, kAskPatience);
}

void RequestContext::CloseStream() { sink_->CloseStream(); }

}  // namespace pith::mcp
