#include "tools/page.h"

#include <algorithm>
#include <array>

#include "base/config.h"
#include "base/utf8.h"

namespace pith {
namespace {

// Measured with the hosts themselves where they run offline, else from their documentation.
constexpr std::array<HostPage, 13> kPages = {{{"", kDefaultPageBytes, 0},
                                              {"claude-code", 100000, 120000},
                                              {"claude-desktop", 40000, 0},
                                              {"codex", 10000, 0},
                                              {"gemini", 40000, 0},
                                              {"qwen", 40000, 0},
                                              {"cursor", 40000, 0},
                                              {"vscode", 40000, 0},
                                              {"copilot", 30000, 0},
                                              {"cline", 40000, 0},
                                              {"droid", 40000, 0},
                                              {"opencode", 40000, 0},
                                              {"dsh", 50000, 0}}};

}  // namespace

std::span<const HostPage> HostPages() { return kPages; }

Result<HostPage> HostPageOf(std::string_view host) {
  for (const HostPage& row : kPages) {
    if (row.host == host) return row;
  }
  std::vector<std::string_view> known;
  for (const HostPage& row : std::span(kPages).subspan(1)) known.push_back(row.host);
  std::string sentence = "unknown host \"" + std::string(host.substr(0, 60)) + "\"";
  if (std::string nearest = NearestName(host, known); !nearest.empty()) {
    return Error{Cause::kInvalid, sentence + "; did you mean \"" + nearest + "\"?"};
  }
  sentence += "; known are";
  for (std::string_view name : known) sentence += " " + std::string(name);
  return Error{Cause::kInvalid, sentence};
}

PageSpan PageOnCharacters(std::string_view around, uint64_t begin, uint64_t end) {
  end = std::min<uint64_t>(end, around.size());
  begin = std::min(begin, end);
  uint64_t first = Utf8FloorBoundary(around, begin);
  uint64_t last = Utf8FloorBoundary(around, end);
  if (last <= first && end > begin) {
    size_t length = Utf8SequenceLength(around, first);
    last = first + std::max<size_t>(length, 1);
  }
  return {first, last};
}

}  // namespace pith
