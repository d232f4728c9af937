// Sessions of the earlier revisions over HTTP, by their id. Bounded: the one unused for longest goes first.
// Thread-safe.
#pragma once
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "server/session.h"

namespace pith::mcp {

class HttpSessions {
 public:
  HttpSessions(size_t most, std::chrono::steady_clock::duration idle) : most_(most), idle_(idle) {}

  // Keeps the session under a new id of 32 random hex digits; "" if the system gives no random bytes.
  std::string Add(std::shared_ptr<Session> session);
  std::shared_ptr<Session> Find(const std::string& id);  // null: not here, or idle for too long
  bool End(const std::string& id);                       // cancels what runs in it
  void CancelAll();
  size_t size() const;

 private:
  struct Entry {
    std::string id;
    std::shared_ptr<Session> session;
    std::chrono::steady_clock::time_point used;
  };
  void DropIdle();

  const size_t most_;
  const std::chrono::steady_clock::duration idle_;
  mutable std::mutex mutex_;  // guards all below
  std::list<Entry> entries_;  // most recently used first
  std::map<std::string, std::list<Entry>::iterator> by_id_;
};

}  // namespace pith::mcp
