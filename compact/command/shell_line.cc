// Agents write one-liners with everything in them: `cd x && (a; b) 2>&1 | tail -5 > log`. What decides the treatment of
// an output is which commands printed to it, so the structure that matters is small: lists, pipes, groups and where
// stdout goes. Groups are flattened; what stands behind a group (a pipe, a redirection) is noted on all its pipelines.
// Words are unquoted as the shell would; `$(...)`, `${...}` and backticks are skipped over as one piece of a word.
// Group nesting beyond 16 is ignored, which keeps the marking of groups linear.
#include "compact/command/shell_line.h"

#include <cctype>

namespace pith {
namespace {

constexpr size_t kMaxGroupDepth = 16;

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> set) {
  for (std::string_view item : set) {
    if (word == item) return true;
  }
  return false;
}

bool IsAssignment(std::string_view word) {
  size_t i = 0;
  while (i < word.size() && (std::isalnum(static_cast<unsigned char>(word[i])) != 0 || word[i] == '_')) ++i;
  if (i == 0 || std::isdigit(static_cast<unsigned char>(word[0])) != 0) return false;
  if (i < word.size() && word[i] == '+') ++i;
  return i < word.size() && word[i] == '=';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Pipeline> Run() {
    while (at_ < text_.size()) Step();
    EndPipeline();
    return std::move(pipelines_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Step() {
    const char c = text_[at_];
    if (c == '\n') {
      EndPipeline();
      ++at_;
      SkipHeredocs();
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == ';') {
      EndPipeline();
      ++at_;
    } else if (c == '&') {
      Ampersand();
    } else if (c == '|') {
      Bar();
    } else if (c == '(') {
      OpenGroup(false);
      ++at_;
    } else if (c == ')') {
      CloseGroup();
      ++at_;
    } else if ((c == '<' || c == '>') && Peek(1) != '(') {
      Redirect(c == '<' ? 0 : 1);
    } else {
      Word();
    }
  }

  void EndStage() {
    if (!command_.words.empty()) current_.stages.push_back(std::move(command_));
    command_ = {};
    skip_words_ = false;
  }

  void EndPipeline() {
    EndStage();
    if (!current_.stages.empty()) {
      current_.repeated = loops_ > 0;
      pipelines_.push_back(std::move(current_));
    }
    current_ = {};
    after_group_ = Pipeline::kNone;
  }

  void Ampersand() {
    if (Peek(1) == '>') {
      ++at_;
      Redirect(1);
      return;
    }
    const bool both = Peek(1) == '&';
    if (!both) current_.background = true;
    EndPipeline();
    if (!both && !pipelines_.empty()) pipelines_.back().background = true;
    at_ += both ? 2 : 1;
  }

  void Bar() {
    if (Peek(1) == '|') {
      EndPipeline();
      at_ += 2;
      return;
    }
    at_ += Peek(1) == '&' ? 2 : 1;
    if (after_group_ != Pipeline::kNone && after_group_ < pipelines_.size()) {
      ReopenLast();
    } else {
      EndStage();
    }
  }

  // `( a; b ) | c`: c becomes a stage of b's pipeline, and a is told where its output goes.
  void ReopenLast() {
    const auto last = static_cast<uint32_t>(pipelines_.size() - 1);
    for (uint32_t i = after_group_; i < last; ++i) pipelines_[i].joined_to = last;
    current_ = std::move(pipelines_.back());
    pipelines_.pop_back();
    current_.own_stages = static_cast<uint32_t>(current_.stages.size());
    after_group_ = Pipeline::kNone;
  }

  void OpenGroup(bool loop) {
    if (groups_.size() < kMaxGroupDepth) {
      groups_.push_back({static_cast<uint32_t>(pipelines_.size()), loop});
      loops_ += loop ? 1 : 0;
    }
  }

  void CloseGroup() {
    EndPipeline();
    if (groups_.empty()) return;
    after_group_ = groups_.back().first;
    loops_ -= groups_.back().loop ? 1 : 0;
    groups_.pop_back();
  }

  void Redirect(int descriptor) {
    const bool input = text_[at_] == '<';
    size_t angles = 0;
    while ((Peek() == '<' || Peek() == '>') && angles < 3) ++at_, ++angles;
    const bool heredoc = input && angles == 2;
    if (heredoc && Peek() == '-') ++at_;
    if (Peek() == '|') ++at_;
    const bool duplicate = Peek() == '&';
    if (duplicate) ++at_;
    while (Peek() == ' ' || Peek() == '\t') ++at_;
    const std::string target = ReadWord(nullptr);
    if (heredoc) {
      heredocs_.push_back(target);
    } else if (!input && descriptor == 1 && !StaysVisible(target, duplicate)) {
      MarkToFile();
    }
  }

  static bool StaysVisible(std::string_view target, bool duplicate) {
    if (duplicate) return target.empty() || std::isdigit(static_cast<unsigned char>(target[0])) != 0;
    if (target.starts_with(">(")) return true;
    return IsOneOf(target, {"/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"});
  }

  void MarkToFile() {
    if (after_group_ != Pipeline::kNone && command_.words.empty()) {
      for (size_t i = after_group_; i < pipelines_.size(); ++i) pipelines_[i].stages.back().stdout_to_file = true;
    } else {
      command_.stdout_to_file = true;
    }
  }

  void Word() {
    bool quoted = false;
    std::string word = ReadWord(&quoted);
    const bool digits = !quoted && !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    if (digits && (Peek() == '<' || Peek() == '>')) {
      Redirect(word == "1" ? 1 : 2);
      return;
    }
    if (skip_words_) return;
    after_group_ = Pipeline::kNone;
    if (command_.words.empty()) {
      if (!quoted && Keyword(word)) return;
      if (IsAssignment(word)) return;
    }
    command_.words.push_back(std::move(word));
  }

  // Reserved words at command position. True: the word is none of a command.
  bool Keyword(std::string_view word) {
    if (IsOneOf(word, {"if", "case"})) {
      OpenGroup(false);
      skip_words_ = word == "case";
    } else if (IsOneOf(word, {"for", "while", "until", "select"})) {
      OpenGroup(true);
      skip_words_ = IsOneOf(word, {"for", "select"});
    } else if (IsOneOf(word, {"done", "fi", "esac", "}"})) {
      CloseGroup();
    } else if (word == "{") {
      OpenGroup(false);
    } else {
      return IsOneOf(word, {"then", "else", "elif", "do", "!", "function"});
    }
    return true;
  }

  // Appends what a quoted or plain stretch at at_ stands for; stops at an unquoted blank or operator.
  std::string ReadWord(bool* quoted) {
    std::string word;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        if (quoted != nullptr) *quoted = true;
        c == '\'' ? SingleQuoted(word) : DoubleQuoted(word);
      } else if (c == '\\') {
        Escaped(word);
      } else if (c == '`' || (c == '$' && (Peek(1) == '(' || Peek(1) == '{')) ||
                 ((c == '<' || c == '>') && Peek(1) == '(' && word.empty())) {
        Substitution(word);
      } else if (c == '$' && Peek(1) == '\'') {
        ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || IsOperator(c)) {
        break;
      } else {
        word += c;
        ++at_;
      }
    }
    return word;
  }

  static bool IsOperator(char c) {
    return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '<' || c == '>';
  }

  void SingleQuoted(std::string& word) {
    const size_t end = text_.find('\'', at_ + 1);
    const size_t stop = end == std::string_view::npos ? text_.size() : end;
    word.append(text_.substr(at_ + 1, stop - at_ - 1));
    at_ = stop == text_.size() ? stop : stop + 1;
  }

  void DoubleQuoted(std::string& word) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char next = Peek(1);
      if (text_[at_] == '\\' && (next == '"' || next == '\\' || next == '$' || next == '`' || next == '\n')) {
        if (next != '\n') word += next;
        at_ += 2;
      } else if (text_[at_] == '`' || (text_[at_] == '$' && next == '(')) {
        Substitution(word);
      } else {
        word += text_[at_++];
      }
    }
    if (at_ < text_.size()) ++at_;
  }

  void Escaped(std::string& word) {
    if (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') word += text_[at_ + 1];
    at_ = at_ + 2 < text_.size() ? at_ + 2 : text_.size();
  }

  // `...`, $(...), ${...}, <(...): copied as written, to the end that closes it.
  void Substitution(std::string& word) {
    const size_t begin = at_;
    if (text_[at_] == '`') {
      const size_t end = text_.find('`', at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end + 1;
    } else {
      SkipBrackets();
    }
    word.append(text_.substr(begin, at_ - begin));
  }

  void SkipBrackets() {
    const char open = text_[at_ + 1];
    const char close = open == '(' ? ')' : '}';
    size_t depth = 0;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == '\'') {
        const size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) break;
        at_ = end;
      } else if (c == open) {
        ++depth;
      } else if (c == close && --depth == 0) {
        ++at_;
        return;
      }
    }
    at_ = text_.size();
  }

  void SkipHeredocs() {
    for (const std::string& end : heredocs_) {
      while (at_ < text_.size()) {
        const size_t newline = text_.find('\n', at_);
        std::string_view line = text_.substr(at_, newline == std::string_view::npos ? newline : newline - at_);
        at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
        while (!line.empty() && line.front() == '\t') line.remove_prefix(1);
        if (line == end) break;
      }
    }
    heredocs_.clear();
  }

  struct Group {
    uint32_t first;
    bool loop;
  };

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Pipeline> pipelines_;
  Pipeline current_;
  SimpleCommand command_;
  bool skip_words_ = false;  // the list of a `for`, the subject of a `case`
  std::vector<Group> groups_;
  int loops_ = 0;
  uint32_t after_group_ = Pipeline::kNone;  // a group that began at this pipeline has just been closed
  std::vector<std::string> heredocs_;
};

}  // namespace

std::vector<Pipeline> ParseShellLine(std::string_view line) { return Parser(line).Run(); }

}  // namespace pith
