// The programming languages that the outliner knows, as data: how each writes comments, strings, blocks, and which
// words begin a declaration.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "compact/document.h"

namespace pith {

enum class CodeBlocks : uint8_t { kBraces, kIndent, kEnd, kStatements };  // C, Python, Ruby, SQL

struct CodeLanguage {
  std::string_view name;
  CodeBlocks blocks = CodeBlocks::kBraces;
  std::string_view extensions;      // divided by blanks, each with its dot
  std::string_view line_comments;   // divided by blanks
  bool block_comments = true;       // /* */
  bool nested_comments = false;     // /* /* */ */
  bool single_quotes = true;        // '...' is a string of any length; else a character (or a lifetime)
  bool backquotes = false;          // `...` may span lines
  std::string_view long_quote;      // """ or ''' forms that span lines: `"""` here
  bool newline_ends = false;        // a statement ends with its line
  bool preprocessor = false;        // lines that begin with '#' are directives
  bool functions_by_shape = false;  // NAME(...) { is a function; else a word of `functions` says so
  std::string_view imports;         // words that begin an import
  std::string_view containers;      // words of a block whose members are declarations too
  std::string_view functions;       // words of a function
  std::string_view declarations;    // words that begin a one-line declaration
};

std::span<const CodeLanguage> CodeLanguages();

// By the path's extension or, without one, by what its lines look like; null when neither tells.
const CodeLanguage* LanguageOfPath(std::string_view path);
const CodeLanguage* LanguageOfText(const Document& document);

// Whether `words` (divided by blanks) holds `word`.
bool HoldsWord(std::string_view words, std::string_view word);

// The first word of a line, indent skipped: letters, digits, '_', '$', '#', '@'.
std::string_view FirstCodeWord(std::string_view line);

}  // namespace pith
