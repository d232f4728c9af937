// A configuration at fault costs savings, never an output or the way back to one.
#include <doctest/doctest.h>

#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

std::vector<Variables> Broken(const Home& home) {
  return {{{"PITH_CONFIG", home.Write("torn.json", "{\"max_bytes\": ")}},
          {{"PITH_CONFIG", home.Write("unknown.json", R"({"max_bites": 1})")}},
          {{"PITH_CONFIG", home.path()}},
          {{"PITH_HOST", "nobody"}},
          {{"PITH_MAX_BYTES", "abc"}}};
}

}  // namespace

TEST_CASE("I10: a configuration at fault lets the output through unchanged and says so in one line") {
  Home home;
  std::string log = LogOf(3000);
  for (const Variables& variables : Broken(home)) {
    CAPTURE(variables[0].second);
    Ended view = home.Run({"compact"}, log, variables);
    CHECK(view.code == 0);
    CHECK(view.out == log);
    CHECK(CountLines(view.err) == 1);
    CHECK(Has(view.err, "outputs go out unchanged"));
    Ended answer = home.Run({"compact", "--jsonl"}, "{\"id\":1,\"content\":\"keep me\"}\n", variables);
    CHECK(answer.code == 0);
    CHECK(Has(answer.out, "\"id\":1,\"view\":\"keep me\""));
    Ended ran = home.Run({"run", "--", "seq", "3000"}, "", variables);
    CHECK(ran.code == 0);
    CHECK(CountLines(ran.out) == 3000);
    CHECK(CountLines(ran.err) == 1);
    CHECK(home.Run({"config"}, "", variables).code == 2);
  }
  CHECK(home.Run({"ls", "--json"}).out == "[]\n");
}

TEST_CASE("I10: a key that cannot be read lets the output through unchanged") {
  Home home;
  std::string log = LogOf(3000);
  Variables variables = {{"PITH_KEY_FILE", home.path() + "/absent"}};
  Ended view = home.Run({"compact"}, log, variables);
  CHECK(view.code == 0);
  CHECK(view.out == log);
  CHECK(CountLines(view.err) == 1);
  CHECK(Has(home.Run({"compact", "--jsonl"}, "{\"content\":\"keep me\"}\n", variables).out, "\"view\":\"keep me\""));
}

TEST_CASE("a configuration at fault does not lock old originals away") {
  Home home;
  std::string log = LogOf(3000), token = TokenOf(log);
  home.Run({"compact"}, log);
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ccr_stats"}})"
                           "\n";
  for (const Variables& variables : Broken(home)) {
    CAPTURE(variables[0].second);
    Ended original = home.Run({"retrieve", token}, "", variables);
    CHECK(original.code == 0);
    CHECK(original.out == log);
    CHECK(CountLines(original.err) == 1);
    CHECK(Has(home.Run({"ls"}, "", variables).out, token));
    CHECK(Has(home.Run({"show", token}, "", variables).out, token));
    Ended served = home.Run({"serve"}, call, variables);
    CHECK(served.code == 0);
    CHECK(Has(served.err, "outputs go out unchanged"));
  }
}

}  // namespace pith
