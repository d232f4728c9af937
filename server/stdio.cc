// Threads take turns at reading: who read a request wakes another to read on and serves it itself, so that a short call
// costs no change of threads (see pool.h). Whoever reads never writes: a client that sends without reading fills the
// pipe to it, and a reader that stood in write() could then hear neither the client's cancellations nor a signal. So
// one thread more than serve is kept for reading, and every answer, also that to a line which is no JSON, is a job;
// what waits there is bounded, and beyond the bound the reader rests.
//
// The end comes as hosts bring it about: some close our input, some send SIGINT and kill us a tenth of a second later.
// All that must last is on disk before an answer is given, so there is nothing to flush; we give running requests a
// moment and leave. A dead parent is noticed once a second by its number: its death need not close our input, since a
// child that it started beside us may have inherited the other end.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "server/dispatch.h"
#include "server/pool.h"
#include "server/serve.h"

namespace pith::mcp {
namespace {

using std::chrono::milliseconds;

constexpr size_t kReadSize = 64 * 1024;
constexpr size_t kMostQueued = 1024;
constexpr milliseconds kGraceAtEnd{80};
constexpr milliseconds kGraceOnSignal{40};
constexpr int kParentCheckMs = 1000;

std::atomic<int> signal_pipe = -1;

void OnSignal(int) {
  const int saved = errno;
  const int pipe = signal_pipe;
  const char byte = 's';
  if (pipe >= 0 && write(pipe, &byte, 1) < 0) {
  }  // a full pipe has woken the reader already
  errno = saved;
}

// Whole lines to one descriptor. A closed pipe turns it silent and wakes the reader.
class LineWriter final : public Sink {
 public:
  LineWriter(int descriptor, int wake) : descriptor_(descriptor), wake_(wake) {}

  void Send(std::string message) override {
    message += '\n';
    const std::lock_guard lock(mutex_);
    std::string_view rest = message;
    while (!rest.empty() && !closed_) {
      const ssize_t written = write(descriptor_, rest.data(), rest.size());
      if (written >= 0) {
        rest.remove_prefix(static_cast<size_t>(written));
      } else if (errno == EAGAIN) {
        pollfd wait{descriptor_, POLLOUT, 0};
        poll(&wait, 1, -1);
      } else if (errno != EINTR) {
        closed_ = true;
        const char byte = 'c';
        if (write(wake_, &byte, 1) < 0) return;
      }
    }
  }
  void Finish(std::string message) override {
    if (!message.empty()) Send(std::move(message));
  }

 private:
  const int descriptor_, wake_;
  std::mutex mutex_;
  bool closed_ = false;
};

// Cuts a byte stream into lines of bounded length.
class LineCutter {
 public:
  explicit LineCutter(size_t longest) : longest_(longest) {}

  enum class Found { kNothing, kLine, kTooLong };
  void Feed(std::string_view bytes) { held_ += bytes; }
  // The next whole line of what was fed; kTooLong once for each that is over the bound, as soon as that is known.
  Found Next(std::string* line) {
    while (true) {
      const size_t end = held_.find('\n', searched_);
      const bool whole = end != std::string::npos;
      const size_t length = (whole ? end : held_.size()) - begin_;
      if (!skipping_ && length > longest_) {
        skipping_ = true;
        Drop(whole ? end : held_.size());
        return Found::kTooLong;
      }
      if (!whole) {
        if (skipping_) Drop(held_.size());
        Drop(begin_);
        searched_ = held_.size();
        return Found::kNothing;
      }
      if (!skipping_) line->assign(held_, begin_, length);
      begin_ = searched_ = end + 1;
      if (!std::exchange(skipping_, false)) return Found::kLine;
    }
  }
  std::string TakeRest() { return std::exchange(held_, std::string()); }

 private:
  void Drop(size_t bytes) {
    if (bytes == held_.size()) {
      std::string().swap(held_);
    } else {
      held_.erase(0, bytes);
    }
    begin_ = searched_ = 0;
  }

  const size_t longest_;
  std::string held_;
  size_t begin_ = 0, searched_ = 0;  // of the next line; up to where there is no newline
  bool skipping_ = false;
};

class StdioServer {
 public:
  StdioServer(const Registry& registry, const StdioOptions& options, int output, std::array<int, 2> wake)
      : options_(options),
        wake_(wake),
        dispatcher_(registry),
        session_(std::make_shared<Session>(LatestLegacy())),
        writer_(std::make_shared<LineWriter>(output, wake[1])),
        cutter_(options.longest_line),
        pool_(options.workers + 1) {
    dispatcher_.subscriptions().Attach(session_, writer_);
  }

  // Serves to the end. True if the input ended, false if a signal, a closed output or the parent's death ended it.
  bool Serve() {
    pool_.Drain([this] { return Next(); });
    return input_ended_;
  }
  // True if nothing is left running.
  bool End(bool input_ended);

 private:
  using Job = WorkerPool::Job;

  // These run on the thread whose turn it is to read. Next: the next line's job; none: it is over. The others: the job
  // that a line makes, none if it makes none.
  Job Next();
  bool ReadMore();
  Job HandleLine(std::string line);
  Job HandleMessage(Message message, size_t weight);

  Job Reply(std::string text) {
    const size_t weight = text.size();
    return {[this, text = std::move(text)] { writer_->Send(text); }, weight};
  }
  bool Full() const { return pool_.queued() >= kMostQueued || pool_.queued_weight() > 2 * options_.longest_line; }
  bool Woken(int timeout_ms) const {
    pollfd wait{wake_[0], POLLIN, 0};
    return poll(&wait, 1, timeout_ms) > 0;
  }

  const StdioOptions& options_;
  const std::array<int, 2> wake_;
  Dispatcher dispatcher_;
  std::shared_ptr<Session> session_;
  std::shared_ptr<LineWriter> writer_;
  const pid_t parent_ = getppid();
  std::string buffer_ = std::string(kReadSize, '\0');  // this and the next two: of the thread that reads
  LineCutter cutter_;
  bool input_ended_ = false;
  WorkerPool pool_;  // last: its jobs use all of the above
};

StdioServer::Job StdioServer::Next() {
  while (!input_ended_) {
    std::string line;
    switch (cutter_.Next(&line)) {
      case LineCutter::Found::kTooLong:
        return Reply(ErrorReply(nullptr, {kInvalidRequest, "the message is longer than " +
                                                               std::to_string(options_.longest_line) + " bytes"}));
      case LineCutter::Found::kLine:
        if (Job job = HandleLine(std::move(line)); job.run) return job;
        break;
      case LineCutter::Found::kNothing:
        if (!ReadMore()) return {};
        if (input_ended_) return HandleLine(cutter_.TakeRest());
    }
  }
  return {};
}

// Waits for bytes and takes them. False if it is over for another reason than the input's end.
bool StdioServer::ReadMore() {
  while (true) {
    while (Full()) {
      if (Woken(10)) return false;
    }
    pollfd wait[2] = {{options_.input, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    const int ready = poll(wait, 2, options_.own_process ? kParentCheckMs : -1);
    if (wait[1].revents != 0 && ready > 0) return false;
    if (ready == 0 && options_.own_process && getppid() != parent_) return false;
    if (ready <= 0) continue;
    const ssize_t got = read(options_.input, buffer_.data(), buffer_.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got > 0) {
      cutter_.Feed(std::string_view(buffer_.data(), static_cast<size_t>(got)));
    } else {
      input_ended_ = true;
    }
    return true;
  }
}

StdioServer::Job StdioServer::HandleLine(std::string line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return {};
  Result<Json> parsed = ParseMessage(line);
  if (!parsed.ok()) {
    const int code = parsed.error().cause == Cause::kTooLarge ? kInvalidRequest : kParseError;
    return Reply(ErrorReply(nullptr, {code, parsed.error().sentence}));
  }
  const size_t weight = line.size();
  std::string().swap(line);
  if (parsed->is_array()) {
    auto batch = std::make_shared<Json>(parsed.Take());
    return {[this, batch] { writer_->Finish(dispatcher_.RunBatch(std::move(*batch), Peer{session_}, writer_).reply); },
            weight};
  }
  std::variant<Message, Misshapen> classified = Classify(parsed.Take());
  if (auto* misshapen = std::get_if<Misshapen>(&classified)) {
    return Reply(ErrorReply(misshapen->id, misshapen->error));
  }
  return HandleMessage(std::move(std::get<Message>(classified)), weight);
}

StdioServer::Job StdioServer::HandleMessage(Message message, size_t weight) {
  if (message.kind != Message::Kind::kRequest) {
    Dispatcher::Notice(message, *session_);
    return {};
  }
  const Peer peer{session_};
  auto call = std::make_shared<Call>(dispatcher_.Admit(std::move(message), peer));
  // The handshake decides how the next line is read, so it is done before that line is.
  if (call->method != nullptr && call->method->method == Method::kInitialize) {
    return Reply(dispatcher_.Run(*call, peer, writer_).reply);
  }
  return {[this, call, peer] { writer_->Finish(dispatcher_.Run(*call, peer, writer_).reply); }, weight};
}

bool StdioServer::End(bool input_ended) {
  struct stat status {};
  const bool from_file = fstat(options_.input, &status) == 0 && S_ISREG(status.st_mode);
  bool idle = false;
  if (input_ended && (from_file || !options_.own_process)) {
    while (!(idle = pool_.WaitIdle(milliseconds(20)))) {
      if (Woken(0)) break;
    }
  } else {
    idle = pool_.WaitIdle(input_ended ? kGraceAtEnd : kGraceOnSignal / 2);
  }
  pool_.Post([this] { dispatcher_.subscriptions().FinishAll(); });
  idle = pool_.WaitIdle(kGraceOnSignal / 2);
  session_->CancelAll();
  return idle || pool_.WaitIdle(kGraceOnSignal / 2);
}

// Signals lead to the pipe while this lives; the earlier dispositions come back after it.
class SignalGuard {
 public:
  explicit SignalGuard(int pipe) {
    signal_pipe = pipe;
    struct sigaction action {};
    action.sa_handler = OnSignal;
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~SignalGuard() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    signal_pipe = -1;
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace

int ServeStdio(const Registry& registry, const StdioOptions& options) {
  std::array<int, 2> wake{};
  if (pipe2(wake.data(), O_CLOEXEC | O_NONBLOCK) != 0) return 1;
  signal(SIGPIPE, SIG_IGN);
  int output = options.output;
  if (options.own_process) {
    output = fcntl(options.output, F_DUPFD_CLOEXEC, 3);
    if (output < 0 || dup2(2, options.output) < 0) output = options.output;
  }
  {
    std::optional<SignalGuard> guard;
    if (options.own_process) guard.emplace(wake[1]);
    StdioServer server(registry, options, output, wake);
    const bool input_ended = server.Serve();
    if (!server.End(input_ended) && options.own_process) _exit(0);
  }
  if (output != options.output) {
    dup2(output, options.output);
    close(output);
  }
  close(wake[0]);
  close(wake[1]);
  return 0;
}

}  // namespace pith::mcp
