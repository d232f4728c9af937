// Spools on disk: spool/run-XXXXXXXX is a body file that grows; what is not yet a whole frame stands in
// run-XXXXXXXX.tail, so that nothing is lost with the process. Once finished, run-XXXXXXXX.token names the original.
// All go after a day.
//
//   tail: pieces, each u64 offset in the original · u32 size · the bytes, sealed where the store is
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "store/body_file.h"

namespace pith {

using AdoptBody =
    std::function<Result<PutOutcome>(const std::string& path, const BodyFacts& facts, const Sighting& sighting)>;

// `folder` is the store's. `adopt` takes the finished body file away. `max_stored` bounds the file.
Result<std::unique_ptr<Spool>> OpenSpoolFile(const std::string& folder, const Cipher* cipher, uint64_t max_stored,
                                             AdoptBody adopt);

// What an unfinished spool holds. kNotFound: no such spool, or it is finished.
Result<std::string> ReadSpoolFile(const std::string& folder, std::string_view name, const Cipher* cipher, Range range);
// kNotFound: no such spool, or it is not finished.
Result<std::string> TokenOfSpool(const std::string& folder, std::string_view name);
bool IsSpoolName(std::string_view name);  // run- and 8 of [0-9a-f]
void RemoveOldSpools(const std::string& folder, int64_t now_ms);

// In memory, for a store without a disk: `finish` gets the whole.
std::unique_ptr<Spool> OpenMemorySpool(uint64_t max_bytes,
                                       std::function<Result<PutOutcome>(std::string_view, const Sighting&)> finish);

}  // namespace pith
