// All new texts are made before any file is written, so a file that is not what it should be stops the whole without a
// trace. Then the record in Pith's folder, which says what is to be written, then our own files, then the host's that
// name them: killed anywhere between, nothing names what is not there, and undoing goes by the record. Where one cannot
// be written, those before it are put back. Each file's former bytes stand beside it (`NAME.pith-backup`). Undoing
// compares: bytes as we left them are replaced by the former ones; bytes that somebody changed since lose only what is
// ours.
#include "agents/install.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "base/json_text.h"
#include "base/sha256.h"
#include "tools/name_space.h"

namespace pith {
namespace {

constexpr uint64_t kMaxHostFile = 16u << 20;
constexpr std::string_view kBackupSuffix = ".pith-backup";

struct FileChange {
  std::string path;  // the real file, links followed
  bool existed = false;
  std::string before, after;
  uint32_t mode = 0600;
  bool own = false;  // the whole of it is ours: a script, a plugin
};

std::string RecordPath(const InstallRequest& request) {
  const std::string scope =
      request.place.project.empty() ? "user" : HexOf(Sha256Of(request.place.project)).substr(0, 12);
  return request.place.state + "/install/" + request.host + "-" + scope + ".json";
}

// Where a link leads to nothing yet, what it names: written there, the link stays a link.
std::string RealPath(const std::string& path) {
  char resolved[PATH_MAX];
  std::string at = path;
  for (int links = 0; links < 40; ++links) {
    if (realpath(at.c_str(), resolved) != nullptr) return resolved;
    const ssize_t length = readlink(at.c_str(), resolved, sizeof resolved);
    if (length <= 0) return at;
    const std::string named(resolved, static_cast<size_t>(length));
    at = named.starts_with('/') ? named : at.substr(0, at.rfind('/') + 1) + named;
  }
  return path;
}

// kNotFound is no error here: the file is empty then.
Result<FileChange> Load(const std::string& path) {
  FileChange file;
  file.path = RealPath(path);
  Result<FileInfo> info = Files().Stat(file.path);
  if (!info.ok()) {
    if (info.error().cause == Cause::kNotFound) return file;
    return info.error();
  }
  if (info->type != FileInfo::Type::kRegular) return Error{Cause::kInvalid, file.path + " is not a regular file"};
  if ((info->mode & 0200) == 0) return Error{Cause::kDenied, file.path + " is read-only; nothing was changed"};
  Result<std::string> text = ReadRegularFile(file.path, kMaxHostFile);
  if (!text.ok()) return text.error();
  file.existed = true;
  file.mode = info->mode;
  file.before = file.after = text.Take();
  return file;
}

std::string ParentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

Result<void> WriteText(const FileChange& file, const std::string& text) {
  if (Result<void> made = MakeFolders(ParentOf(file.path)); !made.ok()) return made;
  if (Result<void> wrote = WriteFileAtomically(file.path, text, file.mode); !wrote.ok()) return wrote;
  return Files().ChangeMode(file.path, file.mode);
}

using FilesByPath = std::map<std::string, FileChange>;

Result<FilesByPath> Prepare(const InstallRequest& request) {
  FilesByPath files;
  for (const SetupChange& change : ChangesFor(request.host, request.place)) {
    auto found = files.find(change.file);
    if (found == files.end()) {
      Result<FileChange> loaded = Load(change.file);
      if (!loaded.ok()) return loaded.error();
      loaded->own = change.row->form == SetupForm::kFile;
      if (loaded->own) loaded->mode = change.row->mode;
      found = files.emplace(change.file, loaded.Take()).first;
    }
    FileChange& file = found->second;
    if (change.row->part == SetupPart::kHooks && !request.force) {
      if (const std::string other = OtherRewriter(file.before); !other.empty()) {
        return Error{Cause::kDenied,
                     change.file + " already sets up " + other +
                         ", and two rewriters on one event undo each other; take it out first, or use --force"};
      }
    }
    if (change.row->form == SetupForm::kMember && !change.path.empty() &&
        change.path.back() == "CLAUDE_CODE_SHELL_PREFIX") {
      Result<std::optional<std::string>> there = FindJson(file.before.empty() ? "{}" : file.before, change.path);
      const bool older = there.ok() && *there && (*there)->find("/pith/bin/claude-shell") != std::string::npos;
      if (there.ok() && *there && **there != change.value && !older && !request.force) {
        return Error{Cause::kDenied,
                     change.file + " already sets CLAUDE_CODE_SHELL_PREFIX; take it out first, or use --force"};
      }
    }
    if (change.row->form != SetupForm::kFile) {  // what an older Pith wrote gives way
      Result<std::string> without = UndoChange(file.after, change, file.after);
      if (without.ok()) file.after = without.Take();
    }
    Result<std::string> after = ApplyChange(file.after, change);
    if (!after.ok())
      return Error{after.error().cause, change.file + ": " + after.error().sentence + "; nothing was changed"};
    file.after = after.Take();
  }
  return files;
}

// Folders above `path` that are not there yet, the outer first.
void AddMissingFolders(const std::string& path, std::set<std::string>& folders) {
  std::string folder = ParentOf(path);
  for (; folder.size() > 1 && !Files().LinkStat(folder).ok(); folder = ParentOf(folder)) folders.insert(folder);
}

// Those that are empty go, the inner first.
void RemoveEmptyFolders(const std::set<std::string>& folders) {
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) (void)Files().RemoveFolder(*folder).ok();
}

Result<void> WriteRecord(const InstallRequest& request, const FilesByPath& files,
                         const std::set<std::string>& missing) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (bool own : {false, true}) {  // undone in this order, so that nothing names what has gone
    for (const auto& [name, file] : files) {
      if (file.own != own) continue;
      list.push_back(
          {{"path", PathAsText(file.path)}, {"existed", file.existed}, {"sha256", HexOf(Sha256Of(file.after))}});
    }
  }
  const std::string path = RecordPath(request);
  if (Result<void> made = MakeFolders(ParentOf(path)); !made.ok()) return made;
  nlohmann::ordered_json folders = nlohmann::ordered_json::array();
  for (const std::string& folder : missing) folders.push_back(PathAsText(folder));
  const nlohmann::ordered_json record = {
      {"host", request.host}, {"files", std::move(list)}, {"folders", std::move(folders)}};
  return WriteFileAtomically(path, JsonText(record, 2) + "\n");
}

Result<void> WriteOne(const FileChange& file) {
  if (file.existed) {
    FileChange backup = file;
    backup.path += kBackupSuffix;
    if (Result<void> kept = WriteText(backup, file.before); !kept.ok()) return kept;
  }
  return WriteText(file, file.after);
}

// As it was before; false where that cannot be had.
bool PutBack(const FileChange& file) {
  const bool back = file.existed ? WriteText(file, file.before).ok() : Files().Unlink(file.path).ok();
  if (back && file.existed) (void)Files().Unlink(file.path + std::string(kBackupSuffix)).ok();
  return back;
}

Result<void> WriteFiles(const InstallRequest& request, const FilesByPath& files) {
  std::set<std::string> missing;
  AddMissingFolders(RecordPath(request), missing);
  for (const auto& [name, file] : files) AddMissingFolders(file.path, missing);
  if (Result<void> recorded = WriteRecord(request, files, missing); !recorded.ok()) return recorded;
  std::vector<const FileChange*> written;
  for (bool own : {true, false}) {
    for (const auto& [name, file] : files) {
      if (file.own != own) continue;
      Result<void> wrote = WriteOne(file);
      if (wrote.ok()) {
        written.push_back(&file);
        continue;
      }
      std::string left;
      for (const FileChange* one : written) left += PutBack(*one) ? "" : " " + one->path;
      if (!left.empty()) return Error{wrote.error().cause, wrote.error().sentence + "; already changed:" + left};
      (void)Files().Unlink(RecordPath(request)).ok();
      RemoveEmptyFolders(missing);
      return Error{wrote.error().cause, wrote.error().sentence + "; nothing was changed"};
    }
  }
  return {};
}

struct Recorded {
  std::string path, sha256;
  bool existed = false;
};

std::vector<Recorded> ReadRecord(const InstallRequest& request) {
  std::vector<Recorded> files;
  Result<std::string> text = ReadRegularFile(RecordPath(request), kMaxHostFile);
  if (!text.ok()) return files;
  const nlohmann::json record = ParseJson(*text);
  if (!record.is_object() || !record.contains("files") || !record["files"].is_array()) return files;
  for (const nlohmann::json& file : record["files"]) {
    if (!file.is_object()) continue;
    files.push_back({PathFromText(file.value("path", "")), file.value("sha256", ""), file.value("existed", false)});
  }
  return files;
}

// The folders that were made for the files.
std::set<std::string> ReadMadeFolders(const InstallRequest& request) {
  std::set<std::string> folders;
  Result<std::string> text = ReadRegularFile(RecordPath(request), kMaxHostFile);
  const nlohmann::json record = text.ok() ? ParseJson(*text) : nlohmann::json();
  if (!record.is_object() || !record.contains("folders") || !record["folders"].is_array()) return folders;
  for (const nlohmann::json& folder : record["folders"]) {
    if (folder.is_string()) folders.insert(PathFromText(folder.get<std::string>()));
  }
  return folders;
}

// Whether the files hold, byte for byte, what installing into their former texts would write.
bool IsInPlace(const InstallRequest& request) {
  std::map<std::string, std::string> wanted;
  const std::vector<Recorded> recorded = ReadRecord(request);
  for (const Recorded& file : recorded) {
    Result<std::string> former = ReadRegularFile(file.path + std::string(kBackupSuffix), kMaxHostFile);
    if (file.existed && !former.ok()) return false;
    wanted[file.path] = file.existed ? former.Take() : std::string();
  }
  std::set<std::string> changed;
  for (const SetupChange& change : ChangesFor(request.host, request.place)) {
    const std::string path = RealPath(change.file);
    auto found = wanted.find(path);
    if (found == wanted.end()) return false;
    Result<std::string> after = ApplyChange(found->second, change);
    if (!after.ok()) return false;
    found->second = after.Take();
    changed.insert(path);
  }
  return !recorded.empty() && changed.size() == wanted.size() &&
         std::all_of(wanted.begin(), wanted.end(), [](const auto& file) {
           Result<std::string> text = ReadRegularFile(file.first, kMaxHostFile);
           return text.ok() && *text == file.second;
         });
}

// Puts the former bytes back where the file is as we left it. True: done.
Result<bool> Restore(const Recorded& recorded, bool dry_run, std::vector<std::string>& done) {
  Result<FileChange> file = Load(recorded.path);
  if (!file.ok()) return file.error();
  if (!file->existed || HexOf(Sha256Of(file->before)) != recorded.sha256) return false;
  if (!recorded.existed) {
    if (dry_run) {
      done.push_back("would remove " + recorded.path);
      return true;
    }
    if (Result<void> gone = Files().Unlink(file->path); !gone.ok()) return gone.error();
    done.push_back("removed " + recorded.path);
    return true;
  }
  Result<std::string> former = ReadRegularFile(file->path + std::string(kBackupSuffix), kMaxHostFile);
  if (!former.ok()) return false;
  if (dry_run) {
    done.push_back("would restore " + recorded.path);
    return true;
  }
  if (Result<void> wrote = WriteText(*file, *former); !wrote.ok()) return wrote.error();
  done.push_back("restored " + recorded.path);
  return true;
}

struct Undoing {
  std::set<std::string> recorded;  // files that install wrote
  std::set<std::string> settled;   // files to leave alone from here on
  std::vector<std::string> done;
  std::vector<Error> troubles;  // of files that stay as they are
};

// A file that is not what it should be, where install refused and nothing of ours was ever written, is none of our
// business.
bool MayHoldOurs(const FileChange& file, const Undoing& undoing) {
  return undoing.recorded.contains(file.path) || file.before.find("pith") != std::string::npos;
}

// Takes only what is ours out of the files that somebody changed since.
void TakeOut(const InstallRequest& request, Undoing& undoing) {
  FilesByPath files;
  for (const SetupChange& change : ChangesFor(request.host, request.place)) {
    if (undoing.settled.contains(RealPath(change.file))) continue;
    auto found = files.find(change.file);
    if (found == files.end()) {
      Result<FileChange> loaded = Load(change.file);
      if (!loaded.ok()) {
        const bool other = loaded.error().cause == Cause::kInvalid && !undoing.recorded.contains(RealPath(change.file));
        if (!other) undoing.troubles.push_back(loaded.error());
        undoing.settled.insert(RealPath(change.file));
        continue;
      }
      found = files.emplace(change.file, loaded.Take()).first;
    }
    FileChange& file = found->second;
    if (file.after.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    Result<std::string> former = ReadRegularFile(file.path + std::string(kBackupSuffix), kMaxHostFile);
    Result<std::string> after =
        UndoChange(file.after, change, former.ok() ? std::string_view(*former) : std::string_view());
    if (after.ok()) {
      file.after = after.Take();
    } else if (after.error().cause != Cause::kNotFound && MayHoldOurs(file, undoing)) {
      undoing.troubles.push_back(
          {after.error().cause, change.file + " stays as it is: " + after.error().sentence +
                                    "; mend it, then call this again, or take the entry `pith` out by hand"});
      undoing.settled.insert(file.path);
      file.after = file.before;
    }
  }
  for (auto& [name, file] : files) {
    if (file.after == file.before || undoing.settled.contains(file.path)) continue;
    if (request.dry_run) {
      undoing.done.push_back((file.after.empty() ? "would remove " : "would take our part out of ") + name);
      continue;
    }
    Result<void> wrote = file.after.empty() ? Files().Unlink(file.path) : WriteText(file, file.after);
    if (wrote.ok())
      undoing.done.push_back((file.after.empty() ? "removed " : "took our part out of ") + name);
    else
      undoing.troubles.push_back(wrote.error());
  }
}

}  // namespace

Result<SetupPlace> PlaceOfProcess(bool of_project) {
  const auto variable = [](const char* name) {
    const char* value = getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  SetupPlace place;
  place.home = variable("HOME");
  if (!place.home.starts_with("/")) return Error{Cause::kIo, "HOME is not set to a folder"};
  if (of_project) place.project = WorkingFolder();
  if (of_project && place.project.empty()) return Error{Cause::kIo, "the working folder is gone; there is no project"};
  const std::string state = variable("XDG_STATE_HOME");
  place.state = (state.starts_with("/") ? state : place.home + "/.local/state") + "/pith";
  place.claude_folder = variable("CLAUDE_CONFIG_DIR");
  if (place.claude_folder.empty()) place.claude_folder = place.home + "/.claude";
  place.binary = RealPath("/proc/self/exe");
  return place;
}

Result<std::vector<std::string>> Install(const InstallRequest& request) {
  std::vector<std::string> done;
  if (IsInPlace(request)) return std::vector<std::string>{"set up already; nothing is changed"};
  if (!request.dry_run && !ReadRecord(request).empty()) {
    Result<std::vector<std::string>> undone = Uninstall(request, false);
    if (!undone.ok() && undone.error().cause != Cause::kNotFound) return undone.error();
  }
  Result<FilesByPath> files = Prepare(request);
  if (!files.ok()) return files.error();
  if (files->empty()) return Error{Cause::kInvalid, "nothing can be set up for " + request.host + " there"};
  if (!request.dry_run) {
    if (Result<void> wrote = WriteFiles(request, *files); !wrote.ok()) return wrote.error();
  }
  for (const auto& [name, file] : *files) {
    const char* what =
        request.dry_run ? (file.existed ? "would change " : "would write ") : (file.existed ? "changed " : "wrote ");
    done.push_back(what + name);
  }
  return done;
}

namespace {

Result<std::vector<std::string>> OutcomeOf(const InstallRequest& request, Undoing undoing,
                                           std::vector<std::string>* troubles) {
  if (undoing.troubles.empty() && undoing.done.empty())
    return Error{Cause::kNotFound, "nothing of pith is set up for " + request.host + " there"};
  if (troubles == nullptr && !undoing.troubles.empty()) return undoing.troubles.front();
  for (Error& trouble : undoing.troubles) troubles->push_back(std::move(trouble.sentence));
  return std::move(undoing.done);
}

}  // namespace

Result<std::vector<std::string>> Uninstall(const InstallRequest& request, bool purge,
                                           std::vector<std::string>* troubles) {
  Undoing undoing;
  std::vector<std::string>& done = undoing.done;
  const std::vector<Recorded> recorded = ReadRecord(request);
  for (const Recorded& file : recorded) undoing.recorded.insert(file.path);
  for (const Recorded& file : recorded) {
    Result<bool> restored = Restore(file, request.dry_run, done);
    if (!restored.ok()) undoing.troubles.push_back(restored.error());
    if (!restored.ok() || (*restored && request.dry_run)) undoing.settled.insert(file.path);
  }
  TakeOut(request, undoing);
  if (request.dry_run) return OutcomeOf(request, std::move(undoing), troubles);
  for (const Recorded& file : recorded) {
    const std::string backup = file.path + std::string(kBackupSuffix);
    const Result<std::string> kept = ReadRegularFile(backup, kMaxHostFile);
    const Result<std::string> now = ReadRegularFile(file.path, kMaxHostFile);
    const bool same = kept.ok() && now.ok() && *kept == *now;
    if (same || purge) {
      (void)Files().Unlink(backup).ok();
    } else if (access(backup.c_str(), F_OK) == 0) {
      done.push_back("kept " + backup + ", the file as it was before install (--purge removes it)");
    }
  }
  if (!recorded.empty() && undoing.troubles.empty()) {  // else the next call goes by it
    const std::set<std::string> made = ReadMadeFolders(request);
    if (Result<void> gone = Files().Unlink(RecordPath(request)); !gone.ok()) undoing.troubles.push_back(gone.error());
    RemoveEmptyFolders(made);
    const std::string& ours = request.place.state;  // another host's install may have made them
    RemoveEmptyFolders({ours, ours + "/bin", ours + "/install"});
  }
  return OutcomeOf(request, std::move(undoing), troubles);
}

std::vector<SetupState> StateOf(const std::string& host, const SetupPlace& place) {
  std::vector<SetupState> states;
  for (SetupChange& change : ChangesFor(host, place)) {
    SetupState state;
    Result<std::string> text = ReadRegularFile(change.file, kMaxHostFile);
    if (text.ok()) {
      state.held = HoldsChange(*text, change);
    } else if (text.error().cause != Cause::kNotFound) {
      state.problem = text.error().sentence;
    }
    state.change = std::move(change);
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace pith
