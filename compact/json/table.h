// The table form: keys said once, rows as cells. A row is the cells of one object, comma-separated, each cell JSON as
// the original wrote it; nothing between two commas is a key that the object does not have, so null, missing and ""
// differ.
//
//   {id,name,owner:{login,id},labels:[{name}],state="open"}
//   12,"A bug",("ann",7),[("ui"),("new")]
//   =["a row that is no such object, as it is"]
//
// An object in a cell stands in parentheses under the keys of its column, an array's items likewise; a key with a value
// in the header has it in every row.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compact/json/shape.h"

namespace pith {

struct JsonSchema;

struct JsonField {
  std::string key;                // with its quotes, as the original has it
  std::string constant;           // value that every row has; empty: each row has its own
  std::vector<JsonSchema> value;  // one, unless constant
};

// How a value is written: as JSON, as a tuple of an object's values, or as an array whose items have a schema.
struct JsonSchema {
  enum class Form : uint8_t { kAny, kTuple, kArray };
  Form form = Form::kAny;
  std::vector<JsonField> fields;  // kTuple
  std::vector<JsonSchema> items;  // kArray: one
};

// The schema for the values of a shape; kAny where a tuple would save nothing.
JsonSchema SchemaOf(const JsonTape& tape, const JsonShapes& shapes, uint32_t shape);

// "{id,name,owner:{login,id}}", and back. Reading is strict; nothing on any other text.
std::string SchemaText(const JsonSchema& schema);
std::optional<JsonSchema> ReadSchema(std::string_view text);

// The row of one item: its cells, or '=' and the item as it is. Schema is a kTuple.
void AppendRow(const JsonTape& tape, uint32_t node, const JsonSchema& schema, std::string& out);

// A value's JSON without blanks. `limit`: stop soon after that many bytes.
void AppendMinified(std::string_view bytes, Span span, std::string& out);

// "[37 rows of {id,name}]": the line above the rows, and its schema's text back (empty when the line is none).
std::string TableHeader(uint64_t rows, std::string_view schema_text);
std::string_view SchemaInHeader(std::string_view line);

}  // namespace pith
