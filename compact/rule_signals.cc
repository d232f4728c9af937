#include "compact/rule_signals.h"

#include <algorithm>

#include "compact/characters.h"

namespace pith {
namespace {

using ascii::IsWord;

bool StandsAlone(std::string_view bytes, size_t at, size_t size) {
  const bool begins = at == 0 || !IsWord(bytes[at - 1]) || !IsWord(bytes[at]);
  const bool ends = at + size >= bytes.size() || !IsWord(bytes[at + size]) || !IsWord(bytes[at + size - 1]);
  return begins && ends;
}

}  // namespace

void MarkRuleSignals(Document& document) {
  if (document.command.rule == nullptr) return;
  for (std::string_view word : document.command.rule->signal_words) {
    for (size_t at = 0; (at = document.bytes.find(word, at)) != std::string_view::npos; at += word.size()) {
      if (!StandsAlone(document.bytes, at, word.size())) continue;
      Signal& signal = document.signals[document.lines.LineAt(at)];
      signal = std::max(signal, Signal::kError);
    }
  }
}

}  // namespace pith
