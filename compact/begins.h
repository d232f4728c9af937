// starts_with and ends_with for what is asked of every line: most lines differ in the first bytes looked at, and those
// are compared without a call.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pith {

inline bool Begins(std::string_view text, std::string_view start) {
  if (text.size() < start.size()) return false;
  for (size_t i = 0; i < start.size(); ++i) {
    if (text[i] != start[i]) return false;
  }
  return true;
}

template <size_t N>
bool Begins(std::string_view text, const char (&start)[N]) {
  return text.size() >= N - 1 && std::memcmp(text.data(), start, N - 1) == 0;
}

// The same bytes. For short texts that are mostly equal, such as the keys of records: no call, eight bytes at a time.
inline bool SameText(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  uint64_t left = 0, right = 0;
  size_t at = 0;
  for (; at + 8 <= a.size(); at += 8) {
    std::memcpy(&left, a.data() + at, 8);
    std::memcpy(&right, b.data() + at, 8);
    if (left != right) return false;
  }
  for (; at < a.size(); ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

// Looks from the last byte on.
inline bool Ends(std::string_view text, std::string_view end) {
  if (text.size() < end.size()) return false;
  for (size_t i = 1; i <= end.size(); ++i) {
    if (text[text.size() - i] != end[end.size() - i]) return false;
  }
  return true;
}

// Where, from `at` on, a blank or a tab stands next; the size if none does.
inline size_t WordEnd(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != ' ' && text[at] != '\t') ++at;
  return at;
}

// Where, from `at` on, what is no blank or tab begins; the size where all is.
inline size_t BlanksEnd(std::string_view text, size_t at = 0) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// The rows of a table by the first byte of their text, in table order: a line is compared with few of them.
template <size_t N>
struct FirstBytes {
  std::array<uint16_t, 257> first{};  // the rows that begin with byte b: row[first[b]] to row[first[b + 1] - 1]
  std::array<uint16_t, N> row{};
};

// `text_of(row)` is not empty.
template <size_t N, typename Row, typename TextOf>
consteval FirstBytes<N> ByFirstByte(const Row (&rows)[N], TextOf text_of) {
  FirstBytes<N> index;
  uint16_t filled = 0;
  for (size_t byte = 0; byte < 256; ++byte) {
    index.first[byte] = filled;
    for (size_t i = 0; i < N; ++i) {
      const std::string_view text = text_of(rows[i]);
      if (static_cast<unsigned char>(text.front()) == byte) index.row[filled++] = static_cast<uint16_t>(i);
    }
  }
  index.first[256] = filled;
  return index;
}

// The first row for which matches(row) holds, of those whose text has the first byte of `line`; nullptr if there is
// none.
template <size_t N, typename Row, typename Matches>
const Row* FindByFirstByte(const FirstBytes<N>& index, const Row (&rows)[N], std::string_view line, Matches matches) {
  if (line.empty()) return nullptr;
  const auto byte = static_cast<unsigned char>(line.front());
  for (size_t i = index.first[byte]; i < index.first[byte + 1u]; ++i) {
    if (matches(rows[index.row[i]])) return &rows[index.row[i]];
  }
  return nullptr;
}

// A table of texts whose lengths are counted by the compiler: for constexpr tables that loops go over.
template <typename... Texts>
consteval std::array<std::string_view, sizeof...(Texts)> TextTable(const Texts&... texts) {
  return {std::string_view(texts)...};
}

}  // namespace pith
