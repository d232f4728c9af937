#include "server/http_sessions.h"

#include <openssl/rand.h>

#include <array>
#include <utility>

#include "base/encoding.h"

namespace pith::mcp {

std::string HttpSessions::Add(std::shared_ptr<Session> session) {
  std::array<unsigned char, 16> random{};
  if (RAND_bytes(random.data(), random.size()) != 1) return "";
  std::string id = EncodeHex({reinterpret_cast<const char*>(random.data()), random.size()});
  const std::lock_guard lock(mutex_);
  DropIdle();
  if (entries_.size() >= most_) {
    by_id_.erase(entries_.back().id);
    entries_.pop_back();
  }
  entries_.push_front({id, std::move(session), std::chrono::steady_clock::now()});
  by_id_[id] = entries_.begin();
  return id;
}

std::shared_ptr<Session> HttpSessions::Find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  DropIdle();
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  entries_.front().used = std::chrono::steady_clock::now();
  return entries_.front().session;
}

bool HttpSessions::End(const std::string& id) {
  std::shared_ptr<Session> ended;
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return false;
    ended = std::move(found->second->session);
    entries_.erase(found->second);
    by_id_.erase(found);
  }
  ended->CancelAll();
  return true;
}

void HttpSessions::CancelAll() {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) entry.session->CancelAll();
}

size_t HttpSessions::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

void HttpSessions::DropIdle() {
  const auto oldest = std::chrono::steady_clock::now() - idle_;
  while (!entries_.empty() && entries_.back().used < oldest) {
    by_id_.erase(entries_.back().id);
    entries_.pop_back();
  }
}

}  // namespace pith::mcp
