// Each window of a few shown lines is looked up by its hash among those before it; where one is found, the two are
// compared and grown line by line. Only the first place of a window is kept, so a look-up costs the same whatever the
// text, and lines that have gone into a block are passed over: linear in the bytes shown.
#include "compact/repeated_blocks.h"

#include <functional>
#include <unordered_map>

namespace pith {
namespace {

constexpr uint32_t kWindow = 4;        // lines
constexpr uint64_t kWorthBytes = 240;  // of a block: its gap costs about a hundred
constexpr size_t kMostWindows = 1 << 16;

uint64_t Mixed(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29); }

class Finder {
 public:
  Finder(const Document& document, const std::vector<bool>& shown, const std::vector<bool>& apart)
      : document_(document), usable_(document.line_count()), hashes_(document.line_count()) {
    for (uint32_t line = 0; line < document.line_count(); ++line) {
      usable_[line] = shown[line] && !apart[line];
      if (usable_[line]) hashes_[line] = std::hash<std::string_view>{}(document.Text(line));
    }
  }

  std::vector<RepeatedBlock> Find() {
    std::vector<RepeatedBlock> blocks;
    for (uint32_t line = 0; line + kWindow <= usable_.size();) {
      if (!WindowAt(line)) {
        ++line;
        continue;
      }
      uint64_t hash = 0;
      for (uint32_t i = 0; i < kWindow; ++i) hash = Mixed(hash, hashes_[line + i]);
      const auto found = windows_.find(hash);
      const uint32_t end = found == windows_.end() ? line : Grow(found->second, line);
      if (end > line && document_.lines.Lines(line, end - 1).size() >= kWorthBytes) {
        blocks.push_back({line, end, found->second});
        for (uint32_t i = line; i < end; ++i) usable_[i] = false;
        line = end;
        continue;
      }
      if (windows_.size() < kMostWindows) windows_.try_emplace(hash, line);
      ++line;
    }
    return blocks;
  }

 private:
  bool WindowAt(uint32_t line) const {
    for (uint32_t i = 0; i < kWindow; ++i) {
      if (!usable_[line + i]) return false;
    }
    return true;
  }

  // The end of the lines from `line` on that are those from `source` on; `line` if they are fewer than a window.
  uint32_t Grow(uint32_t source, uint32_t line) const {
    uint32_t end = line;
    for (uint32_t from = source; from < line && end < usable_.size(); ++from, ++end) {
      if (!usable_[from] || !usable_[end] || hashes_[from] != hashes_[end]) break;
      if (document_.Bytes(document_.lines.Line(from)) != document_.Bytes(document_.lines.Line(end))) break;
    }
    return end - line < kWindow ? line : end;
  }

  const Document& document_;
  std::vector<bool> usable_;
  std::vector<uint64_t> hashes_;                    // of lines that are usable
  std::unordered_map<uint64_t, uint32_t> windows_;  // the first line of each; never iterated
};

}  // namespace

std::vector<RepeatedBlock> FindRepeatedBlocks(const Document& document, const std::vector<bool>& shown,
                                              const std::vector<bool>& apart) {
  return Finder(document, shown, apart).Find();
}

}  // namespace pith
