// Looking through escape sequences without allocation: a line's text in parts that fit a buffer of the caller's.
#pragma once
#include <cstddef>
#include <string_view>

namespace pith {

// Copies text of `line` from `at` on, escape sequences left out, into `out` until `room` bytes are full or the line
// ends; moves `at` past what it read. Gives the number of bytes written.
size_t CopyPlain(std::string_view line, size_t& at, char* out, size_t room);

}  // namespace pith
