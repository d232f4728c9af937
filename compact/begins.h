// starts_with for tables: most rows of a table are told apart by their first byte, which is compared without a call.
#pragma once
#include <string_view>

namespace pith {

// `start` is not empty.
inline bool Begins(std::string_view text, std::string_view start) {
  return !text.empty() && text.front() == start.front() && text.starts_with(start);
}

}  // namespace pith
