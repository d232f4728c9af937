// The table of subcommands, in the order of help. Each row stands in the file of its name.
#include <array>

#include "cli/command.h"

namespace pith::cli {

extern const CommandRow kRun, kHook, kInstall, kUninstall, kDoctor, kRules, kShim, kTrust, kTune, kServe, kCompact,
    kRetrieve, kView, kSearch, kLs, kShow, kStats, kGc, kPurge, kStore, kHold, kRelease, kConfig, kCompletion, kMan,
    kHelp;

namespace {

constexpr std::array kCommands = {&kInstall, &kUninstall, &kDoctor,     &kCompact, &kRun,   &kRetrieve, &kView,
                                  &kSearch,  &kLs,        &kShow,       &kStats,   &kServe, &kHold,     &kRelease,
                                  &kGc,      &kPurge,     &kStore,      &kHook,    &kRules, &kShim,     &kTrust,
                                  &kTune,    &kConfig,    &kCompletion, &kMan,     &kHelp};

}  // namespace

std::span<const CommandRow* const> Commands() { return kCommands; }

const CommandRow* FindCommand(std::string_view name) {
  for (const CommandRow* row : kCommands) {
    if (row->name == name) return row;
  }
  return nullptr;
}

}  // namespace pith::cli
