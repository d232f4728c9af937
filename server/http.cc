// The order in which a request is looked at: where it comes from and whom it asks for (403), then the path (404), the
// token (401), the method (405), what it carries (400, 411 to 431; all this in http_head.cc), then the body. Up to
// there the head alone decides, so a transport can refuse without reading a body; everything after is the dispatcher's,
// with a status from the table.
//
// A handler runs on a pool, its connection waits. If the answer comes first, it goes out as plain JSON with the status
// it deserves. If a message comes first, or a modern call takes longer than `first_wait`, the reply becomes a stream:
// from then on the connection can notice a client that has gone, which for revision 2026-07-28 means cancellation.
#include "server/http.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "server/dispatch.h"
#include "server/exchange.h"
#include "server/http_guard.h"
#include "server/http_head.h"
#include "server/http_metrics.h"
#include "server/http_sessions.h"
#include "server/http_status.h"
#include "server/pool.h"

namespace pith::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kLongestTarget = 1024;
constexpr std::string_view kRegisterAdvice =
    "This server takes a static token, not OAuth: register it with --header \"Authorization: Bearer <token>\".\n";

}  // namespace

class HttpHandler::Impl {
 public:
  Impl(const Registry& registry, const HttpOptions& options)
      : options_(options),
        dispatcher_(registry),
        sessions_(options.most_sessions, options.session_idle),
        pool_(options.most_connections) {}

  std::optional<HttpReply> CheckHead(const HttpRequest& request);
  HttpReply Handle(HttpRequest request);
  void Drain();
  bool WaitIdle(milliseconds most);
  void CancelAll();
  std::string Metrics() const;

 private:
  // A request that is being answered: what it takes from the budgets, given back when the last holder lets go.
  struct Ticket {
    Impl* impl;
    size_t bytes;
    Ticket(Impl* owner, size_t body_bytes);
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
  };
  struct Post {
    std::shared_ptr<HttpRequest> request;
    std::shared_ptr<const HeaderLookup> header;  // into the request, which it keeps
    bool modern_header = false;
    Acceptance accepts;
    std::shared_ptr<Session> session;  // of the session id, else one of its own
    std::shared_ptr<Ticket> ticket;
    std::string_view counted_as = "other";
  };

  std::optional<HttpReply> CheckOtherPaths(const HttpRequest& request, std::string_view path);
  HttpReply Delete(const HttpRequest& request);
  HttpReply AnswerPost(Post& post);
  bool FindSession(Post* post);
  HttpReply AnswerBatch(Post& post, Json batch);
  HttpReply AnswerNotice(Post& post, const Message& message);
  HttpReply AnswerRequest(Post& post, Message message);
  HttpReply AnswerInitialize(Post& post, Call& call);
  HttpReply AnswerCall(Post& post, std::shared_ptr<Call> call);
  HttpReply FirstOf(const std::shared_ptr<Exchange>& exchange, const Post& post, bool modern);
  HttpReply StreamOf(const std::shared_ptr<Exchange>& exchange, const Post& post);
  std::shared_ptr<Exchange> NewExchange(const Post& post, bool modern);
  Peer PeerOf(const Post& post) const { return {post.session, options_.name_space, true, post.header}; }

  const HttpOptions options_;
  Dispatcher dispatcher_;
  HttpSessions sessions_;
  HttpMetrics metrics_;
  std::atomic<bool> draining_ = false;
  std::atomic<size_t> body_bytes_ = 0, streams_ = 0;
  std::mutex mutex_;  // guards what follows
  std::condition_variable idle_;
  size_t under_way_ = 0;
  std::map<Session*, std::weak_ptr<Session>> loose_;  // sessions of one request, for CancelAll
  WorkerPool pool_;                                   // last: its jobs use all of the above
};

HttpHandler::Impl::Ticket::Ticket(Impl* owner, size_t body_bytes) : impl(owner), bytes(body_bytes) {
  impl->body_bytes_ += bytes;
  const std::lock_guard lock(impl->mutex_);
  ++impl->under_way_;
}

HttpHandler::Impl::Ticket::~Ticket() {
  impl->body_bytes_ -= bytes;
  {
    const std::lock_guard lock(impl->mutex_);
    --impl->under_way_;
  }
  impl->idle_.notify_all();
}

// --- the head --------------------------------------------------------------------------------------------------------

std::optional<HttpReply> HttpHandler::Impl::CheckOtherPaths(const HttpRequest& request, std::string_view path) {
  if (path == options_.path || (path == "/metrics" && request.method == "GET")) return std::nullopt;
  if (path == "/healthz" && (request.method == "GET" || request.method == "HEAD")) {
    if (draining_) return Refuse(Situation::kDraining, false, "draining");
    return PlainReply(200, "ok\n");
  }
  // Hosts that meet a 401 try these; the body is what they then show their user.
  if (path == "/register" && !options_.token.empty()) return PlainReply(404, std::string(kRegisterAdvice));
  return Refuse(Situation::kOtherPath, false, "There is nothing here; the MCP endpoint is " + options_.path + ".");
}

std::optional<HttpReply> HttpHandler::Impl::CheckHead(const HttpRequest& request) {
  const auto decide = [&]() -> std::optional<HttpReply> {
    const bool modern = HeaderIsModern(request);
    if (request.headers.size() > options_.most_headers) {
      return Refuse(Situation::kTooManyHeaders, modern, "Too many headers.");
    }
    if (request.target.size() > kLongestTarget)
      return Refuse(Situation::kTargetTooLong, modern, "The target is too long.");
    if (auto refusal = CheckOrigin(request, options_)) return refusal;
    const std::string_view path = PathOf(request.target);
    if (auto reply = CheckOtherPaths(request, path)) return reply;
    if (request.method == "OPTIONS") {
      return request.Header("origin") ? HttpReply{StatusOf(Situation::kOptions, modern), {}, "", nullptr}
                                      : Refuse(Situation::kOtherMethod, modern, "Use POST.");
    }
    if (auto refusal = CheckToken(request, options_)) return refusal;
    if (path == "/metrics") return PlainReply(200, Metrics());
    if (request.method == "POST") {
      if (draining_) return Refuse(Situation::kDraining, modern, "The server is about to end.");
      return CheckPost(request, options_, body_bytes_);
    }
    if (request.method == "DELETE") return Delete(request);
    if (request.method == "GET" || request.method == "HEAD") {
      return Refuse(Situation::kGet, modern, "There is no stream outside a request; use POST.");
    }
    return Refuse(Situation::kOtherMethod, modern, "Use POST.");
  };
  std::optional<HttpReply> reply = decide();
  if (reply) {
    AddCors(request, options_, &*reply);
    metrics_.Count("none", reply->status, std::nullopt);
  }
  return reply;
}

HttpReply HttpHandler::Impl::Delete(const HttpRequest& request) {
  const auto id = request.Header("mcp-session-id");
  const bool modern = HeaderIsModern(request);
  if (modern) return Refuse(Situation::kDeleteLive, true, "This revision has no sessions.");
  if (!id) return Refuse(Situation::kDeleteWithoutId, false, "Mcp-Session-Id is missing.");
  if (!sessions_.End(*id)) return Refuse(Situation::kDeleteUnknown, false, "There is no such session.");
  return {StatusOf(Situation::kDeleteLive, false), {}, "", nullptr};
}

// --- the body --------------------------------------------------------------------------------------------------------

HttpReply HttpHandler::Impl::Handle(HttpRequest request) {
  if (std::optional<HttpReply> decided = CheckHead(request)) return std::move(*decided);
  const auto from = steady_clock::now();
  Post post;
  post.request = std::make_shared<HttpRequest>(std::move(request));
  post.header =
      std::make_shared<HeaderLookup>([kept = post.request](std::string_view name) { return kept->Header(name); });
  post.modern_header = HeaderIsModern(*post.request);
  post.accepts = WhatIsAccepted(post.request->Header("accept"));
  post.ticket = std::make_shared<Ticket>(this, post.request->body.size());
  HttpReply reply = post.request->body.size() > options_.longest_body
                        ? Refuse(Situation::kBodyTooLarge, post.modern_header, "The body is too large.")
                        : AnswerPost(post);
  AddCors(*post.request, options_, &reply);
  metrics_.Count(post.counted_as, reply.status, steady_clock::now() - from);
  return reply;
}

HttpReply HttpHandler::Impl::AnswerPost(Post& post) {
  Result<Json> parsed = ParseMessage(post.request->body);
  std::string().swap(post.request->body);
  if (!parsed.ok()) {
    const bool deep = parsed.error().cause == Cause::kTooLarge;
    return RefuseRpc(deep ? Situation::kNotRpc : Situation::kNotJson, post.modern_header, nullptr,
                     {deep ? kInvalidRequest : kParseError, parsed.error().sentence});
  }
  if (!FindSession(&post)) {
    return RefuseRpc(Situation::kSessionUnknown, false, nullptr,
                     {kInvalidRequest, "this session has ended or was never here; start anew with initialize"});
  }
  if (parsed->is_array()) return AnswerBatch(post, parsed.Take());
  std::variant<Message, Misshapen> classified = Classify(parsed.Take());
  if (const auto* misshapen = std::get_if<Misshapen>(&classified)) {
    return RefuseRpc(Situation::kNotRpc, post.modern_header, misshapen->id, misshapen->error);
  }
  Message& message = std::get<Message>(classified);
  if (message.kind != Message::Kind::kRequest) return AnswerNotice(post, message);
  return AnswerRequest(post, std::move(message));
}

// The session that the request names; without one (or where its revision has none) a session of its own, at the
// revision of its header or the assumed one.
bool HttpHandler::Impl::FindSession(Post* post) {
  const auto id = post->request->Header("mcp-session-id");
  if (id && !post->modern_header) {
    post->session = sessions_.Find(*id);
    return post->session != nullptr;
  }
  const auto version = post->request->Header("mcp-protocol-version");
  const RevisionTraits* revision = version ? RevisionNamed(*version) : &AssumedOverHttp();
  post->session = std::make_shared<Session>(revision != nullptr ? *revision : LatestLegacy());
  const std::lock_guard lock(mutex_);
  std::erase_if(loose_, [](const auto& entry) { return entry.second.expired(); });
  loose_[post->session.get()] = post->session;
  return true;
}

HttpReply HttpHandler::Impl::AnswerBatch(Post& post, Json batch) {
  post.counted_as = "batch";
  if (!post.session->revision().batches) {
    const Outcome refused = dispatcher_.RunBatch(std::move(batch), PeerOf(post), nullptr);
    return JsonReply(StatusOf(Situation::kBatchRefused, post.modern_header), refused.reply);
  }
  const std::shared_ptr<Exchange> exchange = NewExchange(post, false);
  const auto elements = std::make_shared<Json>(std::move(batch));
  pool_.Post([this, elements, exchange, peer = PeerOf(post), ticket = post.ticket] {
    const Peer sender{peer.session, peer.name_space, true};
    Outcome outcome = dispatcher_.RunBatch(std::move(*elements), sender, exchange);
    exchange->SetErrorCode(outcome.error_code);
    exchange->Finish(std::move(outcome.reply));
  });
  HttpReply reply = FirstOf(exchange, post, false);
  if (exchange->error_code() != 0) reply.status = StatusOf(Situation::kBatchRefused, false);
  return reply;
}

HttpReply HttpHandler::Impl::AnswerNotice(Post& post, const Message& message) {
  post.counted_as = "notification";
  const auto version = post.request->Header("mcp-protocol-version");
  if (version && RevisionNamed(*version) == nullptr) {
    return RefuseRpc(Situation::kUnknownVersion, post.modern_header, nullptr,
                     {kUnsupportedProtocolVersion, "unsupported protocol version"});
  }
  if (message.kind == Message::Kind::kResponse && post.modern_header) {
    return RefuseRpc(Situation::kStrayResponse, true, nullptr, {kInvalidRequest, "nothing was asked of the client"});
  }
  Dispatcher::Notice(message, *post.session);
  return {StatusOf(Situation::kAccepted, post.modern_header), {}, "", nullptr};
}

HttpReply HttpHandler::Impl::AnswerRequest(Post& post, Message message) {
  auto call = std::make_shared<Call>(dispatcher_.Admit(std::move(message), PeerOf(post)));
  const bool modern = call->revision->modern;
  if (call->refusal.code != 0) {
    const Situation situation = SituationOfError(call->refusal.code, true);
    return JsonReply(StatusOf(situation, modern), dispatcher_.Run(*call, PeerOf(post), nullptr).reply);
  }
  post.counted_as = call->method->name;
  if (call->method->method == Method::kInitialize) return AnswerInitialize(post, *call);
  if (call->method->method == Method::kListen && (streams_ >= options_.most_streams || !post.accepts.events)) {
    post.session->End(call->message.id, call->cancelled);
    return post.accepts.events ? Refuse(Situation::kBusy, modern, "Too many streams are open.")
                               : Refuse(Situation::kNotAcceptable, modern, "Accept must take text/event-stream.");
  }
  return AnswerCall(post, std::move(call));
}

HttpReply HttpHandler::Impl::AnswerInitialize(Post& post, Call& call) {
  const auto session = std::make_shared<Session>(LatestLegacy());
  const Peer peer{session, options_.name_space, true, post.header};
  const Outcome outcome = dispatcher_.Run(call, peer, nullptr);
  HttpReply reply = JsonReply(StatusOf(SituationOfError(outcome.error_code, false), false), outcome.reply);
  if (outcome.error_code != 0) return reply;
  const std::string id = sessions_.Add(session);
  if (!id.empty()) reply.headers.emplace_back("Mcp-Session-Id", id);
  return reply;
}

std::shared_ptr<Exchange> HttpHandler::Impl::NewExchange(const Post& post, bool modern) {
  return std::make_shared<Exchange>(post.accepts.events, [session = post.session, modern] {
    if (modern) session->CancelAll();
  });
}

HttpReply HttpHandler::Impl::AnswerCall(Post& post, std::shared_ptr<Call> call) {
  const bool modern = call->revision->modern;
  const std::shared_ptr<Exchange> exchange = NewExchange(post, modern);
  const auto run = [this, call, exchange, peer = PeerOf(post), ticket = post.ticket] {
    Outcome outcome = dispatcher_.Run(*call, peer, exchange);
    exchange->SetErrorCode(outcome.error_code);
    if (!outcome.open) exchange->Finish(std::move(outcome.reply));
  };
  if (call->quick()) {
    run();
  } else {
    pool_.Post(run);
  }
  return FirstOf(exchange, post, modern);
}

HttpReply HttpHandler::Impl::FirstOf(const std::shared_ptr<Exchange>& exchange, const Post& post, bool modern) {
  const bool may_stream = streams_ < options_.most_streams;
  Exchange::First first = exchange->WaitFirst(modern && may_stream ? std::optional(options_.first_wait) : std::nullopt);
  if (first != Exchange::First::kAnswer) return StreamOf(exchange, post);
  std::string answer = exchange->TakeAnswer();
  if (answer.empty()) return {StatusOf(Situation::kAccepted, modern), {}, "", nullptr};  // cancelled meanwhile
  return JsonReply(StatusOf(SituationOfError(exchange->error_code(), false), modern), std::move(answer));
}

HttpReply HttpHandler::Impl::StreamOf(const std::shared_ptr<Exchange>& exchange, const Post& post) {
  ++streams_;
  HttpReply reply;
  // The stream holds the ticket and the session for as long as it is read, and gives its place back after that.
  struct Held {
    std::shared_ptr<Exchange> exchange;
    std::shared_ptr<Session> session;
    std::shared_ptr<Ticket> ticket;
    std::atomic<size_t>* streams;
    ~Held() { --*streams; }
  };
  auto held = std::shared_ptr<Held>(new Held{exchange, post.session, post.ticket, &streams_});
  reply.stream = std::shared_ptr<HttpStream>(held, held->exchange.get());
  if (exchange->events()) {
    reply.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}};
  } else {
    reply.headers = {{"Content-Type", "application/json"}};
  }
  return reply;
}

// --- the end ---------------------------------------------------------------------------------------------------------

void HttpHandler::Impl::Drain() {
  draining_ = true;
  dispatcher_.subscriptions().FinishAll();
}

bool HttpHandler::Impl::WaitIdle(milliseconds most) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, most, [&] { return under_way_ == 0; });
}

void HttpHandler::Impl::CancelAll() {
  sessions_.CancelAll();
  std::vector<std::shared_ptr<Session>> running;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [pointer, session] : loose_) {
      if (auto alive = session.lock()) running.push_back(std::move(alive));
    }
  }
  for (const auto& session : running) session->CancelAll();
}

std::string HttpHandler::Impl::Metrics() const {
  std::string text = metrics_.Text();
  const auto gauge = [&](const char* name, const char* help, size_t value) {
    text += std::string("# HELP ") + name + ' ' + help + "\n# TYPE " + name + " gauge\n" + name + ' ' +
            std::to_string(value) + '\n';
  };
  gauge("pith_http_sessions", "Sessions of revisions before 2026-07-28.", sessions_.size());
  gauge("pith_http_streams", "Replies that are streams and still open.", streams_);
  gauge("pith_http_body_bytes", "Bytes of request bodies under way.", body_bytes_);
  return options_.more_metrics ? text + options_.more_metrics() : text;
}

HttpHandler::HttpHandler(const Registry& registry, const HttpOptions& options)
    : impl_(std::make_unique<Impl>(registry, options)) {}
HttpHandler::~HttpHandler() = default;
std::optional<HttpReply> HttpHandler::CheckHead(const HttpRequest& request) { return impl_->CheckHead(request); }
HttpReply HttpHandler::Handle(HttpRequest request) { return impl_->Handle(std::move(request)); }
HttpReply HttpHandler::TooLarge() const { return Refuse(Situation::kBodyTooLarge, false, "The body is too large."); }
HttpReply HttpHandler::Busy() const { return Refuse(Situation::kBusy, false, "Too many connections are open."); }
void HttpHandler::Drain() { impl_->Drain(); }
bool HttpHandler::WaitIdle(milliseconds most) { return impl_->WaitIdle(most); }
void HttpHandler::CancelAll() { impl_->CancelAll(); }
std::string HttpHandler::Metrics() const { return impl_->Metrics(); }

}  // namespace pith::mcp
