// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

// Length in bytes of the valid sequence that starts at text[at], 0 if there is none.
size_t Utf8SequenceLength(std::string_view text, size_t at);

bool IsUtf8(std::string_view text);

// Offset of the first byte that starts no valid sequence, text.size() if all is valid.
size_t FirstInvalidUtf8(std::string_view text);

// The largest offset <= at that does not stand inside a valid sequence.
size_t Utf8FloorBoundary(std::string_view text, size_t at);

// A copy with each invalid byte replaced by U+FFFD; the offsets of the replaced bytes go to `offsets` if given.
std::string ReplaceInvalidUtf8(std::string_view text, std::vector<size_t>* offsets = nullptr);

// Number of code points; an invalid byte counts as one.
size_t CountCodePoints(std::string_view text);

}  // namespace pith
