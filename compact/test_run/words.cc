#include "compact/test_run/words.h"

#include <algorithm>
#include <iterator>

namespace pith {
namespace {

constexpr size_t kEchoLeast = 16, kEchoMost = 48;  // bytes of the end of a command that a line repeats

// Words that say no more of a red run than its totals do: ">>>>> Some Tests Failed".
constexpr std::string_view kPlainWords[] = {
    "some",  "all",     "the",  "test",  "tests", "run", "suite",  "suites",  "failed", "failure", "failures", "fail",
    "error", "errors",  "with", "there", "were",  "are", "result", "results", "status", "see",     "above",    "for",
    "more",  "details", "npm",  "err",   "not",   "ok",  "code",   "exit",    "exited", "return",  "command",
};

}  // namespace

bool SaysOnlyFailed(std::string_view text) {
  size_t words = 0;
  for (size_t at = 0; at < text.size() && words <= 12;) {
    auto letter = [&](size_t i) { return i < text.size() && ((text[i] | 0x20) >= 'a') && ((text[i] | 0x20) <= 'z'); };
    if (!letter(at)) {
      ++at;
      continue;
    }
    char word[16];
    size_t length = 0;
    while (letter(at) && length < sizeof word) word[length++] = static_cast<char>(text[at++] | 0x20);
    if (std::find(std::begin(kPlainWords), std::end(kPlainWords), std::string_view(word, length)) ==
        std::end(kPlainWords)) {
      return false;
    }
    ++words;
  }
  return words > 0 && words <= 12;
}

bool EchoesCommand(std::string_view text, std::string_view command) {
  if (command.size() < kEchoLeast) return false;
  return text.find(command.substr(command.size() - std::min(command.size(), kEchoMost))) != std::string_view::npos;
}

}  // namespace pith
