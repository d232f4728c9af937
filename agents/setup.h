// What a host's configuration must hold for Pith to be reached, as a table, and the changes that put it there and take
// it out again.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/json_edit.h"
#include "base/result.h"

namespace pith {

enum class SetupPart : uint8_t { kMcp, kHooks };

enum class SetupForm : uint8_t {
  kMember,   // a member of a JSON file is set
  kElement,  // an element is appended to an array of a JSON file
  kFile,     // a file of our own
  kBlock,    // lines between two comment lines of ours, at the end of a text file (TOML)
};

struct SetupRow {
  std::string_view host;
  SetupPart part;
  SetupForm form;
  std::string_view what;          // for a person: "MCP server", "hook on tool results"
  std::string_view user_file;     // ~ is the home folder; "" if there is none
  std::string_view project_file;  // beneath the project's folder; "" if there is none
  std::string_view path;          // keys, by '/'
  std::string_view value;         // @PITH@, @HOOK@, @PREFIX@ and @HOST@ stand for JSON strings' insides
  uint32_t mode = 0644;           // of a file of our own
};
std::span<const SetupRow> SetupRows();

struct SetupPlace {
  std::string home;           // the user's
  std::string project;        // "" for the user's own configuration
  std::string state;          // Pith's folder for scripts and records
  std::string binary;         // absolute path of pith
  std::string claude_folder;  // CLAUDE_CONFIG_DIR, else ~/.claude
  bool with_mcp = true;
  bool with_hooks = true;
  bool measure = false;
};

// A row made ready for a place.
struct SetupChange {
  const SetupRow* row = nullptr;
  std::string file;
  JsonPath path;
  std::string value;
};
std::vector<SetupChange> ChangesFor(std::string_view host, const SetupPlace& place);

// The text of the file with the change in it. Errors as in json_edit.h.
Result<std::string> ApplyChange(std::string_view text, const SetupChange& change);
// Without it; kNotFound when it was not there. Containers that this leaves empty go too, unless `before`, the text as
// it was before the change, had them.
Result<std::string> UndoChange(std::string_view text, const SetupChange& change, std::string_view before);
// Whether the text holds the change as it would be made now.
bool HoldsChange(std::string_view text, const SetupChange& change);

// The program of another project that rewrites tool output and stands in this host's configuration, "" if none.
std::string OtherRewriter(std::string_view text);

// Whether the host is on this machine: its program in PATH, or the folder that it keeps its configuration in.
bool HostPresent(std::string_view host, const SetupPlace& place);

// What tells that a host is there; a row a host.
struct HostSign {
  std::string_view host;
  std::string_view program;  // "" if it has none of its own
  std::string_view folder;   // ~ is the home folder
};
std::span<const HostSign> HostSigns();

// Names of all hosts of the table, each once.
std::vector<std::string_view> SetupHosts();

}  // namespace pith
