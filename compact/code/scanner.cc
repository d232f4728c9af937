// Strings and comments are what make brackets lie. Each line is reduced to its code: a comment is nothing, a string is
// its two quotes. What spans lines is carried over: block comments with their depth, long strings with what ends them,
// heredocs. A quote that a line leaves open closes with the line, unless the language lets it span: a lone apostrophe
// in a comment of an unknown dialect must not swallow the file.
#include "compact/code/outline.h"

#include "compact/characters.h"

namespace pith {
namespace {

using ascii::IsWord;

// Whether a slash here begins a regular expression rather than divides: nothing to divide stands before it.
bool BeginsRegex(const std::string& code) {
  size_t last = code.find_last_not_of(" \t");
  if (last == std::string::npos) return true;
  return std::string_view("(,=:[!&|?{};+").find(code[last]) != std::string_view::npos || code.ends_with("return ");
}

}  // namespace

const std::string& CodeScanner::Line(std::string_view text) {
  code_.clear();
  saw_comment_ = saw_code_ = false;
  if (!heredoc_.empty()) {
    size_t start = text.find_first_not_of(" \t");
    if (start != std::string_view::npos && text.substr(start) == heredoc_) heredoc_.clear();
    return code_;
  }
  size_t at = 0;
  while (at < text.size()) {
    if (inside_comment_ > 0) {
      at = SkipComment(text, at);
    } else if (!inside_string_.empty()) {
      at = SkipString(text, at);
    } else if (StartsLineComment(text, at)) {
      saw_comment_ = true;
      break;
    } else if (language_.block_comments && text.substr(at, 2) == "/*") {
      inside_comment_ = 1;
      saw_comment_ = true;
      at += 2;
    } else {
      at = OpenString(text, at);
    }
  }
  if (!pending_heredoc_.empty()) heredoc_.swap(pending_heredoc_);
  pending_heredoc_.clear();
  return code_;
}

size_t CodeScanner::SkipComment(std::string_view text, size_t at) {
  saw_comment_ = true;
  while (at < text.size()) {
    size_t mark = text.find_first_of("*/", at);
    if (mark == std::string_view::npos || mark + 1 >= text.size()) return text.size();
    if (text[mark] == '*' && text[mark + 1] == '/') {
      if (--inside_comment_ == 0) return mark + 2;
      at = mark + 2;
    } else if (language_.nested_comments && text[mark] == '/' && text[mark + 1] == '*') {
      ++inside_comment_;
      at = mark + 2;
    } else {
      at = mark + 1;
    }
  }
  return at;
}

size_t CodeScanner::SkipString(std::string_view text, size_t at) {
  saw_code_ = true;
  bool raw = inside_string_.size() > 1 && inside_string_[0] == '"' && inside_string_[1] == '#';
  while (at < text.size()) {
    if (text[at] == '\\' && !raw) {
      at += 2;
    } else if (text.substr(at, inside_string_.size()) == inside_string_) {
      at += inside_string_.size();
      inside_string_.clear();
      code_ += '"';
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

bool CodeScanner::StartsLineComment(std::string_view text, size_t at) const {
  if (text.substr(at, 2) == "//" && HoldsWord(language_.line_comments, "//")) return true;
  if (text.substr(at, 2) == "--" && HoldsWord(language_.line_comments, "--")) return true;
  if (text[at] != '#' || !HoldsWord(language_.line_comments, "#")) return false;
  return at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == ';';
}

// One character of code, or a string's opening.
size_t CodeScanner::OpenString(std::string_view text, size_t at) {
  char c = text[at];
  if (c != ' ' && c != '\t') saw_code_ = true;
  std::string_view rest = text.substr(at);
  if (!language_.long_quote.empty() && (rest.starts_with(language_.long_quote) ||
                                        (language_.blocks == CodeBlocks::kIndent && rest.starts_with("'''")))) {
    inside_string_ = rest.substr(0, 3);
    code_ += '"';
    return at + 3;
  }
  if (language_.name == "rust" && c == 'r' && (code_.empty() || !IsWord(code_.back()))) {
    size_t hashes = rest.find_first_not_of('#', 1);
    if (hashes != std::string_view::npos && hashes > 1 && hashes < 20 && rest[hashes] == '"') {
      inside_string_ = '"' + std::string(hashes - 1, '#');
      code_ += '"';
      return at + hashes + 1;
    }
  }
  if (c == '`' && language_.backquotes && language_.name != "shell") {
    inside_string_ = '`';
    code_ += '"';
    return at + 1;
  }
  if (language_.name == "shell" && rest.starts_with("<<") && !rest.starts_with("<<<")) OpenHeredoc(text, at + 2);
  if (c == '\'' && !language_.single_quotes) {  // a character or a lifetime
    size_t length = rest.size() > 3 && rest[1] == '\\' ? rest.find('\'', 2) : 2;
    if (length != std::string_view::npos && length < 12 && rest.size() > length && rest[length] == '\'')
      return at + length + 1;
    return at + 1;
  }
  if (c == '/' && language_.backquotes && language_.name != "shell" && language_.name != "go" && BeginsRegex(code_)) {
    bool set = false;
    for (size_t end = at + 1; end < text.size(); ++end) {
      if (text[end] == '\\')
        ++end;
      else if (text[end] == '[')
        set = true;
      else if (text[end] == ']')
        set = false;
      else if (text[end] == '/' && !set)
        return code_ += '"', end + 1;
    }
  }
  if (c == '"' || c == '\'') {
    code_ += '"';
    bool spans =
        language_.name == "rust" || language_.name == "php" || language_.name == "ruby" || language_.name == "shell";
    inside_string_ = c;
    size_t end = SkipString(text, at + 1);
    if (!inside_string_.empty() && !spans) inside_string_.clear();
    return end;
  }
  code_ += c;
  return at + 1;
}

void CodeScanner::OpenHeredoc(std::string_view text, size_t at) {
  if (at < text.size() && text[at] == '-') ++at;
  while (at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == '\\')) ++at;
  size_t end = at;
  while (end < text.size() && IsWord(text[end])) ++end;
  if (end > at) pending_heredoc_ = text.substr(at, end - at);
}

}  // namespace pith
