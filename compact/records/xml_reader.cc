// A scan for tags. Views need where elements begin and end, what they are called and how they nest; entities,
// namespaces and validity are left to those who read the original.
#include "compact/records/xml_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <unordered_map>

namespace pith {
namespace {

constexpr uint32_t kLeastRecords = 4;
constexpr size_t kLookedBack = 64;  // open elements among which an end tag looks for its own
constexpr size_t kDeepest = 16;     // levels of elements in a record that have columns

bool NameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool NameByte(char c) { return NameStart(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':'; }

size_t After(std::string_view text, size_t at, std::string_view what) {
  size_t found = text.find(what, at);
  return found == std::string_view::npos ? text.size() : found + what.size();
}

// Offset after the tag at text[at] == '<'; quotes may hold '>'.
size_t TagEnd(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '>') {
    if (text[at] == '"' || text[at] == '\'') {
      size_t close = text.find(text[at], at + 1);
      if (close == std::string_view::npos) return text.size();
      at = close;
    }
    ++at;
  }
  return std::min(at + 1, text.size());
}

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

XmlTape::XmlTape(std::string_view bytes) : bytes_(bytes) {
  std::vector<uint32_t> open;
  auto close = [&](uint32_t inner_end, uint32_t end) {
    XmlElement& element = elements_[open.back()];
    element.inner_end = inner_end;
    element.end = end;
    element.next = static_cast<uint32_t>(elements_.size());
    open.pop_back();
  };
  size_t at = 0;
  while ((at = bytes.find('<', at)) < bytes.size()) {
    std::string_view rest = bytes.substr(at);
    if (rest.starts_with("<!--")) {
      at = After(bytes, at, "-->");
      continue;
    }
    if (rest.starts_with("<![CDATA[")) {
      at = After(bytes, at, "]]>");
      continue;
    }
    if (rest.starts_with("<?")) {
      at = After(bytes, at, "?>");
      continue;
    }
    if (rest.starts_with("<!")) {
      at = TagEnd(bytes, at + 1);
      continue;
    }
    bool end_tag = rest.starts_with("</");
    size_t name = at + 1 + end_tag, name_end = name;
    while (name_end < bytes.size() && NameByte(bytes[name_end])) ++name_end;
    if (name_end == name || !NameStart(bytes[name])) {
      ++strays_, ++at;
      continue;
    }
    size_t after = TagEnd(bytes, name_end);
    if (end_tag) {
      std::string_view wanted = bytes.substr(name, name_end - name);
      size_t back = 0;
      while (back < std::min(open.size(), kLookedBack) && Name(elements_[open[open.size() - 1 - back]]) != wanted)
        ++back;
      if (back < std::min(open.size(), kLookedBack)) {
        for (; back > 0; --back, ++strays_) close(static_cast<uint32_t>(at), static_cast<uint32_t>(at));
        close(static_cast<uint32_t>(at), static_cast<uint32_t>(after));
      } else {
        ++strays_;
      }
    } else {
      XmlElement element;
      element.begin = static_cast<uint32_t>(at);
      element.inner = element.inner_end = element.end = static_cast<uint32_t>(after);
      element.name = static_cast<uint32_t>(name);
      element.name_size = static_cast<uint32_t>(name_end - name);
      element.depth = static_cast<uint32_t>(open.size());
      element.next = static_cast<uint32_t>(elements_.size() + 1);
      bool closed = after >= 2 && bytes[after - 2] == '/';
      if (!closed) open.push_back(static_cast<uint32_t>(elements_.size()));
      elements_.push_back(element);
    }
    at = after;
  }
  while (!open.empty()) ++strays_, close(static_cast<uint32_t>(bytes.size()), static_cast<uint32_t>(bytes.size()));
}

namespace {

class XmlRecords : public Records {
 public:
  XmlRecords(const Document& document, const XmlTape& tape) : document_(document), tape_(tape) {}

  void Cells(uint32_t record, std::vector<RecordCell>& out) const override {
    uint32_t next = 0;  // records mostly hold the same columns in the same order
    Walk(elements_[record], [&](uint64_t path, Span value, bool quoted, auto) {
      if (next >= paths_.size() || paths_[next] != path) {
        auto column = index_.find(path);
        if (column == index_.end()) return;
        next = column->second;
      }
      out.push_back({next++, value, quoted});
    });
  }

  // Each record takes the blanks before it on its line and, if nothing else follows there, the line end.
  void Read(const std::vector<uint32_t>& elements) {
    elements_ = elements;
    std::string_view bytes = document_.bytes;
    uint32_t taken = 0;
    for (uint32_t index : elements_) {
      const XmlElement& element = tape_.elements()[index];
      uint32_t begin = element.begin, end = element.end;
      while (begin > taken && (bytes[begin - 1] == ' ' || bytes[begin - 1] == '\t')) --begin;
      bool starts_line = begin == 0 || bytes[begin - 1] == '\n';
      if (!starts_line) begin = element.begin;
      uint32_t after = end;
      while (after < bytes.size() && (bytes[after] == ' ' || bytes[after] == '\t' || bytes[after] == '\r')) ++after;
      if (starts_line && after < bytes.size() && bytes[after] == '\n') end = after + 1;
      spans.push_back({begin, end});
      taken = end;
    }
    NameColumns();
  }

 private:
  void NameColumns() {
    for (uint32_t element : elements_) {
      if (columns.size() >= kMostColumns) return;
      Walk(element, [&](uint64_t path, Span, bool, auto name) {
        if (columns.size() >= kMostColumns || index_.contains(path)) return;
        index_.emplace(path, static_cast<uint32_t>(columns.size()));
        paths_.push_back(path);
        columns.push_back(name());
      });
    }
  }

  // Calls `visit` with path, value and name of each attribute and each text of an element without elements.
  template <typename Visit>
  void Walk(uint32_t record, Visit visit) const {
    const std::vector<XmlElement>& all = tape_.elements();
    uint32_t depth = all[record].depth;
    std::array<uint64_t, kDeepest + 2> hashes{};
    std::array<std::string_view, kDeepest + 2> names{};
    for (uint32_t i = record; i < all[record].next; ++i) {
      const XmlElement& element = all[i];
      size_t level = element.depth - depth;
      if (level > kDeepest) continue;
      const std::string_view own = level == 0 ? std::string_view() : tape_.Name(element);
      uint64_t path = level == 0 ? 1 : MixHashes(hashes[level], HashText(own));
      hashes[level + 1] = path;
      names[level + 1] = own;
      auto name = [&](std::string_view last) {
        std::string out;
        for (std::string_view part : std::span(names).first(level + 2))
          out += (out.empty() || part.empty() ? "" : ".") + std::string(part);
        return last.empty() ? out : out + (out.empty() ? "" : ".") + std::string(last);
      };
      Attributes(element, [&](std::string_view key, Span value) {
        visit(MixHashes(path, HashText(key)), value, true, [&] { return name(key); });
      });
      if (element.next == i + 1 && element.inner < element.inner_end) {
        Span value = Trimmed({element.inner, element.inner_end});
        if (value.size() > 0) visit(path, value, false, [&] { return name({}); });
      }
    }
  }

  template <typename Visit>
  void Attributes(const XmlElement& element, Visit visit) const {
    std::string_view bytes = document_.bytes;
    size_t at = element.name + element.name_size;
    while (at < element.inner) {
      while (at < element.inner && !NameStart(bytes[at])) ++at;
      size_t end = at;
      while (end < element.inner && NameByte(bytes[end])) ++end;
      if (end + 1 >= element.inner || bytes[end] != '=' || (bytes[end + 1] != '"' && bytes[end + 1] != '\'')) {
        at = end + 1;
        continue;
      }
      size_t close = bytes.find(bytes[end + 1], end + 2);
      if (close >= element.inner) return;
      visit(bytes.substr(at, end - at), Span{end + 2, close});
      at = close + 1;
    }
  }

  Span Trimmed(Span span) const {
    while (span.begin < span.end && IsSpace(document_.bytes[span.begin])) ++span.begin;
    while (span.begin < span.end && IsSpace(document_.bytes[span.end - 1])) --span.end;
    std::string_view text = document_.Bytes(span);
    if (text.starts_with("<![CDATA[") && text.ends_with("]]>") && text.size() >= 12)
      return Trimmed({span.begin + 9, span.end - 3});
    return span;
  }

  const Document& document_;
  const XmlTape& tape_;
  std::vector<uint32_t> elements_;
  std::vector<uint64_t> paths_;                   // of each column
  std::unordered_map<uint64_t, uint32_t> index_;  // path to column
};

// Elements of one name under one parent.
struct Group {
  uint32_t count = 0;
  uint64_t bytes = 0;
};

// The groups of the parents that are open, for elements that come in document order.
class Siblings {
 public:
  // Of the parent that is open `level` deep; what stood deeper is closed. Null: deeper than records stand.
  Group* Of(size_t level, uint64_t name) {
    if (level >= levels_.size()) return nullptr;
    while (open_ > level + 1) levels_[--open_].Clear();
    open_ = level + 1;
    return &levels_[level].Of(name);
  }

 private:
  static constexpr size_t kFew = 8;

  struct Level {
    std::array<uint64_t, kFew> names;
    std::array<Group, kFew> few;
    size_t used = 0;
    std::unordered_map<uint64_t, Group> more;

    Group& Of(uint64_t name) {
      for (size_t i = 0; i < used; ++i) {
        if (names[i] == name) return few[i];
      }
      if (used == kFew) return more[name];
      names[used] = name;
      few[used] = {};
      return few[used++];
    }
    void Clear() {
      used = 0;
      if (!more.empty()) more = {};
    }
  };

  std::array<Level, 64> levels_;
  size_t open_ = 0;
};

}  // namespace

std::unique_ptr<Records> ReadXmlRecords(const Document& document, const XmlTape& tape, uint64_t share) {
  const std::vector<XmlElement>& elements = tape.elements();
  Siblings siblings;
  std::vector<uint64_t> keys(elements.size());
  std::vector<uint32_t> parents;
  uint64_t best = 0, best_bytes = 0;
  for (uint32_t i = 0; i < elements.size(); ++i) {
    parents.resize(std::min<size_t>(parents.size(), elements[i].depth));
    const uint64_t name = HashText(tape.Name(elements[i]));
    keys[i] = MixHashes(parents.empty() ? 1 : parents.back() + 2ull, name);
    Group* group = siblings.Of(parents.size(), name);
    parents.push_back(i);
    if (group == nullptr) continue;
    ++group->count;
    group->bytes += elements[i].end - elements[i].begin;
    if (group->count >= kLeastRecords && group->bytes > best_bytes) best = keys[i], best_bytes = group->bytes;
  }
  if (best_bytes * 100 < document.bytes.size() * share) return nullptr;
  std::vector<uint32_t> chosen;
  for (uint32_t i = 0; i < elements.size(); ++i)
    if (keys[i] == best) chosen.push_back(i);
  auto records = std::make_unique<XmlRecords>(document, tape);
  records->Read(chosen);
  return records->columns.empty() ? nullptr : std::move(records);
}

}  // namespace pith
