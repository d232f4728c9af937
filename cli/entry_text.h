// An entry of the store, for people and for programs.
#pragma once
#include <string>

#include "store/store.h"

namespace pith::cli {

std::string EntryLine(const Entry& entry);  // one line of `pith ls`, with its newline
std::string EntryJson(const Entry& entry);  // an object
std::string SightingJson(const Sighting& sighting);
// What printed it, in one line: its command, else its tool.
std::string SourceOf(const Sighting& sighting);

}  // namespace pith::cli
