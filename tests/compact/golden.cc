#include "tests/compact/golden.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pith::test {
namespace {

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

void CheckGolden(const Golden& golden, Kind kind) {
  CAPTURE(golden.name);
  std::string path = std::string(PITH_TEST_DATA) + "/" + std::string(golden.name);
  std::string original = FileText(path);
  REQUIRE_FALSE(original.empty());
  Hints hints;
  hints.command = golden.command;
  hints.path = golden.path;
  CompactOptions options;
  options.soft_bytes = golden.soft_bytes;
  View view = Compact(original, hints, options);
  CHECK(KindName(view.kind) == KindName(kind));
  CHECK(view.fault == "");
  if (std::getenv("PITH_UPDATE_GOLDENS")) std::ofstream(path + ".view", std::ios::binary) << view.text;
  CHECK(view.text == FileText(path + ".view"));
}

}  // namespace pith::test
