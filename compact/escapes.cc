// The display rules say what an escape sequence is; here it is only left out.
#include "compact/escapes.h"

#include <algorithm>
#include <cstring>

#include "compact/display.h"

namespace pith {

size_t CopyPlain(std::string_view line, size_t& at, char* out, size_t room) {
  size_t written = 0;
  while (at < line.size() && written < room) {
    if (line[at] == '\x1b') {
      at += EscapeLength(line, at);
      continue;
    }
    const size_t most = std::min(room - written, line.size() - at);
    const void* escape = std::memchr(line.data() + at, '\x1b', most);
    const size_t length =
        escape == nullptr ? most : static_cast<size_t>(static_cast<const char*>(escape) - (line.data() + at));
    std::memcpy(out + written, line.data() + at, length);
    written += length;
    at += length;
  }
  return written;
}

}  // namespace pith
