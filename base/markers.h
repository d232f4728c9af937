// How views name their originals, in writing and in reading: footers, the marker forms of Pith and of its peers, and
// the names of the tools that give originals back. The one place where these strings stand.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

// Which words a footer uses. A footer never names a tool that the reader does not have.
enum class MarkerStyle : uint8_t {
  kMcp,         // tokenjuice_retrieve token "HASH"
  kCli,         // pith retrieve HASH
  kCcr,         // <<ccr:HASH>>, ccr_retrieve
  kTokenjuice,  // tokenjuice_retrieve("HASH"), for readers that parse calls
  kDsh,         // <<<CCR:HASH|type|size>>> under a preview line
};
std::optional<MarkerStyle> MarkerStyleNamed(std::string_view name);  // "mcp", "cli", "ccr", "tokenjuice", "dsh"
std::string_view MarkerStyleName(MarkerStyle style);

// What a view is, as its footer says it.
enum class ViewClass : uint8_t { kExact, kLossless, kPartial };
std::string_view ViewClassName(ViewClass view_class);  // "exact", "lossless", "partial"

struct FooterFacts {
  ViewClass view_class = ViewClass::kPartial;
  uint64_t bytes = 0;            // of the original
  uint64_t lines = 0;            // of the original
  std::string_view token;        // 24 digits; empty: the original was not kept (--memory-only)
  bool host_cut = false;         // the host passed on only a part: the footer says so
  std::optional<int> exit_code;  // a known non-zero exit state is said in the line before the footer
  std::string_view exit_words;   // what that state means to the program: "no match"; may be empty
  std::optional<int> signal;     // likewise: ended by this signal
};

// The footer with, where needed, the exit line before it; no newline at either end. Empty for an exact view.
std::string Footer(MarkerStyle style, const FooterFacts& facts);

// True if one of the last three lines is a footer of ours in any style: the text is a view already.
bool EndsInFooter(std::string_view text);

// Every token named in `text` in any known form (DESIGN: tj:, <<ccr:>>, <<<CCR:>>>, hash=, ccr://, NAME("HASH"),
// token "HASH" after a recovery tool's name), in order of appearance, each once, 24, 32 or 64 digits.
std::vector<std::string> FindTokens(std::string_view text);

// The token that a `token` argument means: a bare token, or the first one in a whole marker that a model pasted.
std::optional<std::string> TokenFromArgument(std::string_view argument);

// tokenjuice_retrieve, retrieve_tool_output, ccr_retrieve, with or without a host's mcp__server__ prefix.
bool IsRecoveryTool(std::string_view tool_name);

}  // namespace pith
