#include "cli/entry_text.h"

#include <cstdio>

#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "tools/view_json.h"

namespace pith::cli {
namespace {

void Member(std::string& object, std::string_view name, std::string_view text) {
  object += (object.back() == '{' ? "\"" : ",\"") + std::string(name) + "\":";
  AppendJsonString(object, text);
}
void Member(std::string& object, std::string_view name, uint64_t number) {
  object += (object.back() == '{' ? "\"" : ",\"") + std::string(name) + "\":" + std::to_string(number);
}

// A command line as one line: control characters as blanks, cut.
std::string OneLine(const std::string& text) {
  std::string line = ReplaceInvalidUtf8(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  if (line.size() > 100) line = line.substr(0, Utf8FloorBoundary(line, 97)) + "...";
  return line;
}

}  // namespace

std::string SourceOf(const Sighting& sighting) {
  if (!sighting.command.empty()) return OneLine(sighting.command);
  return sighting.tool.empty() ? "-" : OneLine(sighting.tool);
}

std::string EntryLine(const Entry& entry) {
  char figures[80];
  snprintf(figures, sizeof figures, "%10s %9llu %s  %-10s ", BytesText(entry.bytes).c_str(),
           static_cast<unsigned long long>(entry.lines), entry.lines == 1 ? "line " : "lines", entry.last.kind.c_str());
  return entry.token + "  " + UtcTime(entry.last_seen_ms) + figures + (entry.held ? "held  " : "") +
         SourceOf(entry.last) + "\n";
}

std::string SightingJson(const Sighting& sighting) {
  std::string object = "{";
  Member(object, "at", UtcTime(sighting.at_ms));
  Member(object, "namespace", sighting.name_space);
  Member(object, "tool", sighting.tool);
  Member(object, "command", sighting.command);
  Member(object, "folder", sighting.folder);
  Member(object, "road", sighting.road);
  Member(object, "policy", sighting.policy);
  Member(object, "kind", sighting.kind);
  if (sighting.exit_code) object += ",\"exit_code\":" + std::to_string(*sighting.exit_code);
  if (sighting.signal) object += ",\"signal\":" + std::to_string(*sighting.signal);
  Member(object, "original_bytes", sighting.original_bytes);
  Member(object, "original_tokens", sighting.original_tokens);
  Member(object, "shown_bytes", sighting.shown_bytes);
  Member(object, "shown_tokens", sighting.shown_tokens);
  object += std::string(",\"host_cut\":") + (sighting.host_cut ? "true" : "false");
  return object + "}";
}

std::string EntryJson(const Entry& entry) {
  std::string object = "{";
  Member(object, "token", entry.token);
  Member(object, "bytes", entry.bytes);
  Member(object, "stored_bytes", entry.stored_bytes);
  Member(object, "lines", entry.lines);
  Member(object, "first_seen", UtcTime(entry.first_seen_ms));
  Member(object, "last_seen", UtcTime(entry.last_seen_ms));
  Member(object, "last_used", UtcTime(entry.last_used_ms));
  Member(object, "expires", UtcTime(entry.expires_ms));
  Member(object, "sightings", entry.sightings);
  Member(object, "retrievals", entry.retrievals);
  object += std::string(",\"held\":") + (entry.held ? "true" : "false");
  object += ",\"last\":" + SightingJson(entry.last);
  return object + "}";
}

}  // namespace pith::cli
