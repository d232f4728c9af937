// One loop over one poll(): the pipes, the signals (signalfd) and our own stdout, whose reader may go.
//
// - Where stdout and stderr are one open file the child gets one pipe for both, which keeps the exact order; else one
//   each. A stderr that is a terminal stays the child's own.
// - A signal that a process sent to us alone is sent on to the child; one from the terminal has reached it already.
// - The end is the end of the pipes. A grandchild may hold them open for ever, as it would hold the caller's own
//   descriptors: when the child has ended and nothing comes for a while, what came is shown, and a process of ours
//   stays behind in the grandchild's stead and passes on what it still prints.
// - When the reader of our stdout has gone, our ends are closed, so that the child meets the broken pipe that it would
//   have met without us.
#include "agents/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "agents/process.h"

namespace pith {
namespace {

constexpr int64_t kGraceAfterSignalMs = 150;  // a command that ends on the signal gets its view with its end
constexpr int64_t kIdleAfterEndMs = 400;      // without a byte, with the child gone and the pipe still open
constexpr int64_t kLongestAfterEndMs = 5000;  // with bytes still coming
constexpr int kRelayed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGTSTP, SIGWINCH};

int64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

bool IsIgnored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

struct Source {
  int descriptor = -1;
  int target = -1;  // where it would have gone
  bool error = false;
};

class Capture {
 public:
  Capture(const CaptureOptions& options, const CaptureCalls& calls) : options_(options), calls_(calls) {}

  int Run(int* code) {
    BlockSignals();
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    const bool merged = SameFile(STDOUT_FILENO, STDERR_FILENO);
    const bool separate = !merged && IsOpen(STDERR_FILENO) && !IsTerminal(STDERR_FILENO);
    if (!MakePipe(out) || (separate && !MakePipe(err))) return Direct(code);
    child_ = StartChild(options_.argv, out[1], merged ? out[1] : err[1], old_mask_, code);
    close(out[1]);
    if (separate) close(err[1]);
    if (child_ < 0) return -1;
    sources_[0] = {out[0], STDOUT_FILENO, false};
    sources_[1] = {err[0], STDERR_FILENO, true};
    started_ms_ = last_byte_ms_ = NowMs();
    while (!Finished()) Wait();
    if (!shown_) Show({true, status_, 0, false});
    LeaveRelay();
    return status_;
  }

 private:
  void BlockSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (int number : kRelayed) {
      if (!IsIgnored(number)) sigaddset(&set, number);
    }
    sigprocmask(SIG_BLOCK, &set, &old_mask_);
    signals_ = MoveUp(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  // No pipe to be had: the child gets our own descriptors.
  int Direct(int* code) {
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    *code = ExecInstead(options_.argv);
    return -1;
  }

  bool Finished() const {
    if (!ended_) return false;
    if (sources_[0].descriptor < 0 && sources_[1].descriptor < 0) return true;
    const int64_t now = NowMs();
    return now - last_byte_ms_ >= kIdleAfterEndMs || now - ended_ms_ >= kLongestAfterEndMs;
  }

  int WaitMs() const {
    int64_t until = INT64_MAX;
    const int64_t now = NowMs();
    if (ended_) until = std::min(last_byte_ms_ + kIdleAfterEndMs, ended_ms_ + kLongestAfterEndMs);
    if (show_by_ms_ > 0 && !shown_) until = std::min(until, show_by_ms_);
    if (options_.heartbeat_ms > 0 && !beaten_ && !shown_) until = std::min(until, started_ms_ + options_.heartbeat_ms);
    if (first_byte_ms_ > 0 && !waited_ && !shown_) until = std::min(until, first_byte_ms_ + options_.waiting_ms);
    if (until == INT64_MAX) return -1;
    return until <= now ? 0 : static_cast<int>(until - now);
  }

  void Wait() {
    std::array<pollfd, 4> polled = {{{signals_, POLLIN, 0},
                                     {sources_[0].descriptor, POLLIN, 0},
                                     {sources_[1].descriptor, POLLIN, 0},
                                     {reader_gone_ ? -1 : STDOUT_FILENO, 0, 0}}};
    if (poll(polled.data(), polled.size(), WaitMs()) < 0 && errno != EINTR) return;
    for (size_t i = 0; i < 2; ++i) {
      if ((polled[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) ReadFrom(sources_[i]);
    }
    if ((polled[0].revents & POLLIN) != 0) TakeSignals();
    if ((polled[3].revents & (POLLERR | POLLNVAL)) != 0) ReaderGone();
    const int64_t now = NowMs();
    if (show_by_ms_ > 0 && !shown_ && now >= show_by_ms_ && !ended_) Show({false, 0, asked_by_, false});
    if (first_byte_ms_ > 0 && !waited_ && !shown_ && now - first_byte_ms_ >= options_.waiting_ms) {
      waited_ = true;
      calls_.waiting();
    }
    if (options_.heartbeat_ms > 0 && !beaten_ && !shown_ && now - started_ms_ >= options_.heartbeat_ms) {
      beaten_ = true;
      calls_.heartbeat();
    }
  }

  void ReadFrom(Source& source) {
    const ssize_t got = read(source.descriptor, buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
      close(source.descriptor);
      source.descriptor = -1;
      return;
    }
    last_byte_ms_ = NowMs();
    const std::string_view piece(buffer_.data(), static_cast<size_t>(got));
    if (shown_) {
      if (!WriteAll(source.target, piece) && !source.error) ReaderGone();
      return;
    }
    Keep(piece, source.error);
    if (captured_.bytes.size() > options_.memory_limit) Show({false, 0, 0, true});
  }

  void Keep(std::string_view piece, bool error) {
    if (captured_.segments.empty() || captured_.segments.back().error != error) {
      captured_.both = !captured_.segments.empty();
      captured_.segments.push_back({0, error});
    }
    captured_.bytes.append(piece);
    captured_.segments.back().end = captured_.bytes.size();
    if (first_byte_ms_ == 0) first_byte_ms_ = last_byte_ms_;
    calls_.gathered(piece);
  }

  void Show(const CaptureCalls::Moment& moment) {
    shown_ = true;
    calls_.show(captured_, moment);
    captured_ = {};
  }

  void ReaderGone() {
    reader_gone_ = true;
    if (sources_[0].descriptor >= 0) close(sources_[0].descriptor);
    sources_[0].descriptor = -1;
  }

  void TakeSignals() {
    signalfd_siginfo info{};
    while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD) {
        Reap();
      } else {
        Relay(number, info.ssi_code != SI_KERNEL);
      }
    }
  }

  void Relay(int number, bool from_process) {
    if (from_process && !ended_) kill(child_, number);
    if ((number == SIGINT || number == SIGTERM || number == SIGHUP) && show_by_ms_ == 0) {
      asked_by_ = number;
      show_by_ms_ = NowMs() + kGraceAfterSignalMs;
    }
  }

  // Also mirrors a stop of the child, so that job control sees what it would have seen.
  void Reap() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(child_, &status, WNOHANG | WUNTRACED)) > 0) {
      if (WIFSTOPPED(status)) {
        kill(getpid(), SIGSTOP);
        kill(child_, SIGCONT);
        continue;
      }
      status_ = status;
      ended_ = true;
      ended_ms_ = last_byte_ms_ = NowMs();
      break;
    }
  }

  // A process that outlives us and goes on passing on what a grandchild prints.
  void LeaveRelay() {
    if (sources_[0].descriptor < 0 && sources_[1].descriptor < 0) return;
    if (fork() != 0) return;
    setsid();
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    while (sources_[0].descriptor >= 0 || sources_[1].descriptor >= 0) {
      std::array<pollfd, 2> polled = {{{sources_[0].descriptor, POLLIN, 0}, {sources_[1].descriptor, POLLIN, 0}}};
      if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
      for (size_t i = 0; i < 2; ++i) {
        if (polled[i].revents != 0) ReadFrom(sources_[i]);
      }
    }
    _exit(0);
  }

  const CaptureOptions& options_;
  const CaptureCalls& calls_;
  sigset_t old_mask_{};
  int signals_ = -1;
  pid_t child_ = -1;
  std::array<Source, 2> sources_;
  std::array<char, 65536> buffer_;
  Captured captured_;
  bool ended_ = false, shown_ = false, beaten_ = false, waited_ = false, reader_gone_ = false;
  int status_ = 0, asked_by_ = 0;
  int64_t started_ms_ = 0, first_byte_ms_ = 0, last_byte_ms_ = 0, ended_ms_ = 0, show_by_ms_ = 0;
};

}  // namespace

int CaptureOutput(const CaptureOptions& options, const CaptureCalls& calls, int* code) {
  return Capture(options, calls).Run(code);
}

}  // namespace pith
