#include "compact/records/decimal.h"

#include <doctest/doctest.h>

#include <string>

#include "compact/compact.h"

using namespace pith;

namespace {

std::string SumOf(std::initializer_list<std::string_view> texts) {
  DecimalSum sum;
  for (std::string_view text : texts) sum.Add(text);
  return sum.exact() ? sum.Text() : "none";
}

std::string ViewOf(const std::string& original, Kind kind) {
  Hints hints;
  hints.kind = kind;
  return Compact(original, hints, {}).text;
}

}  // namespace

TEST_CASE("decimals are compared as they are written") {
  CHECK(CompareDecimals("9007199254740992", "9007199254740993") < 0);
  CHECK(CompareDecimals("0.30000000000000000001", "0.3") > 0);
  CHECK(CompareDecimals("-0.30000000000000000001", "-0.3") < 0);
  CHECK(CompareDecimals("1.0e3", "1000") == 0);
  CHECK(CompareDecimals("-0", "0.0e9") == 0);
  CHECK(CompareDecimals("2e-5", "0.00003") < 0);
  CHECK(CompareDecimals("1e400", "9e399") > 0);
  CHECK(CompareDecimals("-5", "3") < 0);
  CHECK(CompareDecimals(".5", "0.25") > 0);
}

TEST_CASE("sums of decimals are exact or not told") {
  CHECK(SumOf({"9007199254740993", "9007199254740993"}) == "18014398509481986");
  CHECK(SumOf({"0.1", "0.2"}) == "0.3");
  CHECK(SumOf({"1.5", "1.5"}) == "3");
  CHECK(SumOf({"-0.25", "0.05"}) == "-0.2");
  CHECK(SumOf({"-0.5", "0.5"}) == "0");
  CHECK(SumOf({"1.5e3", "10"}) == "1510");
  CHECK(SumOf({"1e308", "1"}) == "none");
  CHECK(SumOf({"170141183460469231731687303715884105727", "1"}) == "none");
  CHECK(SumOf({"0.0000000000000000001"}) == "none");
}

TEST_CASE("statistics name the greatest number of a JSON array though a double cannot hold it") {
  std::string original = "[\n";
  for (uint64_t i = 0; i < 900; ++i) {
    original += (i == 0 ? "" : ",\n") + std::string(R"({"big":)") + std::to_string(9007199254740993 + i) + "}";
  }
  const std::string view = ViewOf(original + "\n]\n", Kind::kJson);
  CHECK(view.find("big 9007199254740993..9007199254741892 sum 8106479329267298250]") != std::string::npos);
}

TEST_CASE("statistics name the greatest number of a CSV column though a double cannot hold it") {
  std::string original = "a,big,far\n";
  for (uint64_t i = 0; i < 900; ++i) {
    original += std::to_string(i) + "," + std::to_string(7000000000000000000 + i) + "," + std::to_string(i) + "e400\n";
  }
  const std::string view = ViewOf(original, Kind::kTable);
  CHECK(view.find("big 7000000000000000000..7000000000000000899 sum 6300000000000000404550") != std::string::npos);
  CHECK(view.find("far 0e400..899e400]") != std::string::npos);
}

TEST_CASE("statistics say which values are no numbers or below zero, and add up no moments, places or ids") {
  std::string rows = "[\n";
  for (int i = 0; i < 900; ++i) {
    rows += std::string(i > 0 ? ",\n" : "") + "{\"ms\": " + (i == 500 ? "-5" : std::to_string(i * 37 % 900)) +
            ", \"at\": " + std::to_string(1700000000ll + i * 60) + ", \"owner_id\": " + std::to_string(i * 7) +
            ", \"port\": " + std::to_string(1024 + i) +
            ", \"mixed\": " + (i == 77 ? "\"n/a\"" : std::to_string(i * 3)) + "}";
  }
  const std::string view = Compact(rows + "\n]\n", {}, {}).text;
  CAPTURE(view);
  CHECK(view.find("ms -5..899 sum 404045, 1 negative;") != std::string::npos);
  CHECK(view.find("at 1700000000..1700053940;") != std::string::npos);
  CHECK(view.find("owner_id 0..6293;") != std::string::npos);
  CHECK(view.find("port 1024..1923;") != std::string::npos);
  CHECK(view.find("mixed 0..2697 sum 1213419, 1 is no number]") != std::string::npos);
}
