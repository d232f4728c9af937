// The order of decisions, the same for both transports and made anew for each message (one process may serve a modern
// probe, an older handshake and modern calls in turn):
//   1. metadata that names a revision, or over HTTP a header that names a modern one: modern. Then envelope, header of
//   the
//      version, version, other headers, method, in this order.
//   2. server/discover without metadata: a modern request that lacks it.
//   3. all else is an earlier revision's: the session's, which over HTTP stands for header, session id or assumption.
// Methods live in methods.cc.
#include "server/dispatch.h"

#include <utility>

#include "server/encode.h"

namespace pith::mcp {
namespace {

const Json* MetaOf(const Message& message) {
  const auto meta = message.params.find("_meta");
  return meta != message.params.end() && meta->is_object() ? &*meta : nullptr;
}

bool HasModernEnvelope(const Message& message) {
  const Json* meta = MetaOf(message);
  return meta != nullptr && meta->contains(kVersionKey);
}

const RevisionTraits* RevisionOfHeader(const Peer& peer) {
  if (peer.headers == nullptr) return nullptr;
  const auto header = (*peer.headers)("mcp-protocol-version");
  return header ? RevisionNamed(*header) : nullptr;
}

bool HeaderIsModern(const Peer& peer) {
  const RevisionTraits* revision = RevisionOfHeader(peer);
  return revision != nullptr && revision->modern;
}

RpcError UnsupportedVersion(std::string_view requested) {
  OrderedJson supported = OrderedJson::array();
  for (const RevisionTraits& row : Revisions()) {
    if (row.modern) supported.push_back(row.name);
  }
  return RpcError{kUnsupportedProtocolVersion, "unsupported protocol version " + Quotable(requested, 40),
                  OrderedJson{{"supported", std::move(supported)}, {"requested", Quotable(requested, 100)}}};
}

// What the envelope of a modern request must hold.
RpcError CheckEnvelope(const Message& message) {
  const Json* meta = MetaOf(message);
  if (meta == nullptr) return RpcError{kInvalidParams, "params._meta is missing"};
  const auto version = meta->find(kVersionKey);
  if (version == meta->end() || !version->is_string()) {
    return RpcError{kInvalidParams, std::string("params._meta[\"") + kVersionKey + "\"] must be a string"};
  }
  const auto capabilities = meta->find(kCapabilitiesKey);
  if (capabilities == meta->end() || !capabilities->is_object()) {
    return RpcError{kInvalidParams, std::string("params._meta[\"") + kCapabilitiesKey + "\"] must be an object"};
  }
  return {};
}

RpcError CheckLogLevel(const Message& message) {
  const Json& meta = *MetaOf(message);
  const auto level = meta.find(kLogLevelKey);
  if (level == meta.end()) return {};
  if (level->is_string() && LogLevelNamed(level->get_ref<const std::string&>())) return {};
  return RpcError{kInvalidParams,
                  std::string("params._meta[\"") + kLogLevelKey +
                      "\"] must be one of debug, info, notice, warning, error, critical, alert, emergency"};
}

}  // namespace

Dispatcher::Dispatcher(const Registry& registry) : registry_(registry), subscriptions_(registry) {
  for (const Tool& tool : registry.tools) tools_[tool.name].tool = &tool;
}

RpcError Dispatcher::CheckModern(const Message& message, const Peer& peer) const {
  RpcError error = CheckEnvelope(message);
  if (error.code != 0) return error;
  if (peer.headers != nullptr) {
    const std::string mismatch = FindVersionMismatch(*peer.headers, message);
    if (!mismatch.empty()) return RpcError{kHeaderMismatch, mismatch};
  }
  const std::string& version = MetaOf(message)->at(kVersionKey).get_ref<const std::string&>();
  const RevisionTraits* revision = RevisionNamed(version);
  if (revision == nullptr || !revision->modern) return UnsupportedVersion(version);
  if (peer.headers != nullptr) {
    const std::string mismatch = FindHeaderMismatch(*peer.headers, message, MethodNamed(message.method));
    if (!mismatch.empty()) return RpcError{kHeaderMismatch, mismatch};
  }
  return CheckLogLevel(message);
}

RpcError Dispatcher::CheckMethod(Call* call) const {
  const MethodTraits* method = MethodNamed(call->message.method);
  const bool exists = method != nullptr && (call->revision->modern ? method->modern : method->legacy) &&
                      Declares(registry_, method->feature);
  if (!exists) return RpcError{kMethodNotFound, "no such method: " + Quotable(call->message.method)};
  call->method = method;
  return {};
}

Call Dispatcher::Admit(Message message, const Peer& peer) const {
  Call call;
  call.message = std::move(message);
  call.revision = &peer.session->revision();
  if (HasModernEnvelope(call.message) || HeaderIsModern(peer)) {
    call.revision = &Revisions().back();
    call.refusal = CheckModern(call.message, peer);
  } else if (peer.headers != nullptr && (*peer.headers)("mcp-protocol-version") && RevisionOfHeader(peer) == nullptr) {
    call.refusal = UnsupportedVersion(*(*peer.headers)("mcp-protocol-version"));
  } else if (call.message.method == "server/discover") {
    call.revision = &Revisions().back();
    call.refusal = CheckEnvelope(call.message);
    if (call.refusal.code == 0) call.refusal = RpcError{kInvalidParams, "params._meta is missing"};
  }
  if (call.refusal.code == 0) call.refusal = CheckMethod(&call);
  if (call.refusal.code == 0) call.cancelled = peer.session->Begin(call.message.id);
  return call;
}

Outcome Dispatcher::Run(Call& call, const Peer& peer, const std::shared_ptr<Sink>& sink) {
  if (call.refusal.code != 0) return {ErrorReply(call.message.id, call.refusal), call.refusal.code, false};
  Answer answer;
  try {
    if (!*call.cancelled) answer = Serve(call, peer, sink);
  } catch (const std::exception&) {  // of a handler that breaks its word, or of the JSON library: never the end of us
    answer.error = RpcError{kInternalError, "the server failed while it handled this request"};
  }
  if (answer.open) return {"", 0, true};
  peer.session->End(call.message.id, call.cancelled);
  if (*call.cancelled) return {};
  if (answer.error.code != 0) return {ErrorReply(call.message.id, answer.error), answer.error.code, false};
  return {ResultReply(call.message.id, answer.result), 0, false};
}

void Dispatcher::Notice(const Message& message, Session& session) {
  if (message.kind == Message::Kind::kResponse) return session.Answer(message);
  if (message.method != "notifications/cancelled") return;
  const auto id = message.params.find("requestId");
  if (id != message.params.end()) session.Cancel(*id);
}

Outcome Dispatcher::RunBatch(Json batch, const Peer& peer, const std::shared_ptr<Sink>& sink) {
  const auto refuse = [](std::string why) {
    return Outcome{ErrorReply(nullptr, RpcError{kInvalidRequest, std::move(why)}), kInvalidRequest, false};
  };
  if (!peer.session->revision().batches) return refuse("this protocol revision has no batches");
  if (batch.empty()) return refuse("the batch is empty");
  if (batch.size() > kLongestBatch)
    return refuse("a batch holds at most " + std::to_string(kLongestBatch) + " messages");

  std::string replies;
  const auto add = [&](const std::string& reply) {
    if (!reply.empty()) replies += (replies.empty() ? "[" : ",") + reply;
  };
  for (Json& element : batch) {
    std::variant<Message, Misshapen> classified = Classify(std::move(element));
    if (const auto* misshapen = std::get_if<Misshapen>(&classified)) {
      add(ErrorReply(misshapen->id, misshapen->error));
      continue;
    }
    Message& message = std::get<Message>(classified);
    if (message.kind != Message::Kind::kRequest) {
      Notice(message, *peer.session);
    } else if (message.method == "initialize" || HasModernEnvelope(message)) {
      add(ErrorReply(message.id, RpcError{kInvalidRequest, "this request may not be part of a batch"}));
    } else {
      Call call = Admit(std::move(message), peer);
      add(Run(call, peer, sink).reply);
    }
  }
  return {replies.empty() ? "" : replies + "]", 0, false};
}

}  // namespace pith::mcp
