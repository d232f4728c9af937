#include "compact/display.h"

#include <bit>
#include <cstring>

#include "base/utf8.h"
#include "compact/blocks.h"
#include "compact/plain_text.h"
#include "compact/signals.h"

namespace pith {
namespace {

bool Blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

void AppendValid(std::string_view text, std::string& out) {
  for (size_t nul = text.find('\0'); nul != std::string_view::npos; nul = text.find('\0')) {
    AppendValid(text.substr(0, nul), out);
    out += "\xE2\x90\x80";
    text.remove_prefix(nul + 1);
  }
  if (IsUtf8(text)) {
    out += text;
  } else {
    out += ReplaceInvalidUtf8(text);
  }
}

// One line without its LF.
void AppendLine(std::string_view line, std::string& out) {
  const PlainText plain(line);
  line = plain.text();
  while (line.ends_with('\r')) line.remove_suffix(1);
  size_t first_return = line.find('\r');
  if (first_return == std::string_view::npos) return AppendValid(line, out);
  std::string state;
  while (true) {
    size_t cut = line.find('\r');
    state.clear();
    AppendValid(line.substr(0, cut), state);
    if (cut == std::string_view::npos) break;
    std::string_view rest = line.substr(cut + 1);
    bool last_seen = rest.find_first_not_of(" \t\r") == std::string_view::npos;
    if (last_seen) break;
    if (!Blank(state) && SignalOf(state) != Signal::kNone) out += state + '\n';
    line = rest;
  }
  out += state;
}

}  // namespace

bool NeedsDisplay(std::string_view bytes) {
  size_t at = 0;
  // Whether what begins at `offset`, which is no plain byte, is no UTF-8 either. Else `at` is moved past it and what
  // of its like comes next: scripts that need it have it in rows.
  const auto odd = [&](size_t offset) {
    at = offset;
    do {
      const size_t length = static_cast<unsigned char>(bytes[at]) < 0x80 ? 0 : Utf8SequenceLength(bytes, at);
      if (length == 0) return true;
      at += length;
    } while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) >= 0x80);
    return false;
  };
  while (at < bytes.size()) {
    const uint64_t block = OddAt(bytes, at);
    if (block == 0) {
      at += kBlock;
    } else if (odd(at + static_cast<size_t>(std::countr_zero(block)))) {
      return true;
    }
  }
  return false;
}

void AppendDisplayed(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    size_t newline = bytes.find('\n');
    AppendLine(bytes.substr(0, newline), out);
    if (newline == std::string_view::npos) return;
    out += '\n';
    bytes.remove_prefix(newline + 1);
  }
}

}  // namespace pith
