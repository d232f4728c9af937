// The Redis tier. Values are whole body files, so that what comes back is checked, and sealed where a key is set,
// exactly as on disk. Clusters answer MOVED or ASK: those are errors with a sentence, not followed, because a token's
// slot may be anywhere and a proxy does that job. hiredis resolves host names with getaddrinfo; nothing else in Pith
// does.
#include "store/redis_tier.h"

#include <hiredis/hiredis.h>

#include <charconv>
#include <vector>

#include "base/clock.h"
#include "base/token.h"
#include "store/body_file.h"

namespace pith {
namespace {

constexpr int64_t kSilentMs = 5000;
constexpr std::string_view kPrefix = "pith:";

std::string_view TextOf(const redisReply* reply) {
  return reply->str != nullptr ? std::string_view(reply->str, reply->len) : std::string_view();
}

bool StartsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool ParseInt(std::string_view text, int* number) {
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), *number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

std::string KeyOf(std::string_view token) { return std::string(kPrefix) + std::string(token.substr(0, kTokenLength)); }

Error ServerError(std::string_view text) {
  std::string said(text);
  if (StartsWith(text, "MOVED") || StartsWith(text, "ASK")) {
    return {Cause::kUnsupported, "the redis is a cluster (" + said + "): name a single server, or a proxy before it"};
  }
  if (StartsWith(text, "OOM")) return {Cause::kFull, "the redis is full: " + said};
  if (StartsWith(text, "NOAUTH") || StartsWith(text, "WRONGPASS") || StartsWith(text, "NOPERM") ||
      text.find("invalid password") != std::string_view::npos) {
    return {Cause::kDenied, "the redis refuses: " + said};
  }
  if (StartsWith(text, "READONLY")) return {Cause::kReadOnly, "the redis is a replica and cannot be written: " + said};
  if (StartsWith(text, "LOADING") || StartsWith(text, "BUSY"))
    return {Cause::kUnavailable, "the redis is busy: " + said};
  return {Cause::kUnavailable, "the redis answers: " + said};
}

}  // namespace

Result<RedisAddress> ParseRedisAddress(std::string_view url) {
  RedisAddress address;
  const Error wrong{Cause::kInvalid, "not the address of a redis: \"" + std::string(url) +
                                         "\"; redis://[[user]:password@]host[:port][/db] is"};
  if (StartsWith(url, "rediss://")) {
    return Error{Cause::kUnsupported,
                 "this build's hiredis has no TLS: put a tunnel before the redis and name its end"};
  }
  if (StartsWith(url, "unix://")) {
    address.socket = url.substr(7);
    if (address.socket.empty()) return wrong;
    return address;
  }
  bool sentinel = StartsWith(url, "redis+sentinel://");
  if (!sentinel && !StartsWith(url, "redis://")) return wrong;
  std::string_view rest = url.substr(sentinel ? 17 : 8);
  size_t slash = rest.find('/');
  std::string_view path = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  rest = rest.substr(0, slash);
  if (size_t at = rest.rfind('@'); at != std::string_view::npos) {
    std::string_view login = rest.substr(0, at);
    rest = rest.substr(at + 1);
    size_t colon = login.find(':');
    address.user = colon == std::string_view::npos ? std::string() : std::string(login.substr(0, colon));
    address.password = login.substr(colon == std::string_view::npos ? 0 : colon + 1);
  }
  if (sentinel) address.port = 26379;
  bool bracketed = !rest.empty() && rest[0] == '[';  // an IPv6 address
  size_t colon = bracketed ? rest.find("]:") : rest.find(':');
  if (bracketed && colon != std::string_view::npos) ++colon;
  if (colon != std::string_view::npos) {
    if (!ParseInt(rest.substr(colon + 1), &address.port) || address.port < 1 || address.port > 65535) return wrong;
    rest = rest.substr(0, colon);
  }
  if (bracketed && rest.size() > 2) rest = rest.substr(1, rest.size() - 2);
  address.host = rest;
  if (address.host.empty()) return wrong;
  if (sentinel) {
    address.master = path;
    if (address.master.empty()) return wrong;
  } else if (!path.empty() && (!ParseInt(path, &address.database) || address.database < 0)) {
    return wrong;
  }
  return address;
}

void RedisTier::FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }
void RedisTier::FreeContext::operator()(redisContext* context) const { redisFree(context); }

RedisTier::RedisTier(Options options, const Cipher* cipher) : options_(std::move(options)), cipher_(cipher) {}
RedisTier::~RedisTier() = default;

bool RedisTier::durable() const {
  std::lock_guard lock(mutex_);
  return options_.durability == Durability::kProcess || synced_;
}

Error RedisTier::Lost(std::string_view why) {
  std::string sentence = "the redis does not answer: " + std::string(why);  // `why` may stand in the context that goes
  context_.reset();
  silent_until_ms_ = TheClock().BootMs() + kSilentMs;
  return {Cause::kUnavailable, std::move(sentence)};
}

Result<RedisTier::Context> RedisTier::Dial(const std::string& host, int port) {
  timeval timeout{options_.timeout_ms / 1000, options_.timeout_ms % 1000 * 1000};
  Context context(options_.address.socket.empty()
                      ? redisConnectWithTimeout(host.c_str(), port, timeout)
                      : redisConnectUnixWithTimeout(options_.address.socket.c_str(), timeout));
  if (context == nullptr) return Lost("out of memory");
  if (context->err != 0) return Lost(context->errstr);
  redisSetTimeout(context.get(), timeout);
  return context;
}

Result<RedisTier::Reply> RedisTier::CommandOn(redisContext* context, std::initializer_list<std::string_view> words) {
  std::vector<const char*> pointers;
  std::vector<size_t> sizes;
  for (std::string_view word : words) {
    pointers.push_back(word.data());
    sizes.push_back(word.size());
  }
  Reply reply(static_cast<redisReply*>(
      redisCommandArgv(context, static_cast<int>(words.size()), pointers.data(), sizes.data())));
  if (reply == nullptr) return Lost(context->errstr);
  if (reply->type == REDIS_REPLY_ERROR) return ServerError(TextOf(reply.get()));
  return reply;
}

Result<RedisTier::Reply> RedisTier::Command(std::initializer_list<std::string_view> words) {
  if (Result<void> connected = Connect(); !connected) return connected.error();
  return CommandOn(context_.get(), words);
}

Result<void> RedisTier::AskSentinel(std::string* host, int* port) {
  Result<Context> sentinel = Dial(options_.address.host, options_.address.port);
  if (!sentinel) return sentinel.error();
  Result<Reply> reply = CommandOn(sentinel->get(), {"SENTINEL", "get-master-addr-by-name", options_.address.master});
  if (!reply) return reply.error();
  const redisReply& answer = **reply;
  if (answer.type != REDIS_REPLY_ARRAY || answer.elements != 2 || !ParseInt(TextOf(answer.element[1]), port)) {
    return Error{Cause::kUnavailable, "the sentinel knows no master named " + options_.address.master};
  }
  *host = TextOf(answer.element[0]);
  return {};
}

Result<void> RedisTier::Connect() {
  if (context_ != nullptr) return {};
  if (TheClock().BootMs() < silent_until_ms_) {
    return Error{Cause::kUnavailable, "the redis did not answer a moment ago: it is left alone for five seconds"};
  }
  const RedisAddress& address = options_.address;
  std::string host = address.host;
  int port = address.port;
  if (!address.master.empty()) {
    if (Result<void> asked = AskSentinel(&host, &port); !asked) return asked;
  }
  Result<Context> context = Dial(host, port);
  if (!context) return context.error();
  if (!address.password.empty()) {
    Result<Reply> allowed = address.user.empty() ? CommandOn(context->get(), {"AUTH", address.password})
                                                 : CommandOn(context->get(), {"AUTH", address.user, address.password});
    if (!allowed) return allowed.error();
  }
  if (address.database != 0) {
    Result<Reply> selected = CommandOn(context->get(), {"SELECT", std::to_string(address.database)});
    if (!selected) return selected.error();
  }
  context_ = context.Take();
  if (Result<void> fit = CheckServer(); !fit) {
    context_.reset();
    return fit;
  }
  return {};
}

// A server that forbids CONFIG is taken at its user's word.
Result<void> RedisTier::CheckServer() {
  auto setting = [&](std::string_view name) -> std::string {
    Result<Reply> reply = CommandOn(context_.get(), {"CONFIG", "GET", name});
    if (!reply || (*reply)->type != REDIS_REPLY_ARRAY || (*reply)->elements != 2) return {};
    return std::string(TextOf((*reply)->element[1]));
  };
  std::string policy = setting("maxmemory-policy");
  if (context_ == nullptr) return Error{Cause::kUnavailable, "the redis does not answer"};
  if (!policy.empty() && policy != "noeviction" && !options_.may_evict) {
    return Error{Cause::kDenied, "the redis drops keys by itself (maxmemory-policy " + policy +
                                     "), and would lose originals without a trace: set noeviction, or allow it"};
  }
  evicts_ = policy == "noeviction" ? std::string() : policy;
  synced_ = setting("appendonly") == "yes" && setting("appendfsync") == "always";
  return {};
}

std::string RedisTier::MissNote() const {
  std::lock_guard lock(mutex_);
  if (evicts_.empty()) return {};
  return "the redis drops keys by itself (maxmemory-policy " + evicts_ + "), and may have dropped it";
}

Result<int> RedisTier::Replicas() {
  Result<Reply> reply = Command({"INFO", "replication"});
  if (!reply) return reply.error();
  constexpr std::string_view kField = "connected_slaves:";
  std::string_view text = TextOf(reply->get());
  size_t at = text.find(kField);
  int count = 0;
  if (at == std::string_view::npos) return count;
  text.remove_prefix(at + kField.size());
  if (!ParseInt(text.substr(0, text.find_first_not_of("0123456789")), &count)) count = 0;
  return count;
}

Result<void> RedisTier::WaitForReplicas() {
  Result<int> replicas = Replicas();
  if (!replicas) return replicas.error();
  if (*replicas == 0) return {};
  // The answer comes when the time is over at the latest, and must be within that of the connection.
  std::string most_ms = std::to_string(std::max(1, options_.timeout_ms / 2));
  Result<Reply> reply = Command({"WAIT", std::to_string(*replicas), most_ms});
  if (!reply) return reply.error();
  if ((*reply)->type == REDIS_REPLY_INTEGER && (*reply)->integer >= *replicas) return {};
  return Error{Cause::kUnavailable, "only " + std::to_string((*reply)->integer) + " of the redis's " +
                                        std::to_string(*replicas) + " replicas have it: not durable at power"};
}

Result<void> RedisTier::Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) {
  if (bytes.size() > options_.max_value) return Error{Cause::kTooLarge, "too large for the redis tier"};
  int64_t left_ms = expires_ms - TheClock().WallMs();
  if (left_ms <= 0) return {};
  Result<std::string> value = EncodeBody(bytes, digest, true, false, cipher_);
  if (!value) return value.error();
  std::string key = KeyOf(TokenOf(digest));
  std::lock_guard lock(mutex_);
  Result<Reply> left = Command({"PTTL", key});
  if (!left) return left.error();
  int64_t longer_ms = std::max<int64_t>(left_ms, (*left)->type == REDIS_REPLY_INTEGER ? (*left)->integer : 0);
  Result<Reply> set = Command({"SET", key, *value, "PX", std::to_string(longer_ms)});
  if (!set) return set.error();
  return options_.durability == Durability::kPower && synced_ ? WaitForReplicas() : Result<void>();
}

Result<std::string> RedisTier::Get(std::string_view token, Range range) {
  const Error missing{Cause::kNotFound, "original " + std::string(token) + " is not in the redis"};
  std::string content;
  {
    std::lock_guard lock(mutex_);
    Result<Reply> reply = Command({"GET", KeyOf(token)});
    if (!reply) return reply.error();
    if ((*reply)->type != REDIS_REPLY_STRING) return missing;
    content = TextOf(reply->get());
  }
  Result<std::unique_ptr<FrameSource>> body = OpenBody(std::move(content), cipher_);
  if (!body) return body.error();
  std::string digest = HexOf((*body)->facts().digest);
  if (digest.substr(0, kTokenLength) != token.substr(0, kTokenLength)) {
    return Error{Cause::kDamaged, "original " + std::string(token) + " is damaged in the redis: another lies there"};
  }
  if (digest.substr(0, token.size()) != token) return missing;
  return ReadRange(**body, range);
}

Result<void> RedisTier::Remove(std::string_view token) {
  std::lock_guard lock(mutex_);
  Result<Reply> reply = Command({"DEL", KeyOf(token)});
  if (!reply) return reply.error();
  return {};
}

Result<TierStats> RedisTier::Stats() {
  std::lock_guard lock(mutex_);
  Result<Reply> reply = Command({"DBSIZE"});
  if (!reply) return reply.error();
  return TierStats{"redis", static_cast<uint64_t>(std::max<int64_t>(0, (*reply)->integer)), 0, 0};
}

Result<uint64_t> RedisTier::Sweep() { return uint64_t{0}; }

}  // namespace pith
