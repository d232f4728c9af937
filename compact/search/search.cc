// Search results: what grep, rg, git grep, ag and agents' search tools print. Detection is here; lines are read in
// search_lines.cc and laid out in search_shape.cc.
//
// Evidence is the share of lines that read as "path:number:text" with paths that repeat, as numbered lines beneath a
// path, or as paths alone. Compilers print places in the same way; a line with a severity after its place is theirs.
#include <algorithm>

#include "compact/kinds.h"
#include "compact/search/json.h"
#include "compact/search/lines.h"
#include "compact/search/shape.h"

namespace pith {
namespace {

constexpr uint32_t kSample = 400;  // lines looked at

bool SaysSeverity(std::string_view body) {
  size_t at = 0;
  while (at < body.size() && (body[at] == ' ' || body[at] == ':' || (body[at] >= '0' && body[at] <= '9'))) ++at;
  for (std::string_view word :
       {"error", "warning", "note:", "fatal error", "Error", "Warning", "E0", "FAILED", "PASSED"}) {
    if (body.substr(at).starts_with(word)) return true;
  }
  return false;
}

bool SaysWhatWasFound(const Document& document) {
  if (document.line_count() == 0) return false;
  std::string_view line = document.Text(0).substr(0, 200);
  if (!line.starts_with("Found ") || line.size() < 8 || line[6] < '0' || line[6] > '9') return false;
  return line.find(" match") != std::string_view::npos || line.find(" file") != std::string_view::npos;
}

// grep and its like, and what lists paths.
bool Searches(const Document& document) {
  std::string_view tool = document.hints.tool_name;
  if (tool == "Grep" || tool == "Glob" || tool == "grep" || tool == "glob" || tool == "search_files") return true;
  for (std::string_view name :
       {"grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "find", "fd", "fdfind", "locate"}) {
    if (document.command.program == name) return true;
  }
  return document.command.program == "git" &&
         (document.command.subcommand == "grep" || document.command.subcommand == "ls-files");
}

uint32_t CountSevere(const Document& document, const SearchText& text) {
  uint32_t severe = 0;
  for (uint32_t i = 0; i < text.lines.size(); ++i) {
    if (text.lines[i].type != SearchLine::Type::kMatch) continue;
    severe += SaysSeverity(document.Text(i).substr(text.lines[i].body));
  }
  return severe;
}

// Paths that hold blanks: where no search was asked for they are rather words with a slash ("[3/400] done").
uint32_t CountSpaced(const Document& document, const SearchText& text) {
  uint32_t spaced = 0;
  for (uint32_t i = 0; i < text.lines.size(); ++i) {
    const SearchLine& line = text.lines[i];
    if (line.type != SearchLine::Type::kPath) continue;
    spaced += document.Text(i).substr(0, line.body).find(' ') != std::string_view::npos;
  }
  return spaced;
}

}  // namespace

Evidence DetectSearch(const Document& document) {
  if (document.line_count() < 3) return {};
  if (IsRipgrepJson(document)) return {98, "records of rg --json"};
  SearchText text = ReadSearch(document, 0, std::min(document.line_count(), kSample) - 1);
  uint32_t lines = static_cast<uint32_t>(text.lines.size());
  uint32_t understood = text.matches + text.contexts + text.headings + text.paths + text.complaints;
  uint32_t separators = lines - understood - text.others;
  uint32_t counted = lines - separators;
  if (counted == 0) return {};
  if (SaysWhatWasFound(document) && understood * 2 >= counted) return {95, "says what it found, then places"};
  bool searches = Searches(document);
  if (searches && understood * 10 >= counted * 6) return {90, "a search command, and its lines read as results"};
  if (text.matches * 4 < CountSevere(document, text) * 10) return {};
  uint32_t with_path = 0;
  for (const SearchLine& line : text.lines)
    with_path += line.type == SearchLine::Type::kMatch && line.path > 0 && line.has_number;
  if (with_path * 10 >= counted * 7 && text.repeated_paths > 0) return {75, "lines of path:number:text"};
  if (with_path * 10 >= counted * 7) return {60, "lines of path:number:text"};
  if (text.headings >= 2 && (text.matches + text.contexts + text.headings) * 10 >= counted * 8) {
    return {65, "numbered lines beneath paths"};
  }
  const uint32_t paths = text.paths - CountSpaced(document, text);
  if (paths * 10 >= counted * 8 && text.paths * 10 >= counted * 9 && paths >= 8) return {55, "a list of paths"};
  return {};
}

std::unique_ptr<Shaper> ShapeSearch(const Document& document) {
  return IsRipgrepJson(document) ? ShapeRipgrepJson(document) : ShapeSearchResults(document);
}

}  // namespace pith
