// Steps 1 to 12 of the contract in their order, over a store that is bounded by bytes and by age. What fails leaves the
// result unchanged. Ledger lines are the contract's words and hold no content.
#include "agents/dsh_gate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/encoding.h"
#include "base/files.h"
#include "base/json_text.h"
#include "base/token.h"

namespace pith {
namespace {

constexpr std::string_view kMarkerStart = "<<<CCR:";
constexpr size_t kMaxTombstones = 1024;
constexpr size_t kMaxShown = 10000;
constexpr size_t kMaxSessions = 1000;
constexpr uint64_t kMaxJournal = 4ull << 30;

bool Contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// A name of a tool or a hash for the ledger: one line, bounded.
std::string Tidy(std::string_view text, size_t limit) {
  std::string out;
  for (char c : text.substr(0, limit)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return out;
}

std::string Subject(const DshCall& call, DshType type, const std::string& hash) {
  return Tidy(call.tool, 64) + " " + std::string(DshTypeName(type)) + " " + std::to_string(call.payload.size()) +
         " -> " + hash;
}

std::optional<DshType> TypeNamed(std::string_view name) {
  for (int i = 0; i < 8; ++i) {
    if (DshTypeName(static_cast<DshType>(i)) == name) return static_cast<DshType>(i);
  }
  return std::nullopt;
}

bool IsHash(std::string_view text) { return text.size() == kTokenLength && IsTokenShaped(text); }

}  // namespace

DshGate::DshGate(DshFields fields, Surroundings surroundings)
    : fields_(std::move(fields)), surroundings_(std::move(surroundings)) {
  if (!fields_.journal_path.empty()) LoadJournal();
  surroundings_.ledger("ccr: activated (bundle 0.2.1, targets " + std::to_string(fields_.targets.size()) + ", budget " +
                       std::to_string(fields_.store_budget_bytes) + ")");
}

double DshGate::MultiplierOf(DshType type) const {
  auto found = fields_.multipliers.find(DshTypeName(type));
  if (found == fields_.multipliers.end()) found = fields_.multipliers.find("default");
  return found == fields_.multipliers.end() ? 1 : found->second;
}

bool DshGate::Exceeds(uint64_t size, DshType type) const {
  return static_cast<double>(size) > static_cast<double>(fields_.threshold_bytes) * MultiplierOf(type);
}

std::optional<std::string> DshGate::PostExecute(const DshCall& call) {
  if (fields_.switched_off) return std::nullopt;
  if (call.nested || call.tool == "ccr_retrieve" || Contains(fields_.exempt, call.tool)) return std::nullopt;
  if (!Contains(fields_.targets, call.tool)) return std::nullopt;
  if (call.is_error && !fields_.compress_failures) return std::nullopt;
  if (!call.all_text || call.payload.find(kMarkerStart) != std::string::npos) return std::nullopt;
  const uint64_t size = call.payload.size();
  if (size < fields_.inline_threshold_bytes) return std::nullopt;
  const DshType type = DshTypeOf(call);
  if (!Exceeds(size, type)) return std::nullopt;
  const std::string hash = TokenOf(call.payload);
  if (!Put(hash, call, type, true)) {
    surroundings_.warn("ccr: gate failed, kept inline: the result does not fit the store");
    return std::nullopt;
  }
  std::string replacement;
  const bool whole = fields_.auto_expand && size <= fields_.auto_expand_limit_bytes;
  if (!whole) replacement = DshReplacement(type, call, hash, fields_.preview_max_chars);
  if (whole) NoteShown(call, hash);
  if (whole || replacement.size() >= size) {
    surroundings_.ledger("ccr: stored " + Subject(call, type, hash));
    return std::nullopt;
  }
  surroundings_.ledger("ccr: compressed " + Subject(call, type, hash));
  return replacement;
}

void DshGate::NoteShown(const DshCall& call, const std::string& hash) {
  if (!fields_.context_engine || call.call_id.empty()) return;
  Shown shown = {call, hash, 0};
  shown.call.payload.clear();
  if (const auto turn = turns_.find(call.session); turn != turns_.end()) shown.turn = turn->second;
  shown_.push_back(std::move(shown));
  if (shown_.size() > kMaxShown) shown_.pop_front();
}

std::vector<DshGate::Archivable> DshGate::PreStep(const std::string& session, int64_t turn) {
  std::vector<Archivable> found;
  if (!fields_.context_engine) return found;
  const auto last = turns_.find(session);
  const bool passed = last != turns_.end() && last->second == turn;
  turns_[session] = turn;
  if (turns_.size() > kMaxSessions)
    turns_.erase(turns_.begin()->first == session ? std::next(turns_.begin()) : turns_.begin());
  if (passed || fields_.switched_off) return found;
  SweepExpired();
  for (const Shown& shown : shown_) {
    if (shown.call.session != session || shown.turn == turn) continue;
    const auto entry = entries_.find(shown.hash);
    if (entry == entries_.end() || !Exceeds(entry->second.payload.size(), entry->second.type)) continue;
    DshCall call = shown.call;
    call.payload = entry->second.payload;
    std::string replacement = DshReplacement(entry->second.type, call, shown.hash, fields_.preview_max_chars);
    if (replacement.size() < call.payload.size()) {
      found.push_back({shown.call.call_id, shown.hash, std::move(replacement)});
    }
  }
  return found;
}

void DshGate::Archived(const std::string& session, const std::vector<std::string>& call_ids) {
  size_t archived = 0;
  shown_.remove_if([&](const Shown& shown) {
    const bool gone = shown.call.session == session && Contains(call_ids, shown.call.call_id);
    archived += gone ? 1 : 0;
    return gone;
  });
  if (archived > 0) surroundings_.ledger("ccr: engine archived " + std::to_string(archived) + " results");
}

bool DshGate::Put(const std::string& hash, const DshCall& call, DshType type, bool journal) {
  SweepExpired();
  if (call.payload.size() > fields_.store_budget_bytes) return false;
  const int64_t ttl_at = surroundings_.now_ms() + static_cast<int64_t>(fields_.ttl_seconds) * 1000;
  auto found = entries_.find(hash);
  if (found != entries_.end()) {
    if (found->second.payload != call.payload) return false;
    order_.splice(order_.end(), order_, found->second.place);
  } else {
    order_.push_back(hash);
    found = entries_.emplace(hash, Entry{call.payload, type, ttl_at, std::prev(order_.end())}).first;
    bytes_ += call.payload.size();
  }
  found->second.type = type;
  found->second.ttl_at = ttl_at;
  if (expired_set_.erase(hash) > 0) expired_.remove(hash);
  while (bytes_ > fields_.store_budget_bytes) Evict(order_.front(), "budget");
  if (journal && !fields_.journal_path.empty()) AppendToJournal(hash, found->second);
  return true;
}

void DshGate::Evict(const std::string& hash, const char* reason) {
  const std::string name = hash;  // `hash` may be the list's own
  const auto found = entries_.find(name);
  bytes_ -= found->second.payload.size();
  order_.erase(found->second.place);
  entries_.erase(found);
  surroundings_.ledger("ccr: evicted " + name + " (" + reason + ")");
  if (std::string_view(reason) != "ttl") return;
  expired_.push_back(name);
  expired_set_.insert(name);
  if (expired_.size() > kMaxTombstones) {
    expired_set_.erase(expired_.front());
    expired_.pop_front();
  }
}

void DshGate::SweepExpired() {
  const int64_t now = surroundings_.now_ms();
  std::vector<std::string> gone;
  for (const std::string& hash : order_) {
    if (entries_.at(hash).ttl_at <= now) gone.push_back(hash);
  }
  for (const std::string& hash : gone) Evict(hash, "ttl");
}

DshGate::Retrieved DshGate::Retrieve(const std::string& hash, const std::optional<std::pair<int64_t, int64_t>>& range) {
  if (range && (range->first < 1 || range->second < 1)) {
    return {true, "ccr: range needs integers start >= 1 and count >= 1"};
  }
  auto found = entries_.find(hash);
  if (found != entries_.end() && found->second.ttl_at <= surroundings_.now_ms()) {
    Evict(hash, "ttl");
    found = entries_.end();
  }
  const std::string shown = Tidy(hash, 64);
  if (found == entries_.end()) {
    const bool expired = expired_set_.contains(hash);
    surroundings_.ledger("ccr: retrieval miss " + shown + (expired ? " (expired)" : " (unknown)"));
    if (expired) return {true, "ccr: the stored output for hash " + shown + " has expired. Re-run the original tool."};
    return {true, "ccr: no stored output for hash " + shown +
                      " (unknown). Use the 24-character hash from a <<<CCR:hash|type|size>>> marker, or re-run the "
                      "original tool."};
  }
  order_.splice(order_.end(), order_, found->second.place);
  surroundings_.ledger("ccr: retrieved " + shown);
  const std::string& payload = found->second.payload;
  if (!range) return {false, payload};
  int64_t line = 1;
  size_t begin = 0;
  while (line < range->first && begin < payload.size()) {
    const size_t end = payload.find('\n', begin);
    begin = end == std::string::npos ? payload.size() : end + 1;
    ++line;
  }
  if (begin >= payload.size()) {
    const auto lines =
        std::count(payload.begin(), payload.end(), '\n') + (payload.empty() || payload.back() == '\n' ? 0 : 1);
    return {false, "[ccr: line " + std::to_string(range->first) + " is past the end, " + std::to_string(lines) +
                       " lines stored]"};
  }
  size_t end = begin;
  for (int64_t i = 0; i < range->second && end < payload.size(); ++i) {
    const size_t newline = payload.find('\n', end);
    end = newline == std::string::npos ? payload.size() : newline + 1;
  }
  return {false, payload.substr(begin, end - begin)};
}

void DshGate::AppendToJournal(const std::string& hash, const Entry& entry) {
  const OrderedJson record = {{"hash", hash},
                              {"type", DshTypeName(entry.type)},
                              {"size", entry.payload.size()},
                              {"ttlAt", entry.ttl_at},
                              {"payload", EncodeBase64(entry.payload)}};
  const size_t slash = fields_.journal_path.rfind('/');
  if (slash != std::string::npos && slash > 0) (void)MakeFolders(fields_.journal_path.substr(0, slash)).ok();
  Result<std::unique_ptr<File>> file = Files().Open(fields_.journal_path, OpenMode::kAppend);
  if (!file.ok() || !(*file)->Write(JsonText(record) + "\n").ok()) {
    surroundings_.warn("ccr: gate failed, kept inline: the journal cannot be written");
  }
}

// Keeps what is whole and not expired; writes the file anew when anything was dropped or doubled.
void DshGate::LoadJournal() {
  Result<std::string> text = ReadRegularFile(fields_.journal_path, kMaxJournal);
  if (!text.ok()) {
    if (text.error().cause != Cause::kNotFound)
      surroundings_.warn("ccr: the journal cannot be read: " + text.error().sentence);
    return;
  }
  struct Kept {
    std::string hash, line;
    DshCall call;
    DshType type;
    int64_t ttl_at;
  };
  std::vector<Kept> kept;
  bool rewrite = false;
  const int64_t now = surroundings_.now_ms();
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    const OrderedJson record = ParseOrderedJson(line);
    const bool typed = record.is_object() && record.contains("hash") && record["hash"].is_string() &&
                       record.contains("type") && record["type"].is_string() && record.contains("size") &&
                       record["size"].is_number_unsigned() && record.contains("ttlAt") &&
                       record["ttlAt"].is_number_integer() && record.contains("payload") &&
                       record["payload"].is_string();
    const std::optional<DshType> type = typed ? TypeNamed(record["type"].get<std::string>()) : std::nullopt;
    std::optional<std::string> payload = type ? DecodeBase64(record["payload"].get<std::string>()) : std::nullopt;
    const std::string hash = typed ? record["hash"].get<std::string>() : "";
    if (!payload || payload->size() != record["size"].get<uint64_t>() || !IsHash(hash) || TokenOf(*payload) != hash) {
      rewrite = true;
      continue;
    }
    const int64_t ttl_at = record["ttlAt"].get<int64_t>();
    const auto doubled = std::find_if(kept.begin(), kept.end(), [&](const Kept& other) { return other.hash == hash; });
    if (doubled != kept.end()) {
      kept.erase(doubled);
      rewrite = true;
    }
    if (ttl_at <= now) {
      surroundings_.ledger("ccr: evicted " + hash + " (ttl)");
      expired_.push_back(hash);
      expired_set_.insert(hash);
      rewrite = true;
      continue;
    }
    DshCall call;
    call.payload = std::move(*payload);
    kept.push_back({hash, line, std::move(call), *type, ttl_at});
  }
  std::string survivors;
  for (const Kept& entry : kept) {
    if (Put(entry.hash, entry.call, entry.type, false)) {
      if (const auto found = entries_.find(entry.hash); found != entries_.end()) found->second.ttl_at = entry.ttl_at;
    }
    survivors += entry.line + "\n";
  }
  if (rewrite && !WriteFileAtomically(fields_.journal_path, survivors).ok()) {
    surroundings_.warn("ccr: the journal cannot be rewritten");
  }
}

}  // namespace pith
