// The text is scanned once into a tree of spans; a change is then one splice of the text. Indentation is taken from the
// members that are there. What an insertion adds lies wholly between the end of the value before it and its own end, so
// taking it out again restores the bytes.
#include "agents/json_edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/utf8.h"

namespace pith {
namespace {

constexpr size_t kMaxText = 16u << 20;
constexpr int kMaxDepth = 200;

struct Node {
  struct Item {
    std::string key;          // of an object's member
    size_t key_begin = 0;     // where the member begins; of an element: where the value begins
    size_t comma = 0;         // where the comma behind it stands; 0 if there is none
    std::vector<Node> value;  // exactly one; a vector because Node is incomplete here
  };
  enum class Type { kObject, kArray, kOther } type = Type::kOther;
  size_t begin = 0, end = 0;
  std::vector<Item> items;
  bool trailing_comma = false;
  size_t comma_end = 0;  // behind the trailing comma
};

// What a key with escapes says; the key as it stands where that is no string.
std::string Decoded(const std::string& key) {
  const nlohmann::json text = ParseJson("\"" + key + "\"");
  return text.is_string() ? text.get<std::string>() : key;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  Result<Node> Scan() {
    Node root;
    if (!Value(root, 0)) return Bad();
    SkipBlank();
    if (at_ != text_.size()) return Bad();
    return root;
  }

 private:
  Error Bad() const { return {Cause::kInvalid, "not JSON at byte " + std::to_string(at_)}; }

  void SkipBlank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool Value(Node& node, int depth) {
    SkipBlank();
    if (at_ >= text_.size() || depth > kMaxDepth) return false;
    node.begin = at_;
    const char c = text_[at_];
    bool good = false;
    if (c == '{' || c == '[') {
      good = Container(node, c == '{', depth);
    } else if (c == '"') {
      std::string ignored;
      good = String(ignored);
    } else {
      while (at_ < text_.size() && std::string_view(" \t\r\n,]}/").find(text_[at_]) == std::string_view::npos) ++at_;
      good = at_ > node.begin;
    }
    node.end = at_;
    return good;
  }

  bool Container(Node& node, bool object, int depth) {
    node.type = object ? Node::Type::kObject : Node::Type::kArray;
    const char close = object ? '}' : ']';
    ++at_;
    while (true) {
      SkipBlank();
      if (at_ >= text_.size()) return false;
      if (text_[at_] == close) {
        ++at_;
        return true;
      }
      if (!node.items.empty() && !node.trailing_comma) return false;
      Node::Item item;
      item.key_begin = at_;
      if (object && (!String(item.key) || !Colon())) return false;
      if (item.key.find('\\') != std::string::npos) item.key = Decoded(item.key);
      item.value.emplace_back();
      if (!Value(item.value[0], depth + 1)) return false;
      node.items.push_back(std::move(item));
      SkipBlank();
      node.trailing_comma = at_ < text_.size() && text_[at_] == ',';
      if (node.trailing_comma) {
        node.items.back().comma = at_;
        node.comma_end = ++at_;
      }
    }
  }

  bool Colon() {
    SkipBlank();
    if (at_ >= text_.size() || text_[at_] != ':') return false;
    ++at_;
    return true;
  }

  bool String(std::string& out) {
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    out = text_.substr(begin, at_ - begin);
    ++at_;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

Result<Node> ScanText(std::string_view text) {
  if (text.size() > kMaxText) return Error{Cause::kTooLarge, "larger than 16 MiB"};
  if (!IsUtf8(text)) return Error{Cause::kInvalid, "not UTF-8"};
  return Scanner(text).Scan();
}

// Of a key that stands twice the last, as readers of JSON have it; SIZE_MAX if there is none.
size_t IndexOf(const Node& node, const std::string& key) {
  if (node.type != Node::Type::kObject) return SIZE_MAX;
  for (size_t i = node.items.size(); i > 0; --i) {
    if (node.items[i - 1].key == key) return i - 1;
  }
  return SIZE_MAX;
}

const Node* Child(const Node& node, const std::string& key) {
  const size_t index = IndexOf(node, key);
  return index == SIZE_MAX ? nullptr : &node.items[index].value[0];
}

const Node* Follow(const Node& root, const JsonPath& path) {
  const Node* node = &root;
  for (const std::string& key : path) {
    if (node != nullptr) node = Child(*node, key);
  }
  return node;
}

std::string Splice(std::string_view text, size_t begin, size_t end, std::string_view with) {
  std::string out(text.substr(0, begin));
  out += with;
  out += text.substr(end);
  return out;
}

std::string_view NewLine(std::string_view text) { return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n"; }

// The blanks before `at` on its line, if nothing else stands there; nullopt otherwise.
std::optional<std::string> IndentOf(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] != '\n') return std::nullopt;
  return std::string(text.substr(begin, at - begin));
}

// The step of indentation that the file uses.
std::string StepOf(std::string_view text, const Node& root) {
  if (root.items.empty()) return "  ";
  const std::string step = IndentOf(text, root.items[0].key_begin).value_or("  ");
  return step.empty() ? "  " : step;
}

// Indents the lines of a value after the first.
std::string Indented(std::string_view value, const std::string& indent, const std::string& step,
                     std::string_view newline) {
  std::string out;
  for (size_t at = 0; at < value.size(); ++at) {
    if (value[at] != '\n') {
      out += value[at];
      continue;
    }
    out += std::string(newline) + indent;
    while (value.compare(at + 1, 2, "  ") == 0) {  // values are written with two blanks a level
      out += step;
      at += 2;
    }
  }
  return out;
}

// The end of a comment that follows on the same line; `at` itself if there is none.
size_t BehindComment(std::string_view text, size_t at) {
  size_t next = text.find_first_not_of(" \t", at);
  if (next == std::string_view::npos || text.compare(next, 2, "//") != 0) return at;
  next = std::min(text.find('\n', next), text.size());
  return text[next - 1] == '\r' ? next - 1 : next;
}

// Puts an item behind the last one of a container.
std::string Insert(std::string_view text, const Node& root, const Node& into, size_t depth, const std::string& key,
                   std::string_view value) {
  const std::string step = StepOf(text, root);
  const std::string_view newline = NewLine(text);
  const std::string name = key.empty() ? "" : "\"" + key + "\": ";
  if (into.items.empty()) {
    std::string inner;
    for (size_t i = 0; i <= depth; ++i) inner += step;
    const std::string outer = inner.substr(0, inner.size() - step.size());
    const std::string_view inside = text.substr(into.begin + 1, into.end - into.begin - 2);
    const bool comments = inside.find_first_not_of(" \t\r\n") != std::string_view::npos;  // they stay, before the item
    return Splice(
        text, comments ? into.end - 1 : into.begin + 1, into.end - 1,
        std::string(newline) + inner + name + Indented(value, inner, step, newline) + std::string(newline) + outer);
  }
  const Node::Item& last = into.items.back();
  const std::optional<std::string> indent = IndentOf(text, last.key_begin);
  const std::string before = indent ? std::string(newline) + *indent : " ";
  const std::string added = before + name + Indented(value, indent.value_or(""), step, newline);
  if (into.trailing_comma) return Splice(text, into.comma_end, into.comma_end, added + ",");
  const size_t end = last.value[0].end;
  const size_t behind = BehindComment(text, end);  // a comment on the line of the last item stays with it
  return Splice(text, end, behind, "," + std::string(text.substr(end, behind - end)) + added);
}

std::string Nested(const JsonPath& path, size_t from, std::string_view value) {
  std::string out(value);
  for (size_t i = path.size(); i > from; --i) {
    std::string inner;
    for (char c : out) {
      inner += c;
      if (c == '\n') inner += "  ";
    }
    out = "{\n  \"" + path[i - 1] + "\": " + inner + "\n}";
  }
  return out;
}

// Removes item `index` with the comma that goes with it and the blanks before it.
std::string Cut(std::string_view text, const Node& from, size_t index) {
  const Node::Item& item = from.items[index];
  if (from.items.size() == 1) return Splice(text, from.begin + 1, from.end - 1, "");
  if (index == 0) return Splice(text, item.key_begin, from.items[1].key_begin, "");
  size_t begin = item.key_begin;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] == '\n') --begin;
  if (begin > 0 && text[begin - 1] == '\r') --begin;
  if (item.comma != 0) return Splice(text, begin, item.comma + 1, "");
  const std::string without = Splice(text, begin, item.value[0].end, "");
  const size_t comma = from.items[index - 1].comma;
  return Splice(without, comma, comma + 1, "");
}

}  // namespace

Result<std::string> SetJson(std::string_view text, const JsonPath& path, std::string_view value) {
  std::string_view source =
      text.find_first_not_of(" \t\r\n") == std::string_view::npos ? std::string_view("{}\n") : text;
  Result<Node> root = ScanText(source);
  if (!root.ok()) return root.error();
  const Node* node = &*root;
  for (size_t depth = 0; depth < path.size(); ++depth) {
    if (node->type != Node::Type::kObject) {
      return Error{Cause::kInvalid,
                   "\"" + (depth == 0 ? std::string("the file") : path[depth - 1]) + "\" is not an object"};
    }
    const Node* next = Child(*node, path[depth]);
    if (next == nullptr) return Insert(source, *root, *node, depth, path[depth], Nested(path, depth + 1, value));
    node = next;
  }
  std::string indent;
  for (size_t i = 0; i < path.size(); ++i) indent += StepOf(source, *root);
  return Splice(source, node->begin, node->end, Indented(value, indent, StepOf(source, *root), NewLine(source)));
}

Result<std::string> AppendJson(std::string_view text, const JsonPath& path, std::string_view value) {
  Result<std::optional<std::string>> found = FindJson(text, path);
  if (!found.ok() && text.find_first_not_of(" \t\r\n") != std::string_view::npos) return found.error();
  if (!found.ok() || !*found) {
    std::string array = "[\n  ";
    for (char c : value) array += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return SetJson(text, path, array + "\n]");
  }
  Result<Node> root = ScanText(text);
  if (!root.ok()) return root.error();
  const Node* node = Follow(*root, path);
  if (node->type != Node::Type::kArray) return Error{Cause::kInvalid, "\"" + path.back() + "\" is not an array"};
  return Insert(text, *root, *node, path.size(), "", value);
}

Result<std::string> RemoveJson(std::string_view text, const JsonPath& path) {
  Result<Node> root = ScanText(text);
  if (!root.ok()) return root.error();
  const Node* parent = Follow(*root, JsonPath(path.begin(), path.end() - 1));
  const size_t index = parent == nullptr ? SIZE_MAX : IndexOf(*parent, path.back());
  if (index != SIZE_MAX) return Cut(text, *parent, index);
  return Error{Cause::kNotFound, "\"" + path.back() + "\" is not there"};
}

Result<std::string> RemoveJsonElements(std::string_view text, const JsonPath& path,
                                       const std::function<bool(std::string_view element)>& is_ours) {
  std::string current(text);
  bool removed = false;
  while (true) {
    Result<Node> root = ScanText(current);
    if (!root.ok()) return root.error();
    const Node* node = Follow(*root, path);
    size_t found = SIZE_MAX;
    for (size_t i = 0; node != nullptr && i < node->items.size() && found == SIZE_MAX; ++i) {
      const Node& value = node->items[i].value[0];
      if (is_ours(std::string_view(current).substr(value.begin, value.end - value.begin))) found = i;
    }
    if (found == SIZE_MAX) break;
    current = Cut(current, *node, found);
    removed = true;
  }
  if (!removed) return Error{Cause::kNotFound, "nothing of ours is there"};
  return current;
}

Result<std::optional<std::string>> FindJson(std::string_view text, const JsonPath& path) {
  Result<Node> root = ScanText(text);
  if (!root.ok()) return root.error();
  const Node* node = Follow(*root, path);
  if (node == nullptr) return std::optional<std::string>();
  return std::optional<std::string>(text.substr(node->begin, node->end - node->begin));
}

bool IsEmptyJson(std::string_view text, const JsonPath& path) {
  Result<Node> root = ScanText(text);
  const Node* node = root.ok() ? Follow(*root, path) : nullptr;
  return node != nullptr && node->type != Node::Type::kOther && node->items.empty();
}

}  // namespace pith
