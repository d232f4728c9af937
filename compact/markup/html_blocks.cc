// From gumbo's tree to blocks. gumbo keeps where each text stands in the input, so that what is shown is quoted from
// the page itself. The walk is a loop, never recursion, for pages nest as deep as they like.
//
// gumbo 0.10 frees its tree by recursion, and rebuilds every open formatting element (<b>, <font>) in each new
// paragraph, which is quadratic where a page leaves many open. A scan of the tags before parsing bounds depth, open
// formatting elements, attributes of a tag and size; what exceeds them is left to the general lines view.
#include "compact/markup/html_blocks.h"

#include <gumbo.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "compact/characters.h"

namespace pith {
namespace {

constexpr size_t kLargestPage = 32 << 20;
constexpr size_t kDeepest = 2000;
constexpr size_t kMostFormatting = 64;
constexpr size_t kMostAttributes = 256;
constexpr size_t kLongParagraph = 240;  // bytes above which a paragraph is taken apart into sentences
constexpr size_t kGutter = 12;          // numbers in a cell that are a listing's line numbers

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
using ascii::IsLetter;
using ascii::Lower;

std::string_view NameAt(std::string_view text, size_t at, std::array<char, 16>& name) {
  size_t length = 0;
  while (at < text.size() && length < name.size() && (IsLetter(text[at]) || (text[at] >= '0' && text[at] <= '9')))
    name[length++] = Lower(text[at++]);
  return {name.data(), length};
}

bool OneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsVoid(std::string_view name) {
  return OneOf(name, {"br", "img", "hr", "meta", "link", "input", "area", "base", "col", "embed", "param", "source",
                      "track", "wbr", "p", "li", "dt", "dd", "option"});
}

bool IsFormatting(std::string_view name) {
  return OneOf(name, {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"});
}

// Past the end of the tag at text[at] ('<'), quotes respected; npos if it does not end. Counts attributes.
size_t TagEnd(std::string_view text, size_t at, size_t* attributes = nullptr) {
  char quote = 0;
  for (size_t i = at + 1; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && text[i - 1] == '=') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    } else if (attributes && IsBlank(c)) {
      ++*attributes;
    }
  }
  return std::string_view::npos;
}

bool PassesGuard(std::string_view text) {
  if (text.size() > kLargestPage) return false;
  size_t depth = 0, formatting = 0, most_depth = 0, most_formatting = 0;
  std::array<char, 16> buffer;
  for (size_t at = text.find('<'); at != std::string_view::npos && at + 1 < text.size(); at = text.find('<', at)) {
    bool closes = text[at + 1] == '/';
    std::string_view name = NameAt(text, at + 1 + closes, buffer);
    if (name.empty()) {
      ++at;
      continue;
    }
    size_t blanks = 0;
    size_t end = TagEnd(text, at, &blanks);
    if (end == std::string_view::npos) break;
    if (!closes && blanks > kMostAttributes) {
      size_t equals = static_cast<size_t>(
          std::count(text.begin() + static_cast<long>(at), text.begin() + static_cast<long>(end), '='));
      if (equals > kMostAttributes) return false;
    }
    if (IsFormatting(name)) closes ? formatting -= formatting > 0 : ++formatting;
    if (!IsVoid(name)) closes ? depth -= depth > 0 : ++depth;
    most_depth = std::max(most_depth, depth);
    most_formatting = std::max(most_formatting, formatting);
    at = end;
  }
  return most_depth <= kDeepest && most_formatting <= kMostFormatting;
}

// What an element does to the text in it.
enum class Role : uint8_t {
  kInline,
  kBlock,
  kHeading,
  kItem,
  kRow,
  kCell,
  kCode,
  kTable,
  kHidden,
  kAside,
  kMain,
  kTitle
};

Role RoleOf(GumboTag tag) {
  switch (tag) {
    case GUMBO_TAG_TITLE:
      return Role::kTitle;
    case GUMBO_TAG_H1:
    case GUMBO_TAG_H2:
    case GUMBO_TAG_H3:
    case GUMBO_TAG_H4:
    case GUMBO_TAG_H5:
    case GUMBO_TAG_H6:
      return Role::kHeading;
    case GUMBO_TAG_LI:
    case GUMBO_TAG_DT:
      return Role::kItem;
    case GUMBO_TAG_TR:
      return Role::kRow;
    case GUMBO_TAG_TD:
    case GUMBO_TAG_TH:
      return Role::kCell;
    case GUMBO_TAG_PRE:
    case GUMBO_TAG_TEXTAREA:
      return Role::kCode;
    case GUMBO_TAG_TABLE:
      return Role::kTable;
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_SVG:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_CANVAS:
      return Role::kHidden;
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_FOOTER:
    case GUMBO_TAG_ASIDE:
    case GUMBO_TAG_FORM:
    case GUMBO_TAG_BUTTON:
    case GUMBO_TAG_MENU:
      return Role::kAside;
    case GUMBO_TAG_MAIN:
      return Role::kMain;
    case GUMBO_TAG_P:
    case GUMBO_TAG_DIV:
    case GUMBO_TAG_SECTION:
    case GUMBO_TAG_ARTICLE:
    case GUMBO_TAG_HEADER:
    case GUMBO_TAG_UL:
    case GUMBO_TAG_OL:
    case GUMBO_TAG_DL:
    case GUMBO_TAG_DD:
    case GUMBO_TAG_BLOCKQUOTE:
    case GUMBO_TAG_BR:
    case GUMBO_TAG_HR:
    case GUMBO_TAG_FIGURE:
    case GUMBO_TAG_FIGCAPTION:
    case GUMBO_TAG_CAPTION:
    case GUMBO_TAG_TBODY:
    case GUMBO_TAG_THEAD:
    case GUMBO_TAG_TFOOT:
    case GUMBO_TAG_ADDRESS:
    case GUMBO_TAG_DETAILS:
    case GUMBO_TAG_SUMMARY:
    case GUMBO_TAG_FIELDSET:
    case GUMBO_TAG_LEGEND:
    case GUMBO_TAG_BODY:
    case GUMBO_TAG_HTML:
    case GUMBO_TAG_HEAD:
      return Role::kBlock;
    default:
      return Role::kInline;
  }
}

std::string_view AttributeOf(const GumboNode* node, const char* name) {
  GumboAttribute* attribute = gumbo_get_attribute(&node->v.element.attributes, name);
  return attribute ? std::string_view(attribute->value) : std::string_view();
}

bool IsMainContent(const GumboNode* node) {
  return node->v.element.tag == GUMBO_TAG_MAIN || AttributeOf(node, "role") == "main";
}

bool IsAside(const GumboNode* node) {
  std::string_view role = AttributeOf(node, "role");
  if (OneOf(role, {"navigation", "contentinfo", "search", "complementary", "banner", "menu", "toolbar"})) return true;
  return AttributeOf(node, "hidden").data() != nullptr &&
         gumbo_get_attribute(&node->v.element.attributes, "hidden") != nullptr;
}

class Walker {
 public:
  explicit Walker(const Document& document) : document_(document) {}

  std::vector<HtmlBlock> Walk(const GumboNode* root) {
    FindMain(root);
    Run(root, [this](const GumboNode* node, bool enters) { Visit(node, enters); });
    Close();
    std::stable_sort(blocks_.begin(), blocks_.end(), [](const HtmlBlock& a, const HtmlBlock& b) {
      return a.segments[0].span.begin < b.segments[0].span.begin;
    });
    return std::move(blocks_);
  }

 private:
  // Each node in document order, elements on entering and on leaving. Hidden elements are not entered.
  template <typename Visitor>
  static void Run(const GumboNode* root, Visitor visit) {
    std::vector<std::pair<const GumboNode*, unsigned>> stack = {{root, 0}};
    visit(root, true);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const GumboVector& children =
          node->type == GUMBO_NODE_DOCUMENT ? node->v.document.children : node->v.element.children;
      if (next == children.length) {
        visit(node, false);
        stack.pop_back();
        continue;
      }
      const GumboNode* child = static_cast<const GumboNode*>(children.data[next++]);
      bool element = child->type == GUMBO_NODE_ELEMENT;
      if (element && RoleOf(child->v.element.tag) == Role::kHidden) continue;
      visit(child, true);
      if (element) stack.emplace_back(child, 0);
    }
  }

  void FindMain(const GumboNode* root) {
    Run(root, [this](const GumboNode* node, bool enters) {
      if (enters && node->type == GUMBO_NODE_ELEMENT && IsMainContent(node)) has_main_ = true;
    });
  }

  void Visit(const GumboNode* node, bool enters) {
    bool blank_code = node->type == GUMBO_NODE_WHITESPACE && code_ > 0;  // in code, blanks are text
    if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA || blank_code) return AddText(node->v.text);
    if (node->type != GUMBO_NODE_ELEMENT) return;
    Role role = RoleOf(node->v.element.tag);
    int step = enters ? 1 : -1;
    if (IsMainContent(node)) main_ += step;
    if (role == Role::kAside || IsAside(node)) aside_ += step;
    switch (role) {
      case Role::kInline:
        return;
      case Role::kCell:
        cell_due_ = true;
        return;
      case Role::kCode:
        code_ += step;
        break;
      case Role::kTable:
        if (enters) row_ = 0;
        break;
      default:
        break;
    }
    if (in_row_ > 0 && role != Role::kRow && role != Role::kTable && role != Role::kCode)
      return;  // a cell's paragraphs stand in its row
    Close();
    if (role == Role::kRow) {
      in_row_ = enters ? in_row_ + 1 : in_row_ - 1;
      if (!enters) ++row_;
    }
    if (role == Role::kTable) in_row_ = 0;  // tables within cells have rows of their own
    bool heads = role == Role::kHeading || role == Role::kItem || role == Role::kRow || role == Role::kTitle;
    type_ = !enters || !heads        ? (code_ > 0     ? HtmlBlock::Type::kCode
                                        : in_row_ > 0 ? HtmlBlock::Type::kRow
                                                      : HtmlBlock::Type::kParagraph)
            : role == Role::kHeading ? HtmlBlock::Type::kHeading
            : role == Role::kItem    ? HtmlBlock::Type::kItem
            : role == Role::kTitle   ? HtmlBlock::Type::kTitle
                                     : HtmlBlock::Type::kRow;
    if (type_ == HtmlBlock::Type::kHeading) level_ = static_cast<uint8_t>(1 + node->v.element.tag - GUMBO_TAG_H1);
    cell_due_ = false;
  }

  void AddText(const GumboText& text) {
    const char* data = text.original_text.data;
    if (!data || data < document_.bytes.data() || data > document_.bytes.data() + document_.bytes.size()) return;
    uint64_t begin = static_cast<uint64_t>(data - document_.bytes.data());
    uint64_t end = std::min<uint64_t>(document_.bytes.size(), begin + text.original_text.length);
    begin = std::max(begin, last_end_);  // text that gumbo moved may overlap what stands before it
    if (code_ == 0) {
      while (begin < end && IsBlank(document_.bytes[begin])) ++begin;
      while (end > begin && IsBlank(document_.bytes[end - 1])) --end;
    }
    if (begin >= end) return;
    last_end_ = end;
    HtmlSegment segment{{begin, end}, cell_due_ && !open_.segments.empty()};
    cell_due_ = false;
    open_.segments.push_back(segment);
    open_.bytes += end - begin;
  }

  void Close() {
    if (open_.segments.empty()) return;
    open_.type = type_;
    open_.level = level_;
    open_.main = aside_ == 0 && (!has_main_ || main_ > 0 || type_ == HtmlBlock::Type::kTitle);
    open_.row = row_;
    DropGutters();
    if (!open_.segments.empty()) blocks_.push_back(std::move(open_));
    open_ = {};
  }

  // The line numbers beside a listing say nothing that the listing does not: cells of many numbers are left out.
  void DropGutters() {
    std::vector<HtmlSegment> kept;
    for (size_t first = 0; first < open_.segments.size();) {
      size_t end = first + 1;
      while (end < open_.segments.size() && !open_.segments[end].cell) ++end;
      bool numbers = end - first >= kGutter &&
                     std::all_of(open_.segments.begin() + static_cast<long>(first),
                                 open_.segments.begin() + static_cast<long>(end), [&](const HtmlSegment& segment) {
                                   return document_.Bytes(segment.span).find_first_not_of("0123456789 \n\r\t") ==
                                          std::string_view::npos;
                                 });
      if (!numbers)
        kept.insert(kept.end(), open_.segments.begin() + static_cast<long>(first),
                    open_.segments.begin() + static_cast<long>(end));
      first = end;
    }
    open_.segments.swap(kept);
    open_.bytes = 0;
    for (const HtmlSegment& segment : open_.segments) open_.bytes += segment.span.size();
  }

  const Document& document_;
  std::vector<HtmlBlock> blocks_;
  HtmlBlock open_;
  HtmlBlock::Type type_ = HtmlBlock::Type::kParagraph;
  uint8_t level_ = 0;
  bool has_main_ = false, cell_due_ = false;
  int main_ = 0, aside_ = 0, code_ = 0, in_row_ = 0;
  uint32_t row_ = 0;
  uint64_t last_end_ = 0;
};

bool EndsSentence(std::string_view text, size_t at) {
  if (text[at] != '.' && text[at] != '!' && text[at] != '?') return false;
  return at > 2 && at + 1 < text.size() && IsBlank(text[at + 1]) && text[at - 1] != '.' &&
         !(text[at - 2] == '.' || text[at - 2] == ' ');
}

// Long paragraphs as blocks of one sentence each, so that the first can be shown without the rest.
std::vector<HtmlBlock> SplitSentences(const Document& document, std::vector<HtmlBlock> blocks) {
  std::vector<HtmlBlock> out;
  for (HtmlBlock& block : blocks) {
    bool text = block.type == HtmlBlock::Type::kParagraph || block.type == HtmlBlock::Type::kItem;
    if (!text || block.bytes <= kLongParagraph) {
      out.push_back(std::move(block));
      continue;
    }
    HtmlBlock part = block;
    part.segments.clear();
    part.bytes = 0;
    auto flush = [&] {
      if (part.segments.empty()) return;
      out.push_back(part);
      part.segments.clear();
      part.bytes = 0;
      part.continues = true;
    };
    for (const HtmlSegment& segment : block.segments) {
      std::string_view bytes = document.Bytes(segment.span);
      size_t start = 0;
      for (size_t at = 0; at < bytes.size(); ++at) {
        if (!EndsSentence(bytes, at) || part.bytes + at - start < 60) continue;
        part.segments.push_back(
            {{segment.span.begin + start, segment.span.begin + at + 1}, segment.cell && start == 0});
        part.bytes += at + 1 - start;
        start = at + 1;
        while (start < bytes.size() && IsBlank(bytes[start])) ++start;
        flush();
      }
      if (start >= bytes.size()) continue;
      part.segments.push_back({{segment.span.begin + start, segment.span.end}, segment.cell && start == 0});
      part.bytes += bytes.size() - start;
    }
    flush();
  }
  return out;
}

struct EntityRow {
  std::string_view name, text;
};
constexpr EntityRow kEntities[] = {
    {"amp", "&"},
    {"lt", "<"},
    {"gt", ">"},
    {"quot", "\""},
    {"apos", "'"},
    {"nbsp", " "},
    {"mdash", "\xE2\x80\x94"},
    {"ndash", "\xE2\x80\x93"},
    {"hellip", "\xE2\x80\xA6"},
    {"lsquo", "\xE2\x80\x98"},
    {"rsquo", "\xE2\x80\x99"},
    {"ldquo", "\xE2\x80\x9C"},
    {"rdquo", "\xE2\x80\x9D"},
    {"copy", "\xC2\xA9"},
    {"reg", "\xC2\xAE"},
    {"trade", "\xE2\x84\xA2"},
    {"times", "\xC3\x97"},
    {"middot", "\xC2\xB7"},
    {"bull", "\xE2\x80\xA2"},
    {"laquo", "\xC2\xAB"},
    {"raquo", "\xC2\xBB"},
    {"rarr", "\xE2\x86\x92"},
    {"larr", "\xE2\x86\x90"},
    {"para", "\xC2\xB6"},
    {"sect", "\xC2\xA7"},
    {"euro", "\xE2\x82\xAC"},
    {"pound", "\xC2\xA3"},
    {"deg", "\xC2\xB0"},
    {"plusmn", "\xC2\xB1"},
    {"check", "\xE2\x9C\x93"},
};

std::string Utf8Of(uint32_t code) {
  std::string out;
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
  return out;
}

}  // namespace

std::optional<std::vector<HtmlBlock>> ReadHtml(const Document& document) {
  if (document.bytes.empty() || !PassesGuard(document.bytes)) return std::nullopt;
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  GumboOutput* output = gumbo_parse_with_options(&options, document.bytes.data(), document.bytes.size());
  if (!output) return std::nullopt;
  std::vector<HtmlBlock> blocks = Walker(document).Walk(output->document);
  gumbo_destroy_output(&options, output);
  return SplitSentences(document, std::move(blocks));
}

bool IsMarkup(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    char c = bytes[at];
    if (IsBlank(c) || bytes.substr(at, 3) == "\xEF\xBB\xBF") {
      at += IsBlank(c) ? 1 : 3;
    } else if (bytes.substr(at, 4) == "<!--") {
      size_t end = bytes.find("-->", at + 4);
      if (end == std::string_view::npos) return false;
      at = end + 3;
    } else if (c == '<' && at + 1 < bytes.size() &&
               (IsLetter(bytes[at + 1]) || bytes[at + 1] == '/' || bytes[at + 1] == '!' || bytes[at + 1] == '?')) {
      if (bytes.substr(at, 9) == "<![CDATA[") return false;
      size_t end = TagEnd(bytes, at);
      if (end == std::string_view::npos) return false;
      at = end;
    } else {
      return false;
    }
  }
  return true;
}

std::string DecodeEntity(std::string_view entity) {
  if (entity.size() < 4 || entity.size() > 12 || entity.front() != '&' || entity.back() != ';') return "";
  std::string_view name = entity.substr(1, entity.size() - 2);
  if (name[0] != '#') {
    for (const EntityRow& row : kEntities) {
      if (row.name == name) return std::string(row.text);
    }
    return "";
  }
  bool hex = name.size() > 1 && Lower(name[1]) == 'x';
  uint32_t code = 0;
  for (char c : name.substr(hex ? 2 : 1)) {
    uint32_t digit = c >= '0' && c <= '9'                        ? static_cast<uint32_t>(c - '0')
                     : hex && Lower(c) >= 'a' && Lower(c) <= 'f' ? static_cast<uint32_t>(Lower(c) - 'a' + 10)
                                                                 : 99;
    if (digit == 99) return "";
    code = code * (hex ? 16 : 10) + digit;
    if (code > 0x10FFFF) return "";
  }
  bool shown = code >= 0x20 && !(code >= 0x7F && code < 0xA0) && !(code >= 0xD800 && code < 0xE000);
  return shown ? Utf8Of(code) : "";
}

bool MarkupFoldMatches(const Document& document, const Piece& piece) {
  if (!piece.more.empty()) return false;
  std::string_view bytes = document.Bytes(piece.span);
  std::string_view text = piece.text;
  if (bytes.starts_with('&')) return !text.empty() && DecodeEntity(bytes) == text;
  bool marker =
      text.size() >= 2 && text.size() <= 7 && text.back() == ' ' && text.find_first_not_of('#') == text.size() - 1;
  return IsMarkup(bytes) && (text.empty() || text == " " || text == " | " || text == "- " || marker);
}

}  // namespace pith
