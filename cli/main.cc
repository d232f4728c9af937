// The program starts thousands of times a day, so what it does before its subcommand is a look into a table: no parser
// is built, no file opened, no library asked. `pith --version` costs what a static program costs.
#include <csignal>
#include <new>
#include <string>
#include <string_view>

#include "agents/process.h"
#include "base/config.h"
#include "cli/command.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

int UnknownCommand(std::string_view name) {
  std::vector<std::string_view> known;
  for (const CommandRow* row : Commands()) known.push_back(row->name);
  std::string nearest = NearestName(name, known);
  std::string sentence = "unknown command \"" + std::string(name.substr(0, 80)) + "\"";
  Complain(sentence + (nearest.empty() ? "; `pith help` lists them" : "; did you mean `pith " + nearest + "`?"));
  return kWrongUse;
}

int Main(int argc, char** argv) {
  // A reader that has gone is an error of write(), not our end; children get what we were started with.
  NoteSigpipeIgnored(signal(SIGPIPE, SIG_IGN) == SIG_IGN);
  std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--version" || name == "-V") return Print("pith " PITH_VERSION "\n");
  if (name.empty()) {
    Warn(HelpOfAll());
    return kWrongUse;
  }
  if (name == "--help" || name == "-h") return Print(HelpOfAll());
  const CommandRow* row = FindCommand(name);
  if (!row) return UnknownCommand(name);
  return RunCommand(*row, std::span<char*>(argv + 2, static_cast<size_t>(argc - 2)));
}

}  // namespace
}  // namespace pith::cli

int main(int argc, char** argv) {
  try {
    return pith::cli::Main(argc, argv);
  } catch (const std::bad_alloc&) {  // an input without an end, a limit on memory
    return pith::cli::Fail(pith::Error{pith::Cause::kTooLarge, "the input does not fit into memory"});
  }
}
