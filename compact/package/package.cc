// Package managers and deployment: npm, pip, cargo, go, apt, maven's downloads, docker build, terraform, ansible, helm.
//
// Such output is progress for a person who waits, and at its end a few lines for the one who comes back: what was
// changed, what is wrong with it, what it adds up to. Progress goes, counted in the gaps. What a known line is for says
// a table (package_lines.h); of unknown lines the first of each template are shown, as in any text. What follows an
// error explains it and is kept with it, up to the second blank line.
#include <algorithm>
#include <string>

#include "compact/kinds.h"
#include "compact/listing/folds_prefix.h"
#include "compact/listing/rows.h"
#include "compact/package/lines.h"
#include "compact/templates.h"

namespace pith {
namespace {

constexpr uint32_t kSampled = 240;
constexpr uint32_t kTailLines = 6;
constexpr uint32_t kExplained = 14;  // lines behind an error that belong to it, at most
constexpr uint64_t kShownOfTemplate = 6;
constexpr uint8_t kVerdictRank = Rank::kSignal + 6;
constexpr uint8_t kChangeRank = Rank::kUseful + 40;
constexpr uint8_t kExplainRank = Rank::kUseful + 48;
constexpr uint8_t kStepRank = Rank::kUseful + 12;

class PackageShaper : public Shaper {
 public:
  explicit PackageShaper(const Document& document) : document_(document) {
    LinePlan plan(document);
    RankLines(plan);
    lines_ = ShapeLines(document, std::move(plan));
  }
  std::vector<Piece> Make(const Limit& limit) const override {
    return FoldQuotes(document_, lines_->Make(limit), {&SplitWords, false, false});
  }

 private:
  void RankLines(LinePlan& plan) const {
    const uint8_t progress = plan.NounIndex("progress lines");
    const uint32_t count = document_.line_count();
    TemplateTable templates(count);
    std::string scratch;
    uint32_t explained = 0, blanks = 0, heading = 0;
    bool recap = false;
    for (uint32_t line = 0; line < count; ++line) {
      const std::string_view text = document_.Plain(line, scratch);
      const PackageRole role = RoleOfPackageLine(text);
      if (role == PackageRole::kProgress) {
        plan.rank[line] = Rank::kNoise;
        if (document_.signals[line] < Signal::kError) plan.noun[line] = progress;
        if (document_.signals[line] >= Signal::kError) plan.Raise(heading, kChangeRank);
        continue;
      }
      plan.Raise(line, RankOf(role, text, line, templates));
      if (role == PackageRole::kHeading) heading = line;
      if (role == PackageRole::kChange || document_.signals[line] != Signal::kNone) plan.Raise(heading, kChangeRank);
      if (recap && !text.empty()) plan.Raise(line, kVerdictRank);  // ansible's hosts under its recap
      recap = (recap && !text.empty()) || text.starts_with("PLAY RECAP");
      if (document_.signals[line] >= Signal::kError) {
        explained = kExplained;
        blanks = 0;
      } else if (explained > 0) {
        --explained;
        blanks += text.empty();
        if (blanks > 1) explained = 0;
        if (explained > 0 && !text.empty()) plan.Raise(line, kExplainRank);
      }
    }
    for (uint32_t line = count - std::min(kTailLines, count); line < count; ++line) {
      if (plan.rank[line] != Rank::kNoise) plan.Raise(line, kChangeRank);
    }
  }

  uint8_t RankOf(PackageRole role, std::string_view text, uint32_t line, TemplateTable& templates) const {
    if (text.empty()) return Rank::kFiller;
    switch (role) {
      case PackageRole::kVerdict:
        return kVerdictRank;
      case PackageRole::kChange:
        return kChangeRank;
      case PackageRole::kStep:
        return kStepRank;
      case PackageRole::kHeading:
        return Rank::kFiller + 8;
      default:
        break;
    }
    const size_t depth = TreePrefix(text);
    if (depth > 0) return depth <= 4 ? kChangeRank : depth <= 7 ? kStepRank : uint8_t{Rank::kFiller + 8};
    return templates.Add(TemplateHash(text), line).count <= kShownOfTemplate ? kStepRank : uint8_t{Rank::kFiller + 4};
  }

  const Document& document_;
  std::unique_ptr<Shaper> lines_;
};

}  // namespace

Evidence DetectPackage(const Document& document) {
  uint32_t looked = 0, known = 0;
  const uint32_t count = document.line_count();
  const uint32_t step = std::max<uint32_t>(1, count / kSampled);
  std::string scratch;
  for (uint32_t line = 0; line < count; line += line < kSampled / 3 ? 1 : step) {
    const std::string_view text = document.Plain(line, scratch);
    if (text.empty()) continue;
    ++looked;
    known += RoleOfPackageLine(text) != PackageRole::kNone;
  }
  if (looked < 3) return {};
  const uint32_t share = 100 * known / looked;
  if (share >= 60) return {86, "lines of a package manager or a deployment"};
  if (share >= 30) return {64, "some lines of a package manager or a deployment"};
  if (share >= 10) return {34, "a few lines of a package manager or a deployment"};
  return {};
}

std::unique_ptr<Shaper> ShapePackage(const Document& document) { return std::make_unique<PackageShaper>(document); }

}  // namespace pith
