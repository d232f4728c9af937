// A wrapper must not be felt. So children are started with the very descriptors, mask and dispositions that the caller
// gave, nothing of ours is left open in them, and our end is theirs, down to the signal. Nothing is put into the
// child's environment to recognise it later: a nested `pith run` is recognised by looking up the process table.
#include "agents/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pith {
namespace {

bool sigpipe_was_ignored = false;

constexpr int kLowestOwn = 10;
constexpr int kMaxAncestors = 64;

std::vector<char*> Pointers(const std::vector<std::string>& argv) {
  std::vector<char*> pointers;
  pointers.reserve(argv.size() + 1);
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void SayCannotRun(const std::string& program, int error) {
  const std::string line =
      "pith run: " + program + ": " + (error == ENOENT ? "command not found" : strerror(error)) + "\n";
  WriteAll(STDERR_FILENO, line);
}

int ExitCodeOf(int error) { return error == ENOENT || error == ENOTDIR ? 127 : 126; }

std::string ReadProc(pid_t pid, const char* name, size_t limit) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return {};
  std::string text(limit, '\0');
  const ssize_t got = read(descriptor, text.data(), limit);
  close(descriptor);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

// 0 when there is none or it cannot be told.
pid_t ParentOf(pid_t pid) {
  const std::string stat = ReadProc(pid, "stat", 512);
  const size_t behind_name = stat.rfind(')');
  if (behind_name == std::string::npos || behind_name + 4 >= stat.size()) return 0;
  return static_cast<pid_t>(strtol(stat.c_str() + behind_name + 4, nullptr, 10));
}

bool IsShellName(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  if (name.starts_with("-")) name.remove_prefix(1);
  for (std::string_view shell : {"sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "busybox"}) {
    if (name == shell) return true;
  }
  return false;
}

}  // namespace

bool IsOpen(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

bool SameFile(int first, int second) {
  struct stat a {
  }, b{};
  if (fstat(first, &a) != 0 || fstat(second, &b) != 0) return false;
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_rdev == b.st_rdev;
}

bool IsRegularFile(int descriptor) {
  struct stat about {};
  return fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
}

bool IsSocket(int descriptor) {
  struct stat about {};
  return fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode);
}

bool IsNullDevice(int descriptor) {
  struct stat about {
  }, null{};
  return fstat(descriptor, &about) == 0 && S_ISCHR(about.st_mode) && stat("/dev/null", &null) == 0 &&
         about.st_rdev == null.st_rdev;
}

bool ReaderHasGone(int descriptor) {
  pollfd polled = {descriptor, POLLOUT, 0};
  return poll(&polled, 1, 0) == 1 && (polled.revents & (POLLERR | POLLHUP)) != 0;
}

bool IsTerminal(int descriptor) { return isatty(descriptor) == 1; }

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(descriptor, bytes.data(), bytes.size());
    if (wrote > 0) {
      bytes.remove_prefix(static_cast<size_t>(wrote));
    } else if (wrote < 0 && errno == EAGAIN) {
      pollfd ready = {descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (wrote < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

int MoveUp(int descriptor) {
  if (descriptor < 0 || descriptor >= kLowestOwn) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, kLowestOwn);
  close(descriptor);
  return moved;
}

bool MakePipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  ends[0] = MoveUp(ends[0]);
  ends[1] = MoveUp(ends[1]);
  fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
  return ends[0] >= 0 && ends[1] >= 0;
}

bool UnderPithRun() {
  struct stat self {};
  if (stat("/proc/self/exe", &self) != 0) return false;
  pid_t pid = getppid();
  for (int i = 0; i < kMaxAncestors && pid > 1; ++i, pid = ParentOf(pid)) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    struct stat other {};
    if (stat(path, &other) != 0 || other.st_dev != self.st_dev || other.st_ino != self.st_ino) continue;
    const std::string words = ReadProc(pid, "cmdline", 256);
    const size_t name_end = words.find('\0');
    if (name_end != std::string::npos && words.compare(name_end + 1, 4, std::string("run\0", 4)) == 0) return true;
  }
  return false;
}

bool PrintsWhereOutermostShellDoes(std::span<const std::string_view> hosts) {
  pid_t shell = 0;
  pid_t pid = getppid();
  for (int i = 0; i < kMaxAncestors && pid > 1; ++i, pid = ParentOf(pid)) {
    const std::string words = ReadProc(pid, "cmdline", 256);
    if (!IsShellName(words.substr(0, words.find('\0')))) break;
    shell = pid;
  }
  if (shell == 0) {
    const std::string comm = ReadProc(getppid(), "comm", 64);
    const std::string_view name = std::string_view(comm).substr(0, comm.find('\n'));
    return getpgrp() == getpid() && std::find(hosts.begin(), hosts.end(), name) != hosts.end();
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/1", shell);
  struct stat theirs {
  }, ours{};
  if (stat(path, &theirs) != 0 || fstat(STDOUT_FILENO, &ours) != 0) return false;
  return theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

void NoteSigpipeIgnored(bool ignored) { sigpipe_was_ignored = ignored; }
bool SigpipeWasIgnored() { return sigpipe_was_ignored; }

int ExecInstead(const std::vector<std::string>& argv) {
  signal(SIGPIPE, sigpipe_was_ignored ? SIG_IGN : SIG_DFL);
  execvp(argv[0].c_str(), Pointers(argv).data());
  const int error = errno;
  SayCannotRun(argv[0], error);
  return ExitCodeOf(error);
}

pid_t StartChild(const std::vector<std::string>& argv, int out, int err, const sigset_t& mask, int* code) {
  int report[2];
  if (!MakePipe(report)) {
    *code = 126;
    return -1;
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126);
    if (out >= 0) dup2(out, STDOUT_FILENO);
    if (err >= 0) dup2(err, STDERR_FILENO);
    signal(SIGPIPE, sigpipe_was_ignored ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    execvp(argv[0].c_str(), Pointers(argv).data());
    const int error = errno;
    if (write(report[1], &error, sizeof error) < 0) _exit(126);
    _exit(ExitCodeOf(error));
  }
  close(report[1]);
  int error = child < 0 ? errno : 0;
  if (child > 0) {
    while (read(report[0], &error, sizeof error) < 0 && errno == EINTR) {
    }
  }
  close(report[0]);
  if (error == 0) return child;
  if (child > 0) waitpid(child, nullptr, 0);
  SayCannotRun(argv[0], error);
  *code = ExitCodeOf(error);
  return -1;
}

void EndAs(int wait_status) {
  if (!WIFSIGNALED(wait_status)) _exit(WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 1);
  const int number = WTERMSIG(wait_status);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // the child has left its core, if any
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
  _exit(128 + number);
}

}  // namespace pith
