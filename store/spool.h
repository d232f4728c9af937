// Spools on disk: spool/run-XXXXXXXX is a body file that grows; what is not yet a whole frame stands in
// run-XXXXXXXX.tail, so that nothing is lost with the process. Once finished, run-XXXXXXXX.token names the original.
// All go after a day. The writer holds a lock (flock) on run-XXXXXXXX, which goes with its process: a spool whose lock
// is free and that has no .token was abandoned.
//
// run-XXXXXXXX.project tells whose it is, for purges.
//
//   tail: pieces, each u64 offset in the original · u32 size · u64 check · the bytes, sealed where the store is. The
//   check is the first 8 bytes of SHA-256 over offset, size and bytes.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/body_file.h"

namespace pith {

using AdoptBody =
    std::function<Result<PutOutcome>(const std::string& path, const BodyFacts& facts, const Sighting& sighting)>;

// `folder` is the store's. `adopt` takes the finished body file away, and syncs it where that was promised.
// `max_stored` bounds the file.
Result<std::unique_ptr<Spool>> OpenSpoolFile(const std::string& folder, std::string_view name_space,
                                             const Cipher* cipher, Durability durability, uint64_t max_stored,
                                             AdoptBody adopt);

// The namespace that a spool was opened for; kNotFound where it is not known, kDenied under another key.
Result<std::string> ProjectOfSpool(const std::string& folder, std::string_view name, const Cipher* cipher);

// What an unfinished spool holds. kNotFound: no such spool, or it is finished.
Result<std::string> ReadSpoolFile(const std::string& folder, std::string_view name, const Cipher* cipher, Range range);
// kNotFound: no such spool, or it is not finished.
Result<std::string> TokenOfSpool(const std::string& folder, std::string_view name);
bool IsSpoolName(std::string_view name);  // run- and 8 of [0-9a-f]

// Whether a process still writes it: it holds the lock of the file. False for one that is finished or unknown.
bool SpoolIsLive(const std::string& folder, std::string_view name);
// Names of unfinished spools that no process writes any more, last written before `before_ms` (Unix time).
std::vector<std::string> AbandonedSpools(const std::string& folder, int64_t before_ms);
// Those that are not finished, newest first.
std::vector<UnfinishedSpool> ListUnfinishedSpools(const std::string& folder);
void EraseSpool(const std::string& folder, const std::string& name);  // leaves no bytes of it
// What is older than a day, finished or not, and not written any more.
void RemoveOldSpools(const std::string& folder, int64_t now_ms);

// In memory, for a store without a disk: `finish` gets the whole.
std::unique_ptr<Spool> OpenMemorySpool(uint64_t max_bytes,
                                       std::function<Result<PutOutcome>(std::string_view, const Sighting&)> finish);

}  // namespace pith
