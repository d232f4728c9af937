// Templates: lines that are the same but for what varies in them. What varies is masked (numbers, dates, times,
// addresses, hexadecimal ids, durations, versions) and the rest is hashed, so that a template is 64 bits and a line
// costs one pass and no allocation. The table of templates is bounded, so that files, pipes and hostile inputs use the
// same code.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace pith {

// Hash of a line with what varies masked. Escape sequences and blanks around masked parts do not count. Linear.
// Status codes of HTTP and diagnostic codes (E0382) do not vary: they say what happened.
uint64_t TemplateHash(std::string_view line);

// The same with names kept that hold a few digits (sda1, web-03, pool-1-thread-2): what differs in them is not the
// same.
uint64_t NamedTemplateHash(std::string_view line);

// Where the first date and time of a line end, if they stand near its start; else 0.
size_t TimeEnd(std::string_view line);

// The same with names masked too: quoted values, paths, values of keys. Reads as much of a line as leaves 512 bytes.
uint64_t CoarseTemplateHash(std::string_view line);

struct Template {
  uint64_t hash = 0;
  uint32_t first = 0, last = 0;  // lines, 0-based; `first` is the exemplar
  uint64_t count = 0;            // lines; 0: the row is free
};

// Counts templates in one pass over lines. Holds at most `capacity` of them; when a new one finds its place full, the
// one seen least often goes, then the one not seen for longest: the same lines in the same order give the same table.
class TemplateTable {
 public:
  static constexpr size_t kCapacity = 1 << 16;

  // `lines`: how many lines are expected at most, to keep small tables small.
  explicit TemplateTable(uint64_t lines, size_t capacity = kCapacity);

  // Counts `line`. The row returned is valid until the next call.
  const Template& Add(uint64_t hash, uint32_t line) { return rows_[AddAt(hash, line)]; }
  // The same; gives the place of the row, below places(). Once the template there went for another, the row's first
  // line is behind this one.
  uint32_t AddAt(uint64_t hash, uint32_t line);
  const Template& At(uint32_t place) const { return rows_[place]; }
  uint32_t places() const { return static_cast<uint32_t>(rows_.size()); }
  const Template* Find(uint64_t hash) const;

  uint64_t evicted() const { return evicted_; }  // templates that went for others
  // All templates, by their first line.
  std::vector<Template> InOrder() const;

 private:
  static constexpr size_t kWays = 8;  // rows of a set: where a template may stand

  size_t SetOf(uint64_t hash) const { return (hash & (rows_.size() / kWays - 1)) * kWays; }
  static uint32_t TagOf(uint64_t hash) { return static_cast<uint32_t>(hash >> 32) | 1; }

  std::vector<Template> rows_;
  std::vector<uint32_t> tags_;  // one a row: part of its hash, 0 where it is free; a set's are looked at in one go
  uint64_t evicted_ = 0;
};

}  // namespace pith
