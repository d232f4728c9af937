// What the store's tests share: a folder that goes when the test ends, originals, shorthands.
#pragma once
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/token.h"
#include "store/store.h"
#include "tests/sanitized.h"

namespace pith::testing {

// Sanitizers cost ten times the time: what counts its operations does a tenth of them.
inline constexpr size_t kSlowness = kSanitized ? 10 : 1;

class ScratchFolder {
 public:
  // `in_memory`: where the system has a file system in memory, for many small files; syncing costs nothing there.
  explicit ScratchFolder(bool in_memory = false) {
    char on_disk[] = "/tmp/pith-store-XXXXXX", shared[] = "/dev/shm/pith-store-XXXXXX";
    char* made = in_memory ? mkdtemp(shared) : nullptr;
    path_ = made != nullptr ? made : mkdtemp(on_disk);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { Remove(path_); }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  static void Remove(const std::string& path) {
    Result<FileInfo> info = SystemFiles().LinkStat(path);
    if (info && info->type == FileInfo::Type::kFolder) {
      (void)SystemFiles().ChangeMode(path, 0700).ok();
      std::vector<std::string> names;
      (void)SystemFiles().List(path, [&](std::string_view name) { return names.emplace_back(name), true; }).ok();
      for (const std::string& name : names) Remove(path + "/" + name);
      (void)SystemFiles().RemoveFolder(path).ok();
    } else {
      (void)SystemFiles().Unlink(path).ok();
    }
  }

 private:
  std::string path_;
};

inline StoreOptions In(const std::string& folder) {
  StoreOptions options;
  options.folder = folder;
  return options;
}

inline std::unique_ptr<Store> Opened(const StoreOptions& options) {
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  REQUIRE(store.ok());
  return store.Take();
}

inline Sighting Seen(std::string command = "make", std::string name_space = "/project") {
  Sighting sighting;
  sighting.tool = "Bash";
  sighting.command = std::move(command);
  sighting.name_space = std::move(name_space);
  return sighting;
}

inline std::string PutOrFail(Store& store, std::string_view bytes, const Sighting& sighting = Seen()) {
  Result<PutOutcome> put = store.Put(bytes, sighting);
  INFO((put ? "" : put.error().sentence));
  REQUIRE(put.ok());
  return put->token;
}

inline std::string GetOrFail(Store& store, std::string_view token, Range range = {}) {
  Result<std::string> bytes = store.Get(token, range);
  INFO((bytes ? "" : bytes.error().sentence));
  REQUIRE(bytes.ok());
  return bytes.Take();
}

inline Cause CauseOfGet(Store& store, std::string_view token) {
  Result<std::string> bytes = store.Get(token);
  return bytes ? Cause::kInternal : bytes.error().cause;
}

// Incompressible, the same for the same seed.
inline std::string RandomBytes(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

inline std::string LogLines(size_t lines, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    text += "2026-01-02T03:04:05Z INFO worker-" + std::to_string(random() % 16) + " handled request " +
            std::to_string(random()) + " in " + std::to_string(random() % 900) + " ms\n";
  }
  return text;
}

// Runs `work` in a child process and gives its exit code; a child that dies of a signal gives 128 and the signal.
inline int InChild(const std::function<int()>& work) {
  pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace pith::testing
