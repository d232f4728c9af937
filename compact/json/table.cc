// Writing the table form. Each value goes through one decision: does it fit the schema of its place? If not it is
// written as JSON, which can be told from a tuple by its first byte, so that one odd row costs only itself. The reader
// of this form is folds_json.cc; nothing is shown that it did not take apart again and compare with the original.
#include "compact/json/table.h"

#include <charconv>

namespace pith {
namespace {

constexpr int kSchemaDepth = 16;
constexpr double kLeastFill = 0.6;  // share of cells that must be there for a tuple to be worth it

bool BareByte(char c, bool first) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.' || c == '/' || c == '@'));
}

bool IsBare(std::string_view inner) {
  bool bare = !inner.empty();
  for (size_t i = 0; i < inner.size() && bare; ++i) bare = BareByte(inner[i], i == 0);
  return bare;
}

bool WorthTuple(const JsonShape& shape) {
  if (shape.Count(JsonType::kObject) < 2 || shape.members.empty() || shape.others != kNoShape) return false;
  if (shape.Count(JsonType::kObject) * 2 < shape.values) return false;
  double cells = 0;
  for (const JsonMember& member : shape.members) cells += member.count;
  return cells >= kLeastFill * static_cast<double>(shape.members.size()) * shape.Count(JsonType::kObject);
}

JsonSchema SchemaAt(const JsonTape& tape, const JsonShapes& shapes, uint32_t index, int depth) {
  JsonSchema schema;
  if (index == kNoShape || depth >= kSchemaDepth) return schema;
  const JsonShape& shape = shapes.shape(index);
  if (shape.items != kNoShape && shape.Count(JsonType::kArray) * 2 > shape.values) {
    JsonSchema items = SchemaAt(tape, shapes, shape.items, depth + 1);
    if (items.form == JsonSchema::Form::kAny) return schema;
    schema.form = JsonSchema::Form::kArray;
    schema.items.push_back(std::move(items));
    return schema;
  }
  if (!WorthTuple(shape)) return schema;
  bool varies = false;
  for (const JsonMember& member : shape.members) {
    JsonField field;
    field.key = tape.Text(member.key);
    bool constant = member.count == shape.Count(JsonType::kObject) && member.shape != kNoShape &&
                    shapes.shape(member.shape).constant();
    if (constant)
      field.constant = tape.Text(shapes.shape(member.shape).distinct.entries[0].where);
    else
      field.value.push_back(SchemaAt(tape, shapes, member.shape, depth + 1));
    varies |= !constant;
    schema.fields.push_back(std::move(field));
  }
  schema.form = varies ? JsonSchema::Form::kTuple : JsonSchema::Form::kAny;
  if (!varies) schema.fields.clear();
  return schema;
}

void AppendSchema(const JsonSchema& schema, std::string& out) {
  if (schema.form == JsonSchema::Form::kArray) {
    out += '[';
    AppendSchema(schema.items[0], out);
    out += ']';
    return;
  }
  out += '{';
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const JsonField& field = schema.fields[i];
    if (i > 0) out += ',';
    std::string_view inner = std::string_view(field.key).substr(1, field.key.size() - 2);
    if (IsBare(inner))
      out += inner;
    else
      out += field.key;
    if (!field.constant.empty()) {
      out += '=';
      out += field.constant;
    } else if (field.value[0].form != JsonSchema::Form::kAny) {
      out += ':';
      AppendSchema(field.value[0], out);
    }
  }
  out += '}';
}

// Reads what AppendSchema writes. Depth is bounded as when writing.
class SchemaReader {
 public:
  explicit SchemaReader(std::string_view text) : text_(text) {}
  std::optional<JsonSchema> Read() {
    JsonSchema schema;
    if (!Schema(schema, 0) || at_ != text_.size()) return std::nullopt;
    return schema;
  }

 private:
  bool Take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Schema(JsonSchema& schema, int depth) {
    if (depth > kSchemaDepth) return false;
    if (Take('[')) {
      schema.form = JsonSchema::Form::kArray;
      schema.items.emplace_back();
      return Schema(schema.items[0], depth + 1) && Take(']');
    }
    schema.form = JsonSchema::Form::kTuple;
    if (!Take('{')) return false;
    do {
      schema.fields.emplace_back();
      if (!Field(schema.fields.back(), depth)) return false;
    } while (Take(','));
    return Take('}');
  }

  bool Field(JsonField& field, int depth) {
    if (at_ < text_.size() && text_[at_] == '"') {
      size_t length = JsonTokenLength(text_, at_);
      if (length == 0) return false;
      field.key = text_.substr(at_, length);
      at_ += length;
    } else {
      size_t begin = at_;
      while (at_ < text_.size() && BareByte(text_[at_], at_ == begin)) ++at_;
      if (at_ == begin) return false;
      field.key = "\"" + std::string(text_.substr(begin, at_ - begin)) + "\"";
    }
    if (Take('=')) {
      size_t length = JsonTokenLength(text_, at_);
      if (length == 0) return false;
      field.constant = text_.substr(at_, length);
      at_ += length;
      return true;
    }
    field.value.emplace_back();
    return !Take(':') || Schema(field.value[0], depth + 1);
  }

  std::string_view text_;
  size_t at_ = 0;
};

// The value node of each field in order, 0 for a missing one; false when the object does not fit.
bool CellsOf(const JsonTape& tape, uint32_t node, const JsonSchema& schema, std::vector<uint32_t>& cells) {
  const JsonNode& object = tape.node(node);
  if (object.Type() != JsonType::kObject || object.count > schema.fields.size()) return false;
  cells.assign(schema.fields.size(), 0);
  size_t field = 0;
  for (uint32_t key = node + 1; key < object.next; key = tape.node(key + 1).next, ++field) {
    while (field < schema.fields.size() && schema.fields[field].key != tape.Text(key)) ++field;
    if (field == schema.fields.size()) return false;
    cells[field] = key + 1;
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string& constant = schema.fields[i].constant;
    if (!constant.empty() && (cells[i] == 0 || tape.Text(cells[i]) != constant)) return false;
  }
  return true;
}

void AppendValue(const JsonTape& tape, uint32_t node, const JsonSchema& schema, std::string& out);

void AppendCells(const JsonTape& tape, const std::vector<uint32_t>& cells, const JsonSchema& schema, std::string& out) {
  bool first = true;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!schema.fields[i].constant.empty()) continue;
    if (!first) out += ',';
    first = false;
    if (cells[i] != 0) AppendValue(tape, cells[i], schema.fields[i].value[0], out);
  }
}

void AppendValue(const JsonTape& tape, uint32_t node, const JsonSchema& schema, std::string& out) {
  const JsonNode& value = tape.node(node);
  if (schema.form == JsonSchema::Form::kTuple) {
    std::vector<uint32_t> cells;
    if (CellsOf(tape, node, schema, cells)) {
      out += '(';
      AppendCells(tape, cells, schema, out);
      out += ')';
      return;
    }
  }
  if (schema.form == JsonSchema::Form::kArray && value.Type() == JsonType::kArray) {
    out += '[';
    for (uint32_t item = node + 1; item < value.next; item = tape.node(item).next) {
      if (item != node + 1) out += ',';
      AppendValue(tape, item, schema.items[0], out);
    }
    out += ']';
    return;
  }
  AppendMinified(tape.bytes(), value.span(), out);
}

}  // namespace

JsonSchema SchemaOf(const JsonTape& tape, const JsonShapes& shapes, uint32_t shape) {
  return SchemaAt(tape, shapes, shape, 0);
}

std::string SchemaText(const JsonSchema& schema) {
  std::string out;
  AppendSchema(schema, out);
  return out;
}

std::optional<JsonSchema> ReadSchema(std::string_view text) { return SchemaReader(text).Read(); }

void AppendRow(const JsonTape& tape, uint32_t node, const JsonSchema& schema, std::string& out) {
  std::vector<uint32_t> cells;
  if (CellsOf(tape, node, schema, cells)) {
    AppendCells(tape, cells, schema, out);
  } else {
    out += '=';
    AppendMinified(tape.bytes(), tape.node(node).span(), out);
  }
}

void AppendMinified(std::string_view bytes, Span span, std::string& out) {
  std::string_view text = bytes.substr(0, span.end);
  for (size_t at = SkipJsonBlanks(text, span.begin); at < text.size(); at = SkipJsonBlanks(text, at)) {
    size_t length = std::max<size_t>(JsonTokenLength(text, at), 1);
    out.append(text, at, length);
    at += length;
  }
}

std::string TableHeader(uint64_t rows, std::string_view schema_text) {
  return "[" + std::to_string(rows) + " rows of " + std::string(schema_text) + "]";
}

std::string_view SchemaInHeader(std::string_view line) {
  constexpr std::string_view kMiddle = " rows of ";
  size_t digits = line.find_first_not_of("0123456789", 1);
  if (!line.starts_with('[') || digits == 1 || digits == std::string_view::npos) return {};
  if (line.compare(digits, kMiddle.size(), kMiddle) != 0 || !line.ends_with(']')) return {};
  line.remove_suffix(1);
  return line.substr(digits + kMiddle.size());
}

}  // namespace pith
