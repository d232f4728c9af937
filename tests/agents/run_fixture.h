// Runs a program in a child of the test, bare or through Run(), and tells all that a caller could see of it.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "agents/process.h"
#include "agents/run.h"
#include "base/files.h"

namespace pith::test {

// A folder of its own as home and state, gone at the end.
class Scratch {
 public:
  Scratch() {
    char name[] = "/tmp/pith-agents-XXXXXX";
    folder_ = mkdtemp(name);
    setenv("HOME", folder_.c_str(), 1);
    setenv("XDG_STATE_HOME", (folder_ + "/state").c_str(), 1);
    setenv("XDG_CONFIG_HOME", (folder_ + "/config").c_str(), 1);
    for (const char* name_of :
         {"PITH_DISABLE", "PITH_NO_RUN", "PITH_NO_HOOKS", "PITH_MEASURE_ONLY", "PITH_AGENT", "PITH_EXCLUDE",
          "PITH_INCLUDE", "PITH_MARKER_STYLE", "PITH_CONFIG", "PITH_STATE_FOLDER", "SHELL"}) {
      unsetenv(name_of);
    }
  }
  ~Scratch() {
    const std::string command = "rm -rf '" + folder_ + "'";
    if (std::system(command.c_str()) != 0) return;
  }
  const std::string& folder() const { return folder_; }
  std::string Write(const std::string& name, const std::string& content, int mode = 0644) const {
    const std::string path = folder_ + "/" + name;
    FILE* file = fopen(path.c_str(), "w");
    fwrite(content.data(), 1, content.size(), file);
    fclose(file);
    chmod(path.c_str(), static_cast<mode_t>(mode));
    return path;
  }

 private:
  std::string folder_;
};

// Works in a folder while it lives.
class InFolder {
 public:
  explicit InFolder(const std::string& folder) : before_(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (chdir(folder.c_str()) != 0) abort();
  }
  ~InFolder() {
    if (fchdir(before_) != 0) abort();
    close(before_);
  }

 private:
  int before_;
};

struct Seen {
  std::string out, err;
  int status = 0;  // of waitpid
  bool operator==(const Seen&) const = default;
};

enum class Streams {
  kSeparate,
  kMerged,
  kTerminal,       // stdout and stderr are one terminal
  kTerminalError,  // stderr alone is one
  kNoReader,       // nobody reads stdout, so a write to it ends in SIGPIPE
};

// [0] to read, [1] for the child.
inline void MakeTerminal(int ends[2]) {
  ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ends[0] < 0 || grantpt(ends[0]) != 0 || unlockpt(ends[0]) != 0) abort();
  ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
}

// `body` runs in the child with stdout and stderr as `streams` says; its return value is the exit code.
inline Seen InChild(Streams streams, const std::function<int()>& body,
                    const std::function<void(pid_t)>& meanwhile = {}) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) abort();
  if (streams == Streams::kTerminal || streams == Streams::kTerminalError) {
    int* ends = streams == Streams::kTerminal ? out : err;
    close(ends[0]);
    close(ends[1]);
    MakeTerminal(ends);
  }
  if (streams == Streams::kNoReader) {
    close(out[0]);
    out[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
  }
  const bool one = streams == Streams::kMerged || streams == Streams::kTerminal;
  const pid_t child = fork();
  if (child == 0) {
    if (streams == Streams::kNoReader) close(out[0]);
    dup2(out[1], 1);
    dup2(one ? out[1] : err[1], 2);
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    _exit(body());
  }
  close(out[1]);
  close(err[1]);
  if (meanwhile) meanwhile(child);
  Seen seen;
  pollfd polled[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    poll(polled, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t got = read(polled[i].fd, buffer, sizeof buffer);
      if (got > 0) {
        (i == 0 ? seen.out : seen.err).append(buffer, static_cast<size_t>(got));
      } else {
        close(polled[i].fd);
        polled[i].fd = -1;
      }
    }
  }
  waitpid(child, &seen.status, 0);
  seen.status &= ~0x80;  // whether a core was written is not compared
  return seen;
}

inline void WriteOut(const std::string& text) { WriteAll(1, text); }

inline Seen Bare(Streams streams, const std::vector<std::string>& argv) {
  return InChild(streams, [&] { return ExecInstead(argv); });
}

inline Seen Wrapped(Streams streams, const std::vector<std::string>& argv,
                    const std::function<void(pid_t)>& meanwhile = {}) {
  return InChild(
      streams,
      [&] {
        RunRequest request;
        request.argv = argv;
        return Run(request);
      },
      meanwhile);
}

inline Seen WrappedLine(Streams streams, const std::string& line, const std::string& host = "") {
  return InChild(streams, [&] {
    RunRequest request;
    request.line = line;
    request.host = host;
    return Run(request);
  });
}

}  // namespace pith::test
