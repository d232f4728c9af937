// Where in a text a word of signal_words.h may begin: every place where one does, and few others. Each byte of each
// original passes through here, 64 at a time and without a branch on what they are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pith {

// At most so many bytes of a text are sifted at once: what holds their places stays in the nearest cache.
inline constexpr size_t kSieveBytes = 4096;

// The places in text[begin, end), ascending, at which a letter begins a word - after no letter, digit or underscore, at
// a capital after a small letter or a digit, or two bytes after a backslash - and the five letters from there on may be
// those of a word of the table. Written to `places`, which holds kSieveBytes; end - begin is at most that. Gives their
// number. Every place where a word of the table stands is among them on every machine; which others are may differ.
size_t SiftWords(std::string_view text, size_t begin, size_t end, uint32_t* places);

// The same without wide instructions: what SiftWords does where there are none.
size_t SiftWordsPlainly(std::string_view text, size_t begin, size_t end, uint32_t* places);

// For tests: each way that this machine has, the plain one among them.
using WordSieve = size_t (*)(std::string_view text, size_t begin, size_t end, uint32_t* places);
std::vector<WordSieve> WordSievesHere();

}  // namespace pith
