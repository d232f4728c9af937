// Outlines of languages whose nesting shows in the indent: Python by law, Ruby by custom. A line deeper than the
// function that it follows is body; a class, a module and blocks at their level are looked into. SQL has statements and
// no nesting.
#include "compact/code/outline.h"

namespace pith {
namespace {

constexpr uint32_t kSignatureLines = 6;

class IndentOutline {
 public:
  IndentOutline(const Document& document, const CodeLanguage& language)
      : document_(document), language_(language), scanner_(language), roles_(document.line_count(), CodeRole::kBody) {}

  std::vector<CodeRole> Run() {
    for (line_ = 0; line_ < document_.line_count(); ++line_) {
      if (language_.blocks == CodeBlocks::kStatements)
        ReadSql();
      else
        ReadLine();
    }
    return std::move(roles_);
  }

 private:
  void ReadLine() {
    std::string_view text = document_.Text(line_);
    size_t indent = text.find_first_not_of(" \t");
    bool carried = scanner_.inside() || parens_ > 0 || backslash_;
    const std::string& code = scanner_.Line(text);
    if (indent == std::string_view::npos) {
      if (!carried) roles_[line_] = CodeRole::kBlank;
      return;
    }
    if (carried) {
      if (in_signature_ && signature_lines_++ < kSignatureLines)
        roles_[line_] = CodeRole::kDeclaration;
      else if (in_import_)
        roles_[line_] = CodeRole::kImport;
      Follow(code);
      return;
    }
    in_signature_ = in_import_ = false;
    if (scanner_.comment_only() || text.substr(indent).starts_with("=begin")) {
      if (body_ == kNone || indent <= body_) roles_[line_] = CodeRole::kComment;
      return;
    }
    if (body_ != kNone && indent > body_) {
      ReadDocstring(text, indent);
      Follow(code);
      return;
    }
    if (body_ != kNone) {
      docstring_due_ = false;
      bool closes = text.substr(indent).starts_with("end") && language_.blocks == CodeBlocks::kEnd && indent == body_;
      body_ = kNone;
      if (closes) {
        roles_[line_] = CodeRole::kClosing;
        return;
      }
    }
    ReadStatement(text, indent);
    Follow(code);
  }

  void ReadStatement(std::string_view text, size_t indent) {
    std::string_view first = FirstCodeWord(text);
    std::string_view rest = text.substr(indent);
    if (first.starts_with('@') && language_.blocks == CodeBlocks::kIndent) {
      roles_[line_] = CodeRole::kAttribute;
    } else if (HoldsWord(language_.functions, first) && !rest.starts_with("async with") &&
               !rest.starts_with("async for")) {
      Declare();
      bool one_line = rest.find(": ") != std::string_view::npos && rest.ends_with("...");
      if (!one_line) body_ = indent;
      docstring_due_ = language_.blocks == CodeBlocks::kIndent;
    } else if (HoldsWord(language_.containers, first)) {
      Declare();
      docstring_due_ = language_.blocks == CodeBlocks::kIndent;
    } else if (HoldsWord(language_.imports, first)) {
      roles_[line_] = CodeRole::kImport;
      in_import_ = true;
    } else if (HoldsWord(language_.declarations, first)) {
      roles_[line_] = CodeRole::kDeclaration;
    } else if (rest == "end") {
      roles_[line_] = CodeRole::kClosing;
    } else {
      bool quoted =
          rest.starts_with('"') || rest.starts_with('\'') || rest.starts_with("r\"") || rest.starts_with("u\"");
      size_t equals = rest.find('=');
      bool assigns = equals != std::string_view::npos && rest.find('(') > equals;
      bool annotated = rest.find(": ") != std::string_view::npos && indent > 0;
      roles_[line_] = quoted ? (line_ == first_code_ || docstring_due_ ? CodeRole::kDoc : CodeRole::kBody)
                      : assigns || annotated ? CodeRole::kMember
                                             : CodeRole::kTop;
      docstring_due_ = false;
    }
    first_code_ = first_code_ == line_ ? kNoLine : first_code_;
  }

  void Declare() {
    roles_[line_] = CodeRole::kDeclaration;
    in_signature_ = true;
    signature_lines_ = 1;
  }

  // The first line of text of a function's docstring.
  void ReadDocstring(std::string_view text, size_t indent) {
    if (!docstring_due_) return;
    docstring_due_ = false;
    text.remove_prefix(indent);
    while (!text.empty() && (text[0] == 'r' || text[0] == 'u' || text[0] == 'b')) text.remove_prefix(1);
    if (text.starts_with("\"\"\"") || text.starts_with("'''")) {
      if (text.size() > 3)
        roles_[line_] = CodeRole::kDoc;
      else if (line_ + 1 < document_.line_count())
        doc_next_ = line_ + 1;
    }
    if (text.starts_with('"') && text.size() > 3) roles_[line_] = CodeRole::kDoc;
  }

  void Follow(const std::string& code) {
    if (doc_next_ == line_) roles_[line_] = CodeRole::kDoc;
    for (char c : code) {
      if (c == '(' || c == '[' || c == '{') ++parens_;
      if ((c == ')' || c == ']' || c == '}') && parens_ > 0) --parens_;
    }
    backslash_ = code.ends_with('\\');
    if (language_.blocks == CodeBlocks::kEnd)
      parens_ = code.ends_with(',') ? 1 : 0;  // brackets do not carry far in Ruby
  }

  // The first line of each statement; the columns of what is created.
  void ReadSql() {
    std::string_view text = document_.Text(line_);
    const std::string& code = scanner_.Line(text);
    if (text.find_first_not_of(" \t") == std::string_view::npos) {
      roles_[line_] = CodeRole::kBlank;
    } else if (scanner_.comment_only()) {
      roles_[line_] = CodeRole::kComment;
    } else {
      if (!in_statement_) creates_ = HoldsWord(language_.declarations, FirstCodeWord(text));
      roles_[line_] = !in_statement_ ? (creates_ ? CodeRole::kDeclaration : CodeRole::kMember)
                      : creates_     ? CodeRole::kMember
                                     : CodeRole::kBody;
      size_t last = code.find_last_not_of(" \t");
      in_statement_ = last == std::string::npos || code[last] != ';';
    }
  }

  static constexpr size_t kNone = static_cast<size_t>(-1);
  static constexpr uint32_t kNoLine = UINT32_MAX;
  const Document& document_;
  const CodeLanguage& language_;
  CodeScanner scanner_;
  std::vector<CodeRole> roles_;
  uint32_t line_ = 0;
  uint32_t first_code_ = 0;  // until a statement was read: where a module's docstring may stand
  uint32_t doc_next_ = kNoLine;
  size_t body_ = kNone;  // indent of the function whose body is being read
  uint32_t parens_ = 0, signature_lines_ = 0;
  bool backslash_ = false, in_signature_ = false, in_import_ = false, docstring_due_ = false;
  bool in_statement_ = false, creates_ = false;
};

}  // namespace

std::vector<CodeRole> OutlineIndents(const Document& document, const CodeLanguage& language) {
  return IndentOutline(document, language).Run();
}

}  // namespace pith
