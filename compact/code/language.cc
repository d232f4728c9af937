#include "compact/code/language.h"

#include <algorithm>
#include <array>

namespace pith {
namespace {

// Columns: name, blocks, extensions, line comments, block, nested, ' strings, ` strings, long quote, newline ends,
// preprocessor, functions by shape, imports, containers, functions, declarations.
constexpr CodeLanguage kLanguages[] = {
    {"rust", CodeBlocks::kBraces, ".rs", "//", true, true, false, false, "", false, false, false, "use extern",
     "impl trait mod struct enum union extern", "fn macro_rules!", "pub const static type use mod let macro_rules!"},
    {"go", CodeBlocks::kBraces, ".go", "//", true, false, false, true, "", true, false, false, "import package",
     "struct interface", "func", "type var const package"},
    {"typescript", CodeBlocks::kBraces, ".ts .tsx .mts .cts", "//", true, false, true, true, "", true, false, true,
     "import", "class interface enum namespace module", "function", "const let var type export declare abstract"},
    {"javascript", CodeBlocks::kBraces, ".js .jsx .mjs .cjs", "//", true, false, true, true, "", true, false, true,
     "import require", "class", "function", "const let var export module.exports exports"},
    {"java", CodeBlocks::kBraces, ".java", "//", true, false, false, false, "\"\"\"", false, false, true,
     "import package", "class interface enum record @interface module", "",
     "public private protected static final abstract"},
    {"kotlin", CodeBlocks::kBraces, ".kt .kts", "//", true, true, false, false, "\"\"\"", true, false, false,
     "import package", "class interface object companion", "fun init constructor get set",
     "val var const typealias lateinit override private public internal"},
    {"swift", CodeBlocks::kBraces, ".swift", "//", true, true, true, false, "\"\"\"", true, false, false, "import",
     "class struct enum protocol extension actor", "func init deinit subscript",
     "var let typealias case associatedtype public private static"},
    {"csharp", CodeBlocks::kBraces, ".cs", "//", true, false, false, false, "\"\"\"", false, true, true, "using",
     "class struct interface enum namespace record", "",
     "public private protected internal static event delegate const"},
    {"cpp", CodeBlocks::kBraces, ".cc .cpp .cxx .hpp .hh .hxx .h++ .c++ .ipp .cu .mm .m", "//", true, false, false,
     false, "", false, true, true, "#include using", "class struct namespace enum union extern", "",
     "typedef using template constexpr static extern virtual inline #define"},
    {"c", CodeBlocks::kBraces, ".c .h", "//", true, false, false, false, "", false, true, true, "#include",
     "struct enum union extern", "", "typedef static extern const inline #define"},
    {"php", CodeBlocks::kBraces, ".php", "// #", true, false, true, false, "", false, false, false,
     "use namespace require require_once include", "class interface trait enum namespace", "function fn",
     "const public protected private static abstract"},
    {"shell", CodeBlocks::kBraces, ".sh .bash .zsh .ksh", "#", false, false, true, true, "", true, false, true,
     "source .", "", "function", "export readonly declare alias"},
    {"scala", CodeBlocks::kBraces, ".scala", "//", true, true, false, false, "\"\"\"", true, false, false,
     "import package", "class trait object", "def", "val var type"},
    {"python", CodeBlocks::kIndent, ".py .pyi .pyx", "#", false, false, true, false, "\"\"\"", true, false, false,
     "import from", "class", "def async", "@"},
    {"ruby", CodeBlocks::kEnd, ".rb .rake .gemspec", "#", false, false, true, false, "", true, false, false,
     "require require_relative", "class module", "def",
     "attr_accessor attr_reader attr_writer alias include extend scope has_many belongs_to validates private "
     "protected"},
    {"sql", CodeBlocks::kStatements, ".sql", "--", true, false, true, false, "", false, false, false, "", "", "",
     "CREATE ALTER DROP GRANT COMMENT BEGIN COMMIT create alter drop grant comment begin commit"},
};

constexpr uint32_t kSample = 300;

bool EndsWord(std::string_view text, size_t at) {
  if (at >= text.size()) return true;
  char c = text[at];
  return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
}

// Shapes of lines that one language alone has, or nearly.
struct Mark {
  std::string_view language, opening;
  int weight;
};
constexpr Mark kMarks[] = {
    {"rust", "fn ", 4},
    {"rust", "pub fn ", 6},
    {"rust", "impl ", 5},
    {"rust", "use crate::", 6},
    {"rust", "let mut ", 4},
    {"rust", "pub struct ", 6},
    {"rust", "#[derive", 6},
    {"rust", "use std::", 5},
    {"go", "func ", 5},
    {"go", "package ", 3},
    {"go", "type ", 1},
    {"go", "import (", 5},
    {"go", "if err != nil", 5},
    {"typescript", "export interface ", 6},
    {"typescript", "export type ", 6},
    {"typescript", "interface ", 2},
    {"typescript", "import type ", 5},
    {"typescript", "private readonly ", 5},
    {"javascript", "const ", 2},
    {"javascript", "function ", 3},
    {"javascript", "module.exports", 6},
    {"javascript", "export ", 2},
    {"javascript", "import ", 1},
    {"javascript", "'use strict'", 5},
    {"typescript", "export ", 2},
    {"typescript", "const ", 1},
    {"typescript", "import ", 1},
    {"java", "import java", 6},
    {"java", "public class ", 4},
    {"java", "@Override", 4},
    {"java", "package ", 2},
    {"java", "public ", 1},
    {"kotlin", "fun ", 5},
    {"kotlin", "val ", 2},
    {"kotlin", "data class ", 6},
    {"swift", "func ", 2},
    {"swift", "import Foundation", 6},
    {"swift", "let ", 1},
    {"swift", "extension ", 4},
    {"csharp", "using System", 6},
    {"csharp", "namespace ", 3},
    {"cpp", "#include <", 3},
    {"cpp", "namespace ", 3},
    {"cpp", "template <", 6},
    {"cpp", "template<", 6},
    {"cpp", "std::", 4},
    {"cpp", "public:", 4},
    {"cpp", "private:", 4},
    {"c", "#include <", 3},
    {"c", "static int ", 3},
    {"c", "struct ", 1},
    {"c", "#define ", 2},
    {"cpp", "class ", 2},
    {"php", "<?php", 20},
    {"shell", "#!/bin/", 20},
    {"shell", "#!/usr/bin/env bash", 20},
    {"python", "def ", 4},
    {"python", "import ", 2},
    {"python", "from ", 2},
    {"python", "class ", 2},
    {"python", "self.", 2},
    {"python", "if __name__", 6},
    {"ruby", "def ", 2},
    {"ruby", "end", 2},
    {"ruby", "require '", 6},
    {"ruby", "module ", 3},
    {"sql", "CREATE TABLE", 8},
    {"sql", "INSERT INTO", 6},
    {"sql", "SELECT ", 2},
    {"sql", "ALTER TABLE", 8},
};

}  // namespace

std::span<const CodeLanguage> CodeLanguages() { return kLanguages; }

const CodeLanguage* LanguageOfPath(std::string_view path) {
  size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return nullptr;
  for (const CodeLanguage& language : kLanguages) {
    if (HoldsWord(language.extensions, path.substr(dot))) return &language;
  }
  return nullptr;
}

const CodeLanguage* LanguageOfText(const Document& document) {
  std::array<int, std::size(kLanguages)> weights{};
  uint32_t count = std::min(document.line_count(), kSample);
  for (uint32_t line = 0; line < count; ++line) {
    std::string_view text = document.Text(line).substr(0, 200);
    size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) continue;
    text.remove_prefix(start);
    for (const Mark& mark : kMarks) {
      if (!text.starts_with(mark.opening) || (mark.opening == "end" && !EndsWord(text, 3))) continue;
      for (size_t i = 0; i < std::size(kLanguages); ++i) {
        if (kLanguages[i].name == mark.language) weights[i] += mark.weight;
      }
    }
  }
  size_t best = static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  return weights[best] >= 8 ? &kLanguages[best] : nullptr;
}

bool HoldsWord(std::string_view words, std::string_view word) {
  if (word.empty()) return false;
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    bool starts = at == 0 || words[at - 1] == ' ';
    size_t end = at + word.size();
    if (starts && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string_view FirstCodeWord(std::string_view line) {
  size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  size_t end = start;
  while (end < line.size()) {
    char c = line[end];
    bool part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
                c == '@' || (c == '#' && end == start) || (c == '!' && end > start) || (c == '.' && end > start);
    if (!part) break;
    ++end;
  }
  return line.substr(start, end - start);
}

}  // namespace pith
