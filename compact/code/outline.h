// The outline of a source text: what part each line plays. Knows strings, comments, nesting and indentation of each
// language; no grammar. Linear, depth of nesting bounded by memory only, never by the call stack.
#pragma once
#include <cstdint>
#include <vector>

#include "compact/code/language.h"

namespace pith {

enum class CodeRole : uint8_t {
  kBody,  // inside a function, or the rest of a long statement
  kBlank,
  kComment,
  kDoc,  // the first line of a comment that a declaration follows, or of its docstring
  kImport,
  kAttribute,    // @Override, #[derive(...)], decorators
  kDeclaration,  // the signature of a function or type, a constant, a macro
  kMember,       // a field, an enum's case, an assignment at top level
  kTop,          // other statements outside functions
  kClosing,      // only closes what stands above
};

std::vector<CodeRole> OutlineCode(const Document& document, const CodeLanguage& language);

// The two ways of nesting (code_braces.cc, code_indent.cc); comments above declarations are not yet kDoc.
std::vector<CodeRole> OutlineBraces(const Document& document, const CodeLanguage& language);
std::vector<CodeRole> OutlineIndents(const Document& document, const CodeLanguage& language);

// Reads the text of a line after another, aware of strings and comments that span lines.
class CodeScanner {
 public:
  explicit CodeScanner(const CodeLanguage& language) : language_(language) {}

  // The line's code with comments dropped and each string reduced to its quotes. Borrowed until the next call.
  const std::string& Line(std::string_view text);

  bool inside() const {
    return inside_comment_ || !inside_string_.empty() || !heredoc_.empty();
  }                                                                 // of what spans lines
  bool comment_only() const { return saw_comment_ && !saw_code_; }  // of the line last read

 private:
  size_t SkipComment(std::string_view text, size_t at);
  size_t SkipString(std::string_view text, size_t at);
  bool StartsLineComment(std::string_view text, size_t at) const;
  size_t OpenString(std::string_view text, size_t at);
  void OpenHeredoc(std::string_view text, size_t at);

  const CodeLanguage& language_;
  std::string code_;
  uint32_t inside_comment_ = 0;  // depth
  std::string inside_string_;    // what ends the string that spans lines
  std::string heredoc_;          // the line that ends it
  std::string pending_heredoc_;
  bool saw_comment_ = false, saw_code_ = false;
};

}  // namespace pith
