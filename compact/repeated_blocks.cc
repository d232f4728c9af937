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
  Finder(const Document& document, const LineSet& shown, const LineSet& apart) : document_(document) {
    for (uint32_t line = shown.NextIn(0); line < shown.count(); line = shown.NextIn(line + 1)) {
      if (apart[line]) continue;
      lines_.push_back({line, false, std::hash<std::string_view>{}(document.Text(line))});
    }
  }

  std::vector<RepeatedBlock> Find() {
    std::vector<RepeatedBlock> blocks;
    for (size_t at = 0; at + kWindow <= lines_.size();) {
      if (!Joined(at, at + kWindow - 1)) {
        ++at;
        continue;
      }
      uint64_t hash = 0;
      for (size_t i = 0; i < kWindow; ++i) hash = Mixed(hash, lines_[at + i].hash);
      const auto found = windows_.find(hash);
      const size_t end = found == windows_.end() ? at : Grow(found->second, at);
      if (end > at && document_.lines.Lines(lines_[at].line, lines_[end - 1].line).size() >= kWorthBytes) {
        blocks.push_back({lines_[at].line, lines_[end - 1].line + 1, lines_[found->second].line});
        for (; at < end; ++at) lines_[at].repeated = true;
        continue;
      }
      if (windows_.size() < kMostWindows) windows_.try_emplace(hash, at);
      ++at;
    }
    return blocks;
  }

 private:
  struct Line {
    uint32_t line = 0;
    bool repeated = false;  // in a block
    uint64_t hash = 0;
  };

  // No line that is hidden or apart stands between the two.
  bool Joined(size_t first, size_t last) const { return lines_[last].line - lines_[first].line == last - first; }

  // The end of the lines from `at` on that are those from `source` on; `at` if they are fewer than a window.
  size_t Grow(size_t source, size_t at) const {
    size_t size = 0;
    while (source + size < at && at + size < lines_.size()) {
      const Line &from = lines_[source + size], &line = lines_[at + size];
      if (from.repeated || from.hash != line.hash) break;
      if (!Joined(source, source + size) || !Joined(at, at + size)) break;
      if (document_.Bytes(document_.lines.Line(from.line)) != document_.Bytes(document_.lines.Line(line.line))) break;
      ++size;
    }
    return size < kWindow ? at : at + size;
  }

  const Document& document_;
  std::vector<Line> lines_;                       // that a block may hold, in order
  std::unordered_map<uint64_t, size_t> windows_;  // the first place of each; never iterated
};

}  // namespace

std::vector<RepeatedBlock> FindRepeatedBlocks(const Document& document, const LineSet& shown, const LineSet& apart) {
  return Finder(document, shown, apart).Find();
}

}  // namespace pith
