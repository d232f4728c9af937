// Originals that are many records of one make, in whatever notation: rows of a CSV file, documents or items of a YAML
// file, repeated elements of an XML file, blocks of "key = value" lines. The notation says where records begin and end
// and where their values stand; which of them to show, and what to say of the rest, is one thing for all.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "compact/records/columns.h"
#include "compact/shaper.h"

namespace pith {

struct RecordCell {
  uint32_t column = 0;
  Span value;           // bytes of the value, quotes outside
  bool quoted = false;  // written as a string
};

struct RecordSpan {
  uint32_t begin = 0, end = 0;
};

class Records {
 public:
  virtual ~Records() = default;
  // The cells of a record in the order of the text. Deterministic; cheap, called a few times for each record.
  virtual void Cells(uint32_t record, std::vector<RecordCell>& out) const = 0;

  // What divides the cells of a record that is a line of raw cells; 0 in other notations.
  virtual char Delimiter() const { return '\0'; }

  std::vector<std::string> columns;  // what the columns are called, at most kMostColumns
  std::vector<RecordSpan> spans;     // ascending, without overlap; what stands between is shown apart
  std::string noun = "records";      // plural

  static constexpr size_t kMostColumns = 256;
};

// The shaper for an original of records. `records` has at least two.
std::unique_ptr<Shaper> ShapeRecords(const Document& document, std::unique_ptr<Records> records);

}  // namespace pith
