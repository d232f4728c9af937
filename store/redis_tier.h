// Originals in a Redis that a fleet of machines shares: key "pith:TOKEN", value a body file (body_file.h), its end the
// key's own.
//
// One connection, made at the first need; a server that does not answer within the timeout is left alone for five
// seconds, in which every call fails at once with kUnavailable. A server whose eviction policy is not noeviction is
// refused unless that was allowed: it would drop originals without a trace.
//
// What `power` means here: the server has synced its append-only file, and so many replicas as are connected have the
// value in memory.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "store/cipher.h"
#include "store/tier.h"

struct redisContext;
struct redisReply;

namespace pith {

struct RedisAddress {
  std::string host, socket, user, password, master;  // `master` set: host and port are a sentinel's
  int port = 6379;
  int database = 0;
};
// redis://[[user]:password@]host[:port][/db], unix:///path, redis+sentinel://[:password@]host[:port]/MASTER. kInvalid;
// kUnsupported for rediss://: put a TLS tunnel in front.
Result<RedisAddress> ParseRedisAddress(std::string_view url);

class RedisTier : public Tier {
 public:
  struct Options {
    RedisAddress address;
    int timeout_ms = 500;
    bool may_evict = false;
    Durability durability = Durability::kProcess;
    uint64_t max_value = 256 << 20;
  };
  RedisTier(Options options, const Cipher* cipher);  // `cipher` is borrowed, may be null
  ~RedisTier() override;

  std::string_view name() const override { return "redis"; }
  // At `power` only where the server says appendonly with appendfsync always; a put then waits until every replica that
  // is connected has it (WAIT), and fails with kUnavailable if one does not say so within the timeout.
  bool durable() const override;
  Result<void> Put(std::string_view bytes, const Digest& digest, int64_t expires_ms) override;
  Result<std::string> Get(std::string_view token, Range range) override;
  Result<void> Remove(std::string_view token) override;
  Result<TierStats> Stats() override;     // entries of the whole server's database
  std::string MissNote() const override;  // that a server which evicts by itself may have dropped it
  Result<uint64_t> Sweep() override;      // nothing: the server ends keys itself

 private:
  struct FreeReply {
    void operator()(redisReply* reply) const;
  };
  using Reply = std::unique_ptr<redisReply, FreeReply>;
  struct FreeContext {
    void operator()(redisContext* context) const;
  };
  using Context = std::unique_ptr<redisContext, FreeContext>;

  Result<Context> Dial(const std::string& host, int port);
  Result<void> Connect();
  Result<void> AskSentinel(std::string* host, int* port);
  Result<void> CheckServer();
  Result<int> Replicas();
  Result<void> WaitForReplicas();
  Result<Reply> Command(std::initializer_list<std::string_view> words);
  Result<Reply> CommandOn(redisContext* context, std::initializer_list<std::string_view> words);
  Error Lost(std::string_view why);

  const Options options_;
  const Cipher* cipher_;
  mutable std::mutex mutex_;  // guards what follows
  Context context_;
  int64_t silent_until_ms_ = 0;  // time since boot
  bool synced_ = false;          // the server syncs each write
  std::string evicts_;           // its policy, where it drops keys by itself
};

}  // namespace pith
