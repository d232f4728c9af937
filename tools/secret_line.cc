// Every stage of a pipeline counts, not the last alone: `env | sort` prints the environment too.
#include "tools/secret_line.h"

#include <string>

#include "compact/command/shell_line.h"
#include "compact/command/unwrap.h"

namespace pith {
namespace {

constexpr int kDeepestScript = 4;  // bash -c "bash -c ..."

const SecretRow* SecretInLine(std::string_view line, int depth);

const SecretRow* SecretStage(const SimpleCommand& stage, int depth) {
  if (stage.words.empty()) return nullptr;
  if (const SecretRow* row = SecretWords(stage.words)) return row;
  // `sudo env`: with its wrappers off nothing is left, since env is one itself.
  std::string last = stage.words.back();
  Unwrapped inner = Unwrap(stage.words);
  if (inner.script) return depth < kDeepestScript ? SecretInLine(*inner.script, depth + 1) : nullptr;
  if (inner.argv.empty()) return SecretWords(std::span(&last, 1));
  return SecretWords(inner.argv);
}

const SecretRow* SecretRedirectedIn(std::string_view line) {
  for (size_t at = line.find('<'); at != std::string_view::npos; at = line.find('<', at + 1)) {
    size_t begin = line.find_first_not_of(" \t", at + 1);
    if (begin == std::string_view::npos) return nullptr;
    size_t end = line.find_first_of(" \t\n;|&<>()", begin);
    std::string_view word = line.substr(begin, end == std::string_view::npos ? end : end - begin);
    while (!word.empty() && (word.front() == '"' || word.front() == '\'')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == '"' || word.back() == '\'')) word.remove_suffix(1);
    if (const SecretRow* row = SecretPath(word)) return row;
  }
  return nullptr;
}

const SecretRow* SecretInLine(std::string_view line, int depth) {
  for (const Pipeline& pipeline : ParseShellLine(line)) {
    for (const SimpleCommand& stage : pipeline.stages) {
      if (const SecretRow* row = SecretStage(stage, depth)) return row;
    }
  }
  return SecretRedirectedIn(line);
}

}  // namespace

const SecretRow* SecretLine(std::string_view line) { return line.empty() ? nullptr : SecretInLine(line, 0); }

}  // namespace pith
