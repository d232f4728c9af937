// I6 as a generator: thousands of originals of every kind, each with one line (or value) of a fault put in at the head,
// in the middle, at the tail or somewhere inside the noise, in every spelling that tools use. None may be lost while
// the view has room. PITH_SIGNALS_ROUNDS: how many originals for each kind, spelling and place (1).
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>

#include "compact/kinds.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

// Spellings of severe words and of faults without one. "@" becomes a word that stands nowhere else.
constexpr auto kSpellings = std::to_array<std::string_view>({
    "ERROR: @ went away",
    "error: @ went away",
    "Error: @ went away",
    "[error] @ went away",
    "level=error msg=\"@ went away\"",
    "ERR @ went away",
    "npm ERR! @ went away",
    "FATAL: @ went away",
    "fatal: @ went away",
    "[fatal] @ went away",
    "CRITICAL:root:@ went away",
    "[crit] @ went away",
    "SEVERE: @ went away",
    "panic: @ went away",
    "thread 'main' panicked at src/@.rs:3:9:",
    "PANIC @ went away",
    "Traceback of @: ValueError: no such thing",
    "KeyError: '@'",
    "java.lang.IllegalStateException: @ went away",
    "Uncaught TypeError: @ is not a function",
    "Unhandled rejection @: it went away",
    "Segmentation fault in @ (core dumped)",
    "@: killed by signal 9",
    "Out of memory: Killed process 4711 (@)",
    "oom-killer invoked for @",
    "FAILED @",
    "Failed to start @",
    "failed: @ went away",
    "FAILURE: @ went away",
    "@ exited with code 137",
    "@: exit status 2",
    "undefined reference to `@'",
    "@: No such file or directory",
    "@: Permission denied",
    "connect @: Connection refused",
    "request to @ timed out",
    "assertion failed: @ == 3",
    "AssertionError: @ is not 3",
    "Abort trap: @",
    "BUG: unable to handle page fault at @",
    "@ is corrupt: checksum mismatch",
    "deadlock detected in @",
    "ALERT @ went away",
    "EMERG @ went away",
    "access denied for @",
    "==4711==ERROR: AddressSanitizer: heap-use-after-free in @",
});

// How a fault stands in an original of a kind: lines take it as it is, structured texts as a value.
std::string Dressed(std::string_view name, const std::string& fault) {
  std::string escaped;
  for (char c : fault) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  if (name == "json")
    return "  {\"id\": 77, \"name\": \"" + escaped + "\", \"ok\": true, \"ratio\": 5.50, \"note\": \"\"},\n";
  if (name == "json lines")
    return "{\"id\": 77, \"name\": \"" + escaped + "\", \"ok\": true, \"ratio\": 5.50, \"note\": \"\"}\n";
  if (name == "csv") {
    std::string quoted;
    for (char c : fault) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return "77,worker,\"" + quoted + "\",55\n";
  }
  if (name == "yaml") {
    std::string quoted;
    for (char c : fault) quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return "  odd77:\n    image: '" + quoted + "'\n    ports:\n      - \"1077:80\"\n";
  }
  if (name == "xml") {
    std::string safe;
    for (char c : fault) safe += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
    return "  <item id=\"77\"><name>" + safe + "</name><![CDATA[a<b]]></item>\n";
  }
  if (name == "html") return "<p>" + fault + "</p>\n";
  if (name == "diff") return "+" + fault + "\n";
  return fault + "\n";
}

// Where a line may be put in: after which lines the notation allows for one.
std::vector<size_t> PlacesIn(std::string_view name, const std::string& bytes) {
  std::vector<size_t> places;
  std::string_view after;  // what a line must start with for one to be put in behind it
  if (name == "json") after = "  {";
  if (name == "xml") after = "  <item";
  if (name == "html") after = "<p>";
  if (name == "diff") after = "+";
  if (name == "yaml") after = "      -";
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    if (end == std::string::npos) break;
    const std::string_view line(bytes.data() + at, end - at);
    const bool last = end + 1 == bytes.size();
    const bool comma = name != "json" || line.ends_with(',');
    const bool added = name != "diff" || !line.starts_with("+++");
    if (line.starts_with(after) && comma && added && !last) places.push_back(end + 1);
    at = end + 1;
  }
  return places;
}

uint64_t Rounds() {
  const char* text = std::getenv("PITH_SIGNALS_ROUNDS");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

}  // namespace

TEST_CASE("I6 signal kept: a fault in every spelling, at head, middle, tail and inside noise, in every kind") {
  test::Random random(76);
  uint64_t number = 0;
  for (uint64_t round = 0; round < Rounds(); ++round) {
    for (const test::Original& typical : test::TypicalOriginals(round + 5, 60 + random.Below(240))) {
      if (typical.name == "grep") continue;  // a match that speaks of an error is a match
      const std::vector<size_t> places = PlacesIn(typical.name, typical.bytes);
      REQUIRE(places.size() > 4);
      for (std::string_view spelling : kSpellings) {
        for (int place = 0; place < 4; ++place) {
          const std::string word = "zanzibar" + std::to_string(1000 + number++ % 9000);
          std::string fault(spelling);
          fault.replace(fault.find('@'), 1, word);
          const size_t at = place == 0   ? places.front()
                            : place == 1 ? places[places.size() / 2]
                            : place == 2 ? places.back()
                                         : random.Of(places);
          std::string bytes = typical.bytes;
          bytes.insert(at, Dressed(typical.name, fault));
          Hints hints;
          const View view = Compact(bytes, hints, {});
          CAPTURE(typical.name);
          CAPTURE(fault);
          CAPTURE(place);
          CAPTURE(KindName(view.kind));
          CAPTURE(view.text);
          CHECK(view.fault == "");
          CHECK(view.text.find(word) != std::string::npos);
        }
      }
    }
  }
}

}  // namespace pith
