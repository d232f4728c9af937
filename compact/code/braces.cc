// Outlines of languages that nest by braces. The text since the last statement's end is the header of the next brace:
// it says whether the block is a type whose members are declarations too, a function whose body is folded, or a value.
// What stands within a function is never looked at but for its brackets. Where brackets do not match (both branches of
// an #if), a closing brace that begins a line closes the block whose own line has the same indent.
#include <algorithm>

#include "compact/code/outline.h"

namespace pith {
namespace {

constexpr size_t kLongestHeader = 4000;
constexpr uint32_t kSignatureLines = 6;

enum class Block : uint8_t { kContainer, kFields, kFunction, kValue };

struct Open {
  Block block;
  uint32_t indent;
  std::string header;  // kValue: what it interrupts
  uint32_t statement;
  int parens;
};

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '!';
}

// The first of `words` that stands in `text` as a word, and where; npos if none.
size_t FindAnyWord(std::string_view text, std::string_view words) {
  for (size_t at = 0; at < text.size();) {
    if (!IsWord(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && IsWord(text[end])) ++end;
    if (HoldsWord(words, text.substr(at, end - at))) return at;
    at = end;
  }
  return std::string_view::npos;
}

constexpr std::string_view kControl =
    "if for while switch catch do else try match loop unless until with lock synchronized foreach when guard defer "
    "return throw using fixed checked finally elseif";

class BraceOutline {
 public:
  BraceOutline(const Document& document, const CodeLanguage& language)
      : document_(document), language_(language), scanner_(language), roles_(document.line_count(), CodeRole::kBody) {}

  std::vector<CodeRole> Run() {
    for (line_ = 0; line_ < document_.line_count(); ++line_) ReadLine();
    EndStatement();
    return std::move(roles_);
  }

 private:
  bool AtMembers() const { return functions_ == 0; }
  bool IsScript() const { return language_.backquotes && language_.name != "go" && language_.name != "shell"; }

  void ReadLine() {
    std::string_view text = document_.Text(line_);
    size_t indent = text.find_first_not_of(" \t");
    bool carried = scanner_.inside();
    if (indent == std::string_view::npos) {
      if (!carried) roles_[line_] = CodeRole::kBlank;
      scanner_.Line(text);
      return;
    }
    if (!carried && language_.preprocessor && text[indent] == '#') return ReadDirective(text.substr(indent));
    if (continued_) {  // of a directive
      continued_ = text.ends_with('\\');
      return;
    }
    indent_ = static_cast<uint32_t>(indent);
    const std::string& code = scanner_.Line(text);
    if (scanner_.comment_only()) {
      if (AtMembers()) roles_[line_] = CodeRole::kComment;
      return;
    }
    bool began = false;
    for (size_t at = 0; at < code.size(); ++at) began = Step(code, at, began) || began;
    if (code.find_first_not_of(" \t})];,") == std::string::npos && roles_[line_] == CodeRole::kBody && AtMembers()) {
      roles_[line_] = CodeRole::kClosing;
    }
    if (language_.newline_ends && AtMembers() && parens_ == 0 && !header_.empty() && EndsHere()) EndStatement();
  }

  void ReadDirective(std::string_view text) {
    continued_ = text.ends_with('\\');
    if (!AtMembers()) return;
    text.remove_prefix(std::min(text.size(), text.find_first_not_of("# \t")));
    if (text.starts_with("include") || text.starts_with("import"))
      roles_[line_] = CodeRole::kImport;
    else if (text.starts_with("define"))
      roles_[line_] = CodeRole::kDeclaration;
    else
      roles_[line_] = CodeRole::kTop;
  }

  // One character of code. True if a statement began with it.
  bool Step(const std::string& code, size_t at, bool began) {
    char c = code[at];
    if (c == '{') return OpenBlock(), false;
    if (c == '}') return CloseBlock(code.find_first_not_of(" \t") == at), false;
    if (!AtMembers()) return false;
    if (c == '(' || c == '[') ++parens_;
    if ((c == ')' || c == ']') && parens_ > 0) --parens_;
    bool fields = !stack_.empty() && stack_.back().block == Block::kFields;
    if (parens_ == 0 && (c == ';' || (c == ',' && fields))) return EndStatement(), false;
    if (c == ' ' || c == '\t') {
      if (!header_.empty() && header_.back() != ' ') header_ += ' ';
      return false;
    }
    bool starts = header_.empty();
    if (starts) statement_ = line_;
    if (header_.size() < kLongestHeader) header_ += c;
    return starts && !began;
  }

  // Whether a statement ends with its line: nothing in this line or the next asks for more.
  bool EndsHere() const {
    size_t last = header_.find_last_not_of(' ');
    if (last == std::string::npos) return false;
    if (std::string_view(",=+-*/|&<(.:?").find(header_[last]) != std::string_view::npos) return false;
    for (uint32_t next = line_ + 1; next < document_.line_count() && next < line_ + 4; ++next) {
      std::string_view text = document_.Text(next);
      size_t start = text.find_first_not_of(" \t");
      if (start == std::string_view::npos) continue;
      return std::string_view(".{?:+|&=").find(text[start]) == std::string_view::npos;
    }
    return true;
  }

  // --- blocks ---

  Block Classify() const {
    std::string_view header = WithoutAttributes(header_);
    while (!header.empty() && header.back() == ' ') header.remove_suffix(1);
    size_t paren = header.find('(');
    size_t container = FindAnyWord(header.substr(0, std::min(paren, header.size())), language_.containers);
    std::string_view first = FirstCodeWord(header);
    bool assigns = HasAssignment(header);
    if (HoldsWord(language_.imports, first) && first != "extern") return Block::kValue;
    if (FindAnyWord(header, language_.functions) != std::string_view::npos && !(parens_ > 0 && IsScript())) {
      if (container == std::string_view::npos || language_.name == "rust" || language_.name == "go")
        return Block::kFunction;
    }
    if (IsScript() && parens_ > 0 && (first == "it" || first == "test")) return Block::kFunction;
    if (IsScript() && parens_ > 0) return IsWrapper(header) ? Block::kContainer : Block::kValue;
    if (parens_ > 0 && container == std::string_view::npos) return Block::kValue;
    if (container != std::string_view::npos) {
      std::string_view word = FirstCodeWord(header.substr(container));
      bool plain_type = word == "struct" || word == "enum" || word == "union";
      if (language_.preprocessor && language_.name != "csharp" && paren != std::string_view::npos && plain_type &&
          !assigns)
        return Block::kFunction;
      if (assigns && !IsScript() && word != "object") return Block::kValue;
      bool comma = word == "enum" || (word == "struct" && language_.name == "rust") ||
                   (word == "union" && language_.name == "rust");
      return comma ? Block::kFields : Block::kContainer;
    }
    if (IsScript() && (first == "type" || first == "declare")) return Block::kContainer;
    if (IsScript() && header.ends_with("=>")) return Block::kFunction;
    if (HoldsWord(kControl, first)) return header.empty() ? Block::kFunction : Block::kValue;
    if (language_.functions_by_shape && paren != std::string_view::npos && paren > 0 && !(assigns && IsScript())) {
      return assigns && header.find(')') == std::string_view::npos ? Block::kValue : Block::kFunction;
    }
    if (assigns || header.ends_with(':')) return IsScript() ? Block::kFields : Block::kValue;
    return header.empty() && IsScript() ? Block::kValue : Block::kFunction;
  }

  // "describe('x', () => {", "(function () {": a module's wrapping, whose statements stand at its level.
  static bool IsWrapper(std::string_view header) {
    if (!header.ends_with("=>") && !header.ends_with(')')) return false;
    if (header.ends_with(')') && FindAnyWord(header, "function") == std::string_view::npos) return false;
    std::string_view first = FirstCodeWord(header);
    return header.front() == '(' || header.front() == '!' || first == "define" || first == "describe" ||
           first == "suite" || first == "context";
  }

  // A '=' that assigns, outside brackets and type arguments.
  static bool HasAssignment(std::string_view header) {
    int depth = 0;
    for (size_t at = 0; at < header.size(); ++at) {
      char c = header[at];
      char before = at > 0 ? header[at - 1] : ' ', after = at + 1 < header.size() ? header[at + 1] : ' ';
      if (c == '(' || c == '[' || (c == '<' && (IsWord(before) || before == ' ') && after != '=' && after != '<'))
        ++depth;
      if ((c == ')' || c == ']' || (c == '>' && before != '-' && before != '=')) && depth > 0) --depth;
      if (c != '=' || depth > 0 || header.substr(0, at).ends_with("operator")) continue;
      if (std::string_view("=!<>").find(before) == std::string_view::npos && after != '=' && after != '>') return true;
    }
    return false;
  }

  // A header without the attributes that begin it: #[derive(A)], @Override, [Serializable], [[nodiscard]].
  std::string_view WithoutAttributes(std::string_view header) const {
    while (!header.empty()) {
      size_t open = std::string_view::npos;
      if (header.starts_with("#[") || header.starts_with("#![") || header.starts_with("[["))
        open = header.find('[');
      else if (header[0] == '[' && language_.name == "csharp")
        open = 0;
      size_t end = 0;
      if (open != std::string_view::npos) {
        end = Balanced(header, open);
      } else if (header[0] == '@' && !header.starts_with("@interface")) {
        end = 1;
        while (end < header.size() && (IsWord(header[end]) || header[end] == '.')) ++end;
        if (end < header.size() && header[end] == '(') end = Balanced(header, end);
      }
      if (end == 0) break;
      header.remove_prefix(end);
      while (header.starts_with(' ')) header.remove_prefix(1);
    }
    return header;
  }

  // Past the bracket that closes the one at `open`.
  static size_t Balanced(std::string_view text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); ++at) {
      if (text[at] == '(' || text[at] == '[') ++depth;
      if ((text[at] == ')' || text[at] == ']') && --depth == 0) return at + 1;
    }
    return text.size();
  }

  void OpenBlock() {
    if (!AtMembers()) {
      if (DeclaresWithin(document_.Text(line_))) roles_[line_] = CodeRole::kMember;
      ++functions_;
      stack_.push_back({Block::kFunction, indent_, "", 0, 0});
      return;
    }
    if (header_.empty()) statement_ = line_;
    Block block = Classify();
    if (block == Block::kFunction || block == Block::kContainer || block == Block::kFields) {
      std::string_view header = WithoutAttributes(header_);
      bool control = header.empty() || HoldsWord(kControl, FirstCodeWord(header));
      MarkStatement(control ? CodeRole::kTop : CodeRole::kDeclaration, line_);
    }
    stack_.push_back({block, IndentOf(statement_), "", statement_, parens_});
    if (block == Block::kValue) {
      if (IsScript() && parens_ > 0 && stack_.size() == 1) MarkStatement(CodeRole::kMember, line_);
      stack_.back().header = header_;
      ++functions_;  // a value's inside is no place for declarations either
    } else if (block == Block::kFunction) {
      ++functions_;
    }
    header_.clear();
    parens_ = 0;
  }

  // A function or type inside a function, by the word that its line begins with.
  bool DeclaresWithin(std::string_view text) const {
    std::string_view word = FirstCodeWord(text);
    bool wrapped = word == "return" || word == "async" || word == "static" || word == "pub" || word == "const";
    if (wrapped) {
      text.remove_prefix(static_cast<size_t>(word.data() - text.data()) + word.size());
      word = FirstCodeWord(text);
    }
    return HoldsWord(language_.functions, word) || HoldsWord(language_.containers, word);
  }

  uint32_t IndentOf(uint32_t line) const {
    size_t indent = document_.Text(line).find_first_not_of(" \t");
    return indent == std::string_view::npos ? 0 : static_cast<uint32_t>(indent);
  }

  void CloseBlock(bool begins_line) {
    if (AtMembers() && !header_.empty()) EndStatement();
    if (stack_.empty()) return;
    size_t target = stack_.size() - 1;
    if (begins_line && language_.preprocessor) {
      size_t same = target;
      while (same > 0 && stack_[same].indent > indent_) --same;
      // Two functions that are open at one indent are the branches of an #if: one brace closes both.
      auto function_at = [&](size_t i) { return stack_[i].block == Block::kFunction && stack_[i].indent == indent_; };
      while (same > 0 && function_at(same) && function_at(same - 1)) --same;
      if (stack_[same].indent == indent_) target = same;
    }
    while (stack_.size() > target) {
      Open open = std::move(stack_.back());
      stack_.pop_back();
      if (open.block == Block::kFunction || open.block == Block::kValue) --functions_;
      header_.clear();
      parens_ = 0;
      if (open.block == Block::kValue && AtMembers()) {
        header_ = std::move(open.header);
        statement_ = open.statement;
        parens_ = open.parens;
      }
    }
  }

  // --- statements ---

  bool IsAttribute(uint32_t line) const {
    std::string_view text = document_.Text(line);
    size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return false;
    text.remove_prefix(start);
    if (text.starts_with("#[") || text.starts_with("#![")) return true;
    if (text[0] == '[' && language_.name == "csharp") return true;
    return text[0] == '@' && !text.starts_with("@interface") && text.find('{') == std::string_view::npos &&
           text.find(';') == std::string_view::npos;
  }

  // Lines statement_..last get `role`, attributes before them their own; beyond a signature's usual length nothing.
  void MarkStatement(CodeRole role, uint32_t last) {
    uint32_t marked = 0;
    bool attributes = true;
    for (uint32_t line = statement_; line <= last; ++line) {
      bool settled =
          roles_[line] == CodeRole::kDeclaration || (roles_[line] == CodeRole::kMember && role == CodeRole::kTop);
      if (settled || roles_[line] == CodeRole::kComment || roles_[line] == CodeRole::kBlank) continue;
      attributes = attributes && IsAttribute(line) && line < last;
      if (attributes)
        roles_[line] = CodeRole::kAttribute;
      else if (role == CodeRole::kImport || marked++ < (role == CodeRole::kDeclaration ? kSignatureLines : 1))
        roles_[line] = role;
    }
  }

  void EndStatement() {
    if (!header_.empty()) {
      uint32_t last = std::min(line_, document_.line_count() - 1);
      if (last == statement_ && IsAttribute(last))
        roles_[last] = CodeRole::kAttribute;
      else
        MarkStatement(RoleOfStatement(), last);
    }
    header_.clear();
    parens_ = 0;
  }

  CodeRole RoleOfStatement() const {
    std::string_view header = WithoutAttributes(header_);
    std::string_view first = FirstCodeWord(header);
    bool reexports = first == "export" && header.find(" from ") != std::string_view::npos;
    if (HoldsWord(language_.imports, first) || reexports) return CodeRole::kImport;
    if (HoldsWord(language_.declarations, first) || HoldsWord(language_.functions, first))
      return CodeRole::kDeclaration;
    if (IsPrototype(header)) return CodeRole::kDeclaration;
    bool type = !language_.preprocessor && FindAnyWord(header, language_.containers) != std::string_view::npos;
    if (type && !HasAssignment(header)) return CodeRole::kDeclaration;
    if (stack_.empty() && !HasAssignment(header)) return CodeRole::kTop;
    return CodeRole::kMember;
  }

  // "int f(int a)": a name, then parentheses to the end, and a type before the name.
  bool IsPrototype(std::string_view header) const {
    if (!language_.functions_by_shape || IsScript() || language_.name == "shell" || HasAssignment(header)) return false;
    size_t paren = header.find('(');
    if (paren == std::string_view::npos || paren == 0 || HoldsWord(kControl, FirstCodeWord(header))) return false;
    return header.substr(0, paren).find(' ') != std::string_view::npos;
  }

  const Document& document_;
  const CodeLanguage& language_;
  CodeScanner scanner_;
  std::vector<CodeRole> roles_;
  std::vector<Open> stack_;
  size_t functions_ = 0;  // open blocks that are functions or values
  std::string header_;
  int parens_ = 0;
  uint32_t line_ = 0, statement_ = 0, indent_ = 0;
  bool continued_ = false;
};

}  // namespace

std::vector<CodeRole> OutlineBraces(const Document& document, const CodeLanguage& language) {
  return BraceOutline(document, language).Run();
}

}  // namespace pith
