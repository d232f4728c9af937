// The gate of the DeepSeek harness' hook contract (policy `dsh`): results over a threshold are kept in a store of their
// own lifetime and replaced by one preview line and a marker; smaller ones are kept and shown whole. The wording is
// another project's contract, byte for byte; docs/hosts.md describes it.
#pragma once
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace pith {

enum class DshType : uint8_t { kTerminal, kError, kGrep, kPaths, kFile, kJson, kWeb, kDefault };
std::string_view DshTypeName(DshType type);

// The fifteen fields. Volatile ones may differ between calls.
struct DshFields {
  std::vector<std::string> targets = {"bash", "read", "grep", "glob", "web_fetch", "web_search", "list", "search"};
  std::vector<std::string> exempt = {"ccr_retrieve"};
  bool compress_failures = false;
  uint64_t inline_threshold_bytes = 1024;
  uint64_t threshold_bytes = 1024;                            // volatile
  std::map<std::string, double, std::less<>> multipliers = {  // volatile
      {"error", 8}, {"file", 3}, {"grep", 2}, {"paths", 2}, {"json", 1}, {"terminal", 1}, {"web", 2}, {"default", 1}};
  bool auto_expand = true;
  uint64_t auto_expand_limit_bytes = 102400;
  uint64_t preview_max_chars = 240;  // volatile
  uint64_t ttl_seconds = 3600;
  uint64_t store_budget_bytes = 268435456;
  std::string journal_path;
  bool context_engine = false;
  bool log = false;      // volatile
  std::string log_file;  // volatile

  bool switched_off = false;  // by a kill switch, not one of the fifteen: results pass, retrieval goes on
};

// From the object of the configuration key `dsh`; unknown keys and values out of range are refused (kInvalid).
Result<DshFields> DshFieldsFrom(std::string_view json);

struct DshCall {
  std::string tool;
  std::string session, call_id;    // where the host names them
  std::string path, url, queries;  // of its arguments
  std::string payload;             // joined text of the content
  bool is_error = false;
  bool nested = false;  // made by a program inside a code tool
  bool all_text = true;
};

DshType DshTypeOf(const DshCall& call);
// The preview line, at most `max_chars` code points.
std::string DshPreview(DshType type, const DshCall& call, uint64_t max_chars);
// Preview and marker: two lines, no newline at the end.
std::string DshReplacement(DshType type, const DshCall& call, const std::string& hash, uint64_t max_chars);

}  // namespace pith
