// The gate and the store of the dsh contract, for one long-lived process: `pith hook dsh --serve`. One thread.
#pragma once
#include <functional>
#include <list>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "agents/dsh.h"

namespace pith {

class DshGate {
 public:
  struct Surroundings {
    std::function<int64_t()> now_ms;                      // Unix time
    std::function<void(const std::string& line)> ledger;  // each line, without newline
    std::function<void(const std::string& line)> warn;
  };
  DshGate(DshFields fields, Surroundings surroundings);

  // The text to put in the place of the result's content; nullopt: unchanged.
  std::optional<std::string> PostExecute(const DshCall& call);

  // The engine phase (`contextEngine`): results that were shown whole in an earlier turn of the session, with what may
  // stand in their place now. One pass a turn: a second call for the same turn gives none.
  struct Archivable {
    std::string call_id, hash, replacement;
  };
  std::vector<Archivable> PreStep(const std::string& session, int64_t turn);
  // What was really replaced; writes the ledger's line when it is any.
  void Archived(const std::string& session, const std::vector<std::string>& call_ids);

  struct Retrieved {
    bool is_error = false;
    std::string text;
  };
  // `start` and `count` as given; nullopt: the whole.
  Retrieved Retrieve(const std::string& hash, const std::optional<std::pair<int64_t, int64_t>>& range);

  // Volatile fields are read at use.
  void SetFields(DshFields fields) { fields_ = std::move(fields); }
  size_t entries() const { return entries_.size(); }

 private:
  struct Entry {
    std::string payload;
    DshType type = DshType::kDefault;
    int64_t ttl_at = 0;
    std::list<std::string>::iterator place;  // in the order of use
  };

  // A result that was shown whole, until it is archived.
  struct Shown {
    DshCall call;  // without its payload
    std::string hash;
    int64_t turn = 0;
  };

  double MultiplierOf(DshType type) const;
  bool Exceeds(uint64_t size, DshType type) const;
  void NoteShown(const DshCall& call, const std::string& hash);
  bool Put(const std::string& hash, const DshCall& call, DshType type, bool journal);
  void Evict(const std::string& hash, const char* reason);
  void SweepExpired();
  void LoadJournal();
  void AppendToJournal(const std::string& hash, const Entry& entry);

  DshFields fields_;
  Surroundings surroundings_;
  std::unordered_map<std::string, Entry> entries_;
  std::list<std::string> order_;  // least recently used first
  uint64_t bytes_ = 0;
  std::list<Shown> shown_;                // oldest first
  std::map<std::string, int64_t> turns_;  // of the latest pre-step, by session
  std::list<std::string> expired_;        // tombstones, newest last
  std::set<std::string> expired_set_;
};

}  // namespace pith
