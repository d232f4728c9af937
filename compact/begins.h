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

// Where, from `at` on, what is no blank or tab begins; the size where all is. Eight blanks at a time where it is set in
// far.
inline size_t BlanksEnd(std::string_view text, size_t at = 0) {
  constexpr std::string_view kBlanks = "        ";
  while (at + kBlanks.size() <= text.size() && std::memcmp(text.data() + at, kBlanks.data(), kBlanks.size()) == 0) {
    at += kBlanks.size();
  }
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

// A line without its LF and a CR before it.
inline std::string_view WithoutLineEnd(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// The rows of a table by one byte of each, in table order: a line is compared with few of them.
template <size_t N>
struct RowsByByte {
  std::array<uint16_t, 257> first{};  // the rows of byte b: row[first[b]] to row[first[b + 1] - 1]
  std::array<uint16_t, N> row{};
};

// `text_of(row)` is what a row is known by, from its first byte or, with `last`, from its last; a row without is left
// out.
template <size_t N, typename Row, typename TextOf>
consteval RowsByByte<N> ByByte(const Row (&rows)[N], TextOf text_of, bool last = false) {
  RowsByByte<N> index;
  uint16_t filled = 0;
  for (size_t byte = 0; byte < 256; ++byte) {
    index.first[byte] = filled;
    for (size_t i = 0; i < N; ++i) {
      const std::string_view text = text_of(rows[i]);
      if (text.empty() || static_cast<unsigned char>(last ? text.back() : text.front()) != byte) continue;
      index.row[filled++] = static_cast<uint16_t>(i);
    }
  }
  index.first[256] = filled;
  return index;
}

// The first row of `byte` for which matches(row) holds; nullptr if there is none.
template <size_t N, typename Row, typename Matches>
const Row* FindByByte(const RowsByByte<N>& index, const Row (&rows)[N], char byte, Matches matches) {
  const auto at = static_cast<unsigned char>(byte);
  for (size_t i = index.first[at]; i < index.first[at + 1u]; ++i) {
    if (matches(rows[index.row[i]])) return &rows[index.row[i]];
  }
  return nullptr;
}

// The same by the first byte of `line`.
template <size_t N, typename Row, typename Matches>
const Row* FindByFirstByte(const RowsByByte<N>& index, const Row (&rows)[N], std::string_view line, Matches matches) {
  return line.empty() ? nullptr : FindByByte(index, rows, line.front(), matches);
}

// A table of texts whose lengths are counted by the compiler: for constexpr tables that loops go over.
template <typename... Texts>
consteval std::array<std::string_view, sizeof...(Texts)> TextTable(const Texts&... texts) {
  return {std::string_view(texts)...};
}

}  // namespace pith
