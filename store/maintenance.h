// What is done to a whole store at a person's request: check, repair, export, import, another key.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/files.h"
#include "store/store.h"

namespace pith {

struct CheckOutcome {
  uint64_t checked = 0, whole = 0;
  std::vector<std::string> damaged;    // tokens
  std::vector<std::string> sentences;  // what else is wrong, for a person
  uint64_t removed = 0;                // by repair
};
// Reads every body and compares it with its hash; the database's own structure too. With `repair`, a database that is
// damaged is set aside and what can be read is saved into a fresh one, and damaged originals are removed, so that they
// are said to be gone rather than offered.
Result<CheckOutcome> CheckStore(const StoreOptions& options, bool repair);

struct ArchiveOutcome {
  uint64_t originals = 0, bytes = 0, skipped = 0;
  std::vector<std::string> sentences;  // why some were skipped
};
// A plain tar (POSIX ustar): manifest.jsonl, then originals/SHA256 each, the exact bytes, not encrypted. Of a namespace
// or of all. Bounded memory. An original that is damaged, or over 8 GiB, is skipped and said.
using ArchiveSink = std::function<Result<void>(std::string_view bytes)>;
Result<ArchiveOutcome> ExportStore(const StoreOptions& options, const std::optional<std::string>& name_space,
                                   const ArchiveSink& to);
// Reads such a tar; also one without a manifest. What does not hash to its name is skipped and said. kInvalid: it is no
// tar, or one that holds nothing of an export.
Result<ArchiveOutcome> ImportStore(const StoreOptions& options, File& from);

struct RekeyOutcome {
  uint64_t originals = 0, skipped = 0;
};
// From options.key ("" is none) to `key` ("" is none); where both are the same key, from none to it. kDenied, and
// nothing is changed, when originals are under a third. One original after the other, each in a transaction: if it is
// stopped, the rest is under the old key and another call goes on. Readers need the key that an original is under.
Result<RekeyOutcome> RekeyStore(const StoreOptions& options, const std::string& key);

}  // namespace pith
