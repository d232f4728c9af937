// The way from bytes and a command line to a view: normaliser, rules, detection, sections, policy, candidates, guard.
// The first line is the command, its first byte chooses budget, policy and exit code; the rest is the original.
#include <memory>

#include "compact/sections.h"
#include "tests/fuzz/kind_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
  const size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  pith::Hints hints;
  hints.command = input.substr(0, line_end);
  const std::string_view original = input.substr(line_end + 1);
  if (data[0] & 1) hints.max_tokens = 60 + data[0] * 8u;
  if (data[0] & 2) hints.policy = pith::Policy::kHook;
  if (data[0] & 4) hints.exit_code = data[0] >> 3;
  pith::CompactOptions options;
  options.explain = (data[0] & 8) != 0;
  pith::fuzz::DemandView(original, hints, options);
  if (original.empty()) return 0;
  const pith::Document document(original, hints);
  const std::vector<pith::Section> sections = pith::FindSections(document, pith::Kind::kText, 0);
  if (sections.empty()) return 0;
  const std::unique_ptr<pith::Shaper> shaper = pith::ShapeSections(document, sections);
  pith::fuzz::DemandPieces(document, *shaper);
  return 0;
}
