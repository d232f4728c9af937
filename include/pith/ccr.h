// Pith's store for programs that embed it: keep an output, get it back byte for byte.
//
//   pith::ccr::Ccr store = std::move(pith::ccr::Ccr::Open({}).value());
//   std::string token = store.Offload(output).value();       // 24 hex digits
//   std::string whole = store.Retrieve(token).value();       // from this process or any other
//
// Compress, cache, retrieve: what is offloaded is named by the SHA-256 of its bytes, kept on disk beside what the pith
// program keeps (or in memory alone), and given back until its lifetime ends or a cap pushes it out. A miss says which.
//
// Threads: one Ccr may be used by any number of them at once. Processes: any number may share a folder.
// Errors: values, never exceptions of Pith's own (std::bad_alloc may pass).
// Version: semantic. PITH_CCR_VERSION_MAJOR changes when a program that compiled against this header may no longer do
// so. Link pith::store of find_package(pith).
#ifndef PITH_CCR_H_
#define PITH_CCR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#define PITH_CCR_VERSION_MAJOR 1
#define PITH_CCR_VERSION_MINOR 0
#define PITH_CCR_VERSION_PATCH 0
#define PITH_CCR_VERSION "1.0.0"

namespace pith::ccr {

// The version of the library that is linked, "1.0.0"; the macros are that of the header.
std::string_view Version();

enum class Status : uint8_t {
  kInvalid,      // not a token, or another argument out of form
  kNotFound,     // never stored here
  kExpired,      // was here; its time ran out
  kEvicted,      // was here; a cap pushed it out
  kPurged,       // was here; somebody asked for its removal
  kDamaged,      // is here; its bytes no longer match their hash
  kRefused,      // permission, or a store that cannot be written
  kFull,         // the disk is full, or the output is over a cap
  kUnavailable,  // locked too long, another system's fault, a newer store
};

struct Failure {
  Status status = Status::kUnavailable;
  std::string sentence;  // one sentence for a person: what is wrong and, where known, what to do
};

// A value or a failure. Asking for the wrong one is a programming fault and ends the program.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  const Failure& failure() const { return std::get<1>(state_); }

 private:
  std::variant<T, Failure> state_;
};

// What bounds a store. The oldest use goes first.
struct Limits {
  uint64_t max_entries = 200000;
  uint64_t max_bytes = uint64_t{1} << 30;    // as stored, on disk
  uint64_t memory_bytes = 32 << 20;          // of the memory tier; all there is when the disk is off
  int64_t lifetime_seconds = 7 * 24 * 3600;  // since last use
};

struct Options {
  std::string folder{};  // "": $XDG_STATE_HOME/pith, else ~/.local/state/pith, which the pith program uses too
  bool disk = true;      // false: memory only; what is kept then ends with the Ccr
  bool power_safe =
      false;  // synced to the medium before Offload returns; else safe from SIGKILL, not from loss of power
  Limits limits{};
  std::string name_space{};  // groups originals in lists and statistics; a token resolves from any
  std::string key{};         // encryption at rest: 64 hex digits or at least 16 bytes; "" is none
};

// Where an output came from. All optional; shown in lists and used for the sentence of a miss ("run it again: ...").
struct Origin {
  std::string tool{}, command{}, folder{};
  std::optional<int> exit_code{};
};

struct Outcome {
  std::string token;
  bool existed = false;   // the same bytes were there already
  bool retained = false;  // a tier has it that outlives this process
  std::string tier;       // "sqlite", "memory", ...
};

struct Bytes {
  std::string bytes;
  uint64_t offset = 0;  // of the first byte given
  uint64_t next = 0;    // where the next range begins
  uint64_t total = 0;   // bytes of the original
};

struct Lines {
  std::string text;              // with their newlines; empty when the range began past the end
  uint64_t first = 0, last = 0;  // what was given, 1-based, inclusive; 0 when nothing was
  uint64_t total = 0;            // lines of the original
};

struct Statistics {
  uint64_t entries = 0, raw_bytes = 0, stored_bytes = 0;  // now
  uint64_t offloads = 0, retrievals = 0;                  // ever
  uint64_t expired = 0, evicted = 0, purged = 0;          // ever
};

class Ccr {
 public:
  // Opens lazily: the disk is touched at the first need.
  static Expected<Ccr> Open(Options options);
  Ccr(Ccr&&) noexcept;
  Ccr& operator=(Ccr&&) noexcept;
  ~Ccr();

  // Keeps the bytes and gives their token. Durable, as the options say, before it returns. The same bytes give the same
  // token.
  Expected<std::string> Offload(std::string_view bytes, const Origin& origin = {});
  // The same, with what became of it.
  Expected<Outcome> OffloadChecked(std::string_view bytes, const Origin& origin = {});

  // `token`: 24, 32 or 64 hex digits, or text that holds a marker of one (see ParseMarkers; the first counts).
  Expected<std::string> Retrieve(std::string_view token);

  // `length` bytes from `offset`, clamped at the end and moved down to UTF-8 boundaries, so that no character is split;
  // a range shorter than one character gives the whole of it. Ranges that begin at the last one's `next` join to the
  // original.
  Expected<Bytes> RetrieveBytes(std::string_view token, uint64_t offset, uint64_t length);

  // Lines first..last, 1-based, inclusive. The end is clamped; a start past the end gives no text and the total.
  Expected<Lines> RetrieveLines(std::string_view token, uint64_t first, uint64_t last);

  // Statistics of the whole store, or of the namespace of the options alone (offloads and retrievals then are its own).
  Expected<Statistics> Stats(bool own_name_space = false);

  // New caps and lifetime, from the next Offload on.
  Expected<bool> Configure(const Limits& limits);
  Limits limits() const;

  // Off: nothing more is written to disk; what lies there can still be retrieved. On again: what was kept in memory
  // meanwhile is moved to disk.
  Expected<bool> SetDisk(bool on);
  bool disk() const;

 private:
  struct State;
  explicit Ccr(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Every token that a known marker in `text` names, in order of appearance, each once: ⟦tj:HASH⟧, <<ccr:HASH ...>>,
// <<<CCR:HASH|type|size>>>, hash=HASH, ccr://HASH, NAME("HASH") and token "HASH" after a recovery tool's name.
std::vector<std::string> ParseMarkers(std::string_view text);

// Whether a tool of this name gives originals back, with or without a host's mcp__server__ prefix. Its output must
// never be offloaded or compacted again.
bool IsRecoveryTool(std::string_view tool_name);

}  // namespace pith::ccr

#endif  // PITH_CCR_H_
