// Two notations of tables: delimited files (CSV, TSV and their kin, RFC 4180 quoting) and blocks of "key = value"
// lines, one block a record (sqlite3 -line, psql \x, mysql \G, pip show, /proc/cpuinfo).
#pragma once
#include <memory>
#include <optional>

#include "compact/records/records.h"

namespace pith {

// The delimiter of a delimited file, by the same number of fields in record after record; nothing without evidence.
struct Delimited {
  char delimiter = ',';
  uint32_t fields = 0;
  uint32_t sampled = 0;  // records looked at
  bool header = false;   // the first names the columns: words above figures
};
std::optional<Delimited> DelimitedForm(const Document& document);
std::unique_ptr<Records> ReadDelimited(const Document& document, const Delimited& form);

// Offset after the field that starts at text[at], quotes and newlines in quotes included, the delimiter not.
size_t FieldEnd(std::string_view text, size_t at, char delimiter);

// The character between key and value of blocks of lines ('=', '|', ':'); nothing without evidence.
std::optional<char> BlockForm(const Document& document);
std::unique_ptr<Records> ReadBlocks(const Document& document, char separator);

}  // namespace pith
