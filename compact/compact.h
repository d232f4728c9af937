// Bytes and hints in, a view out. The whole layer is pure: no I/O, no clock, no random, no global state; any thread may
// call it. Same bytes, hints and options give the same view everywhere.
//
//   bytes -> line index -> detect kind -> policy -> candidates -> guard -> view
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/markers.h"
#include "base/sha256.h"
#include "base/stop.h"

namespace pith {

// What an original is.
enum class Kind : uint8_t {
  kText,
  kLog,
  kTestRun,
  kBuild,
  kSearch,
  kDiff,
  kListing,
  kTable,
  kJson,
  kJsonLines,
  kYaml,
  kXml,
  kCode,
  kHtml,
  kMarkdown,
  kPackage,
  kBinary,
};
inline constexpr size_t kKindCount = 17;
std::string_view KindName(Kind kind);  // "text", "log", "test_run", ...
std::optional<Kind> KindNamed(std::string_view name);

struct RuleTable;  // compact/command/rule_table.h

// Who asks. kExplicit: the caller wants it compacted. kHook: the caller passed it on unasked; exactness rules apply.
enum class Policy : uint8_t { kExplicit, kHook };

// What the caller knows of the original. Borrowed; all optional.
struct Hints {
  std::string_view tool_name;  // as the host names it: "Bash", "Grep", "Read"
  std::string_view command;    // the shell line, as the agent wrote it
  std::string_view path;       // of the file that the original is or came from
  std::string_view mime;
  std::string_view query;  // what the reader looks for
  std::optional<int> exit_code;
  std::optional<int> signal;           // that ended the command
  std::optional<uint64_t> max_tokens;  // of the whole view, footer included
  std::optional<Kind> kind;            // taken for granted, no detection
  Policy policy = Policy::kExplicit;
  bool host_cut = false;             // the host passed on only a part
  const RuleTable* rules = nullptr;  // tried before the built-in command rules; borrowed
};

struct CompactOptions {
  MarkerStyle marker_style = MarkerStyle::kMcp;
  bool kept = true;                 // false: the store will not have it; the footer says so and names no token
  uint64_t soft_bytes = 10000;      // what every host shows inline
  uint64_t page_bytes = 40000;      // up to here where signal needs it
  bool hard = false;                // the road cuts at soft_bytes: never exceed it
  bool explain = false;             // fill View::explanation
  const StopAsked* stop = nullptr;  // borrowed; asked between passes
};

// Where a part of an original stands. Retrieval takes the written form unchanged.
struct Address {
  enum class Form : uint8_t { kLines, kBytes, kJsonPath };
  Form form = Form::kLines;
  uint64_t first = 0;     // kLines: 1-based first line; kBytes: offset
  uint64_t last = 0;      // kLines: 1-based last line; kBytes: length
  std::string json_path;  // kJsonPath, RFC 9535
};

struct Extent {
  uint64_t bytes = 0, lines = 0, tokens = 0;
};  // tokens are estimated (o200k)

struct View {
  std::string text;  // what is shown, footer included; equals the original when exact
  ViewClass view_class = ViewClass::kExact;
  Kind kind = Kind::kText;
  std::optional<Digest> digest;  // of an original that is kept; set whenever the view is not exact
  Extent original, shown;
  struct {
    uint64_t exact = 0, shortened = 0, folded = 0, omitted = 0;
  } lines;  // sum is original.lines
  struct {
    uint64_t kept = 0, total = 0;
  } signals;  // lines of error and failure signal
  std::vector<Address> gaps;
  std::string explanation;  // for a person: kind and evidence, candidates, choice
  std::string fault;        // why a candidate was dropped by its accounting, for the log; empty when none was
  bool stopped = false;     // CompactOptions::stop said so: this is no view, nothing else is set
};

View Compact(std::string_view original, const Hints& hints, const CompactOptions& options);

// The view that shows the original as it is: what a caller falls back to.
View ExactView(std::string_view original, Kind kind);

}  // namespace pith
