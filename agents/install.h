// `pith install`, `uninstall`: the changes of setup.h, written to the host's files with a backup beside each, recorded
// so that they can be taken back exactly.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "agents/setup.h"
#include "base/result.h"

namespace pith {

struct InstallRequest {
  std::string host;
  SetupPlace place;
  bool dry_run = false;
  bool force = false;  // also where another rewriter is set up
};

// The place of this process: HOME, CLAUDE_CONFIG_DIR, Pith's state folder, its own binary; with `of_project` the
// working folder as the project. kIo without a home, or where the working folder is gone.
Result<SetupPlace> PlaceOfProcess(bool of_project = false);

// One line for each thing done (or, with dry_run, to be done); one that says so where everything is in place already.
// Either all of it is done or, on an error, nothing. Errors: kInvalid (unknown host, a file that is not what it should
// be), kDenied (another rewriter; read-only file), kIo.
Result<std::vector<std::string>> Install(const InstallRequest& request);

// Files that nobody changed since come back byte for byte; in others only what is ours is taken out. `purge` also
// removes backups; one that stays is named. With dry_run nothing is touched. A file that is not what it should be, or
// cannot be written, keeps nothing from the others: `troubles` gets a sentence for each; without it the first is the
// error, once all else is done. kNotFound: nothing of ours was there.
Result<std::vector<std::string>> Uninstall(const InstallRequest& request, bool purge,
                                           std::vector<std::string>* troubles = nullptr);

// Per change of the host: whether it is in place.
struct SetupState {
  SetupChange change;
  bool held = false;
  std::string problem;  // the file cannot be read or is not what it should be
};
std::vector<SetupState> StateOf(const std::string& host, const SetupPlace& place);

}  // namespace pith
