// Reading delimited files. A quoted field may hold the delimiter, doubled quotes and line ends, so records are not
// lines; but a line without a quote is a record, which is nearly all of them, and those are not looked at byte by byte.
// A quote that never closes would swallow the rest of the file: such a record ends with its line.
#include <algorithm>
#include <bit>
#include <cstring>

#include "compact/begins.h"
#include "compact/blocks.h"
#include "compact/records/table_reader.h"

namespace pith {
namespace {

constexpr uint32_t kSampledRecords = 60;
constexpr uint32_t kMostLinesOfRecord = 64;
constexpr char kDelimiters[] = {'\t', ',', ';', '|'};
constexpr size_t kLongestName = 64;

// Bit i: an odd number of the bits 0 to i are set.
uint64_t ParityUpTo(uint64_t bits) {
  for (unsigned step = 1; step < 64; step *= 2) bits ^= bits << step;
  return bits;
}

// Calls visit(begin, end) for each field of a record, 64 bytes at a time: what lies between an odd and an even quote
// separates nothing. False, and the visits count for nothing, where a quote stands open at the end or elsewhere than
// around a field or doubled within one.
// `record` is bytes of `all`, so that blocks may reach beyond it; visits get bytes of `all`.
template <typename Visit>
bool ScanFields(std::string_view all, Span record, char delimiter, Visit visit) {
  uint64_t inside = 0;                  // all bits: a quote is open
  uint64_t may_open = 1, must_end = 0;  // for the next block's first byte
  uint64_t start = record.begin;
  for (uint64_t at = record.begin; at < record.end; at += kBlock) {
    const uint64_t bytes = record.end - at < kBlock ? (uint64_t{1} << (record.end - at)) - 1 : ~uint64_t{0};
    const uint64_t quotes = EqualAt(all, at, '"') & bytes;
    const uint64_t within = quotes == 0 ? inside : ParityUpTo(quotes) ^ inside;
    uint64_t delimiters = EqualAt(all, at, delimiter) & bytes & ~within;
    const uint64_t opening = quotes & within, closing = quotes & ~within;
    const uint64_t opens_wrong = opening & ~((delimiters | closing) << 1 | may_open);
    const uint64_t goes_on = (closing << 1 | must_end) & bytes & ~(delimiters | opening);
    if ((opens_wrong | goes_on) != 0) return false;
    inside = within >> 63 != 0 ? ~uint64_t{0} : 0;
    may_open = (delimiters | closing) >> 63;
    must_end = closing >> 63;
    for (; delimiters != 0; delimiters &= delimiters - 1) {
      const uint64_t end = at + static_cast<uint64_t>(std::countr_zero(delimiters));
      visit(start, end);
      start = end + 1;
    }
  }
  visit(start, record.end);
  return inside == 0;
}

// The last line of the record that starts at `line`.
uint32_t RecordEnd(const Document& document, uint32_t line, char delimiter) {
  std::string_view text = document.Text(line);
  const uint64_t start = document.lines.Line(line).begin;
  if (ScanFields(document.bytes, {start, start + text.size()}, delimiter, [](uint64_t, uint64_t) {})) return line;
  uint32_t most = std::min(document.line_count() - 1, line + kMostLinesOfRecord);
  uint64_t begin = document.lines.Line(line).begin;
  std::string_view rest = document.Bytes(document.lines.Lines(line, most));
  size_t at = 0;
  while (at < rest.size()) {
    at = FieldEnd(rest, at, delimiter);
    if (at >= rest.size()) break;
    if (rest[at] != delimiter) return document.lines.LineAt(begin + at);
    ++at;
  }
  bool closed = most == document.line_count() - 1 && std::count(rest.begin(), rest.end(), '"') % 2 == 0;
  return closed ? most : line;
}

// A first line in which no field begins with a digit and none is empty names the columns.
bool HasOnlyWords(std::string_view text, char delimiter) {
  for (size_t at = 0; at <= text.size();) {
    size_t end = FieldEnd(text, at, delimiter);
    size_t first = at < text.size() && text[at] == '"' ? at + 1 : at;
    bool figure = first < end && (IsNumber(text.substr(at, end - at)) || (text[first] >= '0' && text[first] <= '9'));
    if (end == at || figure) return false;
    at = end + 1;
  }
  return true;
}

class DelimitedRecords : public Records {
 public:
  DelimitedRecords(const Document& document, char delimiter) : document_(document), delimiter_(delimiter) {}

  void Cells(uint32_t record, std::vector<RecordCell>& out) const override {
    uint64_t begin = spans[record].begin;
    std::string_view text = WithoutLineEnd(document_.Bytes({begin, spans[record].end}));
    if (PlainCells({begin, begin + text.size()}, out)) return;
    size_t at = 0;
    for (uint32_t column = 0; column + 1 < columns.size() || column == 0; ++column) {
      size_t end = FieldEnd(text, at, delimiter_);
      bool quoted = end > at + 1 && text[at] == '"';
      out.push_back({column, {begin + at + quoted, begin + end - quoted}, quoted});
      if (end >= text.size()) return;
      at = end + 1;
    }
    // More fields than the header has: what is left is one cell of the last column.
    out.push_back({static_cast<uint32_t>(columns.size() - 1), {begin + at, begin + text.size()}, false});
  }

  char Delimiter() const override { return delimiter_; }

  void Read(uint32_t fields) {
    noun = "rows";
    uint32_t line = 0;
    while (line < document_.line_count() && document_.Text(line).empty()) ++line;
    if (line < document_.line_count() && HasOnlyWords(document_.Text(line), delimiter_)) {
      NameColumns(document_.Text(line), fields);
      line = RecordEnd(document_, line, delimiter_) + 1;
    }
    while (columns.size() < fields) columns.push_back("column " + std::to_string(columns.size() + 1));
    columns.push_back("further fields");
    for (; line < document_.line_count(); ++line) {
      uint32_t last = RecordEnd(document_, line, delimiter_);
      Span span = document_.lines.Lines(line, last);
      if (!WithoutLineEnd(document_.Bytes(span)).empty()) {
        spans.push_back({static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)});
      }
      line = last;
    }
  }

 private:
  // The cells of a record whose quotes are where they should be; else false, and `out` as it was.
  bool PlainCells(Span record, std::vector<RecordCell>& out) const {
    const size_t before = out.size();
    const auto most = static_cast<uint32_t>(columns.size());
    uint32_t column = 0;
    const bool plain = ScanFields(document_.bytes, record, delimiter_, [&](uint64_t start, uint64_t end) {
      const bool quoted = end > start + 1 && document_.bytes[start] == '"';
      out.push_back({column++, {start + quoted, end - quoted}, quoted});
    });
    if (plain && column < most) return true;
    out.resize(before);
    return false;
  }

  void NameColumns(std::string_view text, uint32_t fields) {
    for (size_t at = 0; at <= text.size() && columns.size() < std::min<size_t>(fields, kMostColumns - 1);) {
      size_t end = FieldEnd(text, at, delimiter_);
      std::string_view name = text.substr(at, end - at);
      if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
      columns.emplace_back(name.substr(0, kLongestName));
      at = end + 1;
    }
  }

  const Document& document_;
  char delimiter_;
};

uint32_t FieldsOf(std::string_view text, char delimiter) {
  uint32_t fields = 0;
  for (size_t at = 0; at <= text.size(); ++fields) at = FieldEnd(text, at, delimiter) + 1;
  return fields;
}

// Words between commas are also prose: fields of a table are short, and no sentence ends in them.
bool LooksLikeProse(std::string_view text, char delimiter) {
  size_t spaces = static_cast<size_t>(std::count(text.begin(), text.end(), ' '));
  size_t delimiters = static_cast<size_t>(std::count(text.begin(), text.end(), delimiter));
  size_t spaced = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) spaced += text[i] == delimiter && text[i + 1] == ' ';
  return spaces > delimiters * 6 || (delimiter != '\t' && spaced * 2 > delimiters && spaces > delimiters * 2);
}

}  // namespace

size_t FieldEnd(std::string_view text, size_t at, char delimiter) {
  if (at < text.size() && text[at] == '"') {
    for (size_t quote = text.find('"', at + 1); quote != std::string_view::npos; quote = text.find('"', quote + 2)) {
      if (quote + 1 < text.size() && text[quote + 1] == '"') continue;
      bool ends = quote + 1 == text.size() || text[quote + 1] == delimiter || text[quote + 1] == '\n' ||
                  text[quote + 1] == '\r';
      if (ends) return quote + 1;
      break;  // a quote inside: the field is not quoted after all
    }
  }
  while (at < text.size() && text[at] != delimiter && text[at] != '\n') ++at;
  return at;
}

namespace {

struct FieldSample {
  uint32_t records = 0, fields = 0, agree = 0, prose = 0;
  uint32_t figures = 0;  // records with a figure among their fields
};

// A number in some notation, a date, a time, a share: "12", "5,50", "2026-01-31", "99 %".
bool IsFigure(std::string_view field) {
  return field.find_first_of("0123456789") != std::string_view::npos &&
         field.find_first_not_of("0123456789.,:+-% \"") == std::string_view::npos;
}

bool HasFigure(std::string_view text, char delimiter) {
  for (size_t at = 0; at <= text.size();) {
    const size_t end = FieldEnd(text, at, delimiter);
    if (IsFigure(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

FieldSample SampleFields(const Document& document, char delimiter) {
  FieldSample sample;
  for (uint32_t line = 0; line < document.line_count() && sample.records < kSampledRecords; ++line) {
    std::string_view text = document.Text(line);
    if (text.empty()) continue;
    uint32_t last = RecordEnd(document, line, delimiter);
    Span span = document.lines.Lines(line, last);
    uint32_t count = FieldsOf(WithoutLineEnd(document.Bytes(span)), delimiter);
    if (sample.records == 0) sample.fields = count;
    sample.agree += count == sample.fields;
    sample.prose += LooksLikeProse(text, delimiter);
    sample.figures += HasFigure(text, delimiter);
    ++sample.records;
    line = last;
  }
  return sample;
}

// Two fields are little evidence: one comma stands in many lines. They make a table where each record has them and
// most hold a figure, or where the name of the file says so.
bool IsTable(const Document& document, char delimiter, const FieldSample& sample) {
  if (sample.records < 4 || sample.agree * 20 < sample.records * 19 || sample.prose * 5 >= sample.records) return false;
  if (delimiter == '|' && document.Text(1).find_first_not_of("-+| :") == std::string_view::npos)
    return false;  // aligned
  if (sample.fields >= 3 || (sample.fields == 2 && delimiter == '\t')) return true;
  if (sample.fields < 2 || sample.agree < sample.records || sample.prose > 0) return false;
  return KindByName(document.hints) == Kind::kTable ||
         (sample.records >= 8 && sample.figures * 10 >= sample.records * 9);
}

Delimited FormOf(const Document& document, char delimiter, const FieldSample& sample) {
  uint32_t first = 0;
  while (document.Text(first).empty()) ++first;
  bool header = HasOnlyWords(document.Text(first), delimiter) &&
                !HasOnlyWords(document.Text(std::min(first + 1, document.line_count() - 1)), delimiter);
  return {delimiter, sample.fields, sample.records, header};
}

}  // namespace

std::optional<Delimited> DelimitedForm(const Document& document) {
  std::optional<Delimited> narrow;  // of two fields: another delimiter may find more
  for (char delimiter : kDelimiters) {
    const FieldSample sample = SampleFields(document, delimiter);
    if (!IsTable(document, delimiter, sample)) continue;
    if (sample.fields > 2 || delimiter == '\t') return FormOf(document, delimiter, sample);
    if (!narrow) narrow = FormOf(document, delimiter, sample);
  }
  return narrow;
}

std::unique_ptr<Records> ReadDelimited(const Document& document, const Delimited& form) {
  auto records = std::make_unique<DelimitedRecords>(document, form.delimiter);
  records->Read(std::min<uint32_t>(form.fields, Records::kMostColumns - 1));
  return records;
}

}  // namespace pith
