// Statistics over all records, and which records say more than their neighbours.
#pragma once
#include "compact/records/records.h"

namespace pith {

struct RecordColumn {
  uint32_t values = 0;
  uint32_t records = 0;  // that have it
  uint64_t bytes = 0;
  ValueCounts counts;
  NumberStats numbers;
  bool even = false;   // no value of it can stand out
  bool fault = false;  // stands in an element or under a key that is named for a fault: "failure.message"
};

struct RecordRank {
  uint32_t record = 0;
  int priority = 0;
};

class RecordRanks {
 public:
  RecordRanks(const Document& document, const Records& records);

  // Records with a reason to be shown, most worth first, then in order.
  const std::vector<RecordRank>& ranked() const { return ranked_; }
  const std::vector<RecordColumn>& columns() const { return columns_; }
  // The cells of a record that are unlike the others of their columns, and lines of it with an error.
  std::vector<Span> OddSpans(uint32_t record) const;
  // Columns that tell records apart, best first: a name, an id, then short ones.
  std::vector<uint32_t> Identity() const;
  // How many of records first..end-1 say of an error.
  uint64_t Failing(size_t first, size_t end) const;
  // "[all 500 rows: ...]" in about `room` bytes; empty if there is nothing to say.
  std::string Statistics(uint64_t room) const;

 private:
  struct Odd {
    Span span;
    uint64_t hash = 0;  // of its template
    bool error = false;
    bool extreme = false;
  };
  void CountAll();
  void MarkEven();
  void RankAll();
  void OddCells(uint32_t record, std::vector<Odd>& out) const;
  void OddLines(uint32_t record, std::vector<Odd>& out) const;
  std::string_view ValueAt(uint32_t offset) const;

  const Document& document_;
  const Records& records_;
  std::vector<RecordColumn> columns_;
  std::vector<RecordRank> ranked_;
  std::vector<uint32_t> failing_;            // records that say of an error, ascending
  mutable uint32_t line_ = 0;                // scratch: where the record looked at last begins
  mutable std::vector<RecordCell> cells_;    // scratch: of the record looked at last
  mutable std::vector<uint64_t> exemplars_;  // likewise: its ordinary values in columns that have few
  bool signals_anywhere_ = false;
};

}  // namespace pith
