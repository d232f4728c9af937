// One request over HTTP and what comes back on it: the messages that its handler sends, then the answer. The handler
// writes on its thread (Sink), the connection reads on another (HttpStream).
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "server/http.h"
#include "server/sink.h"

namespace pith::mcp {

class Exchange final : public Sink, public HttpStream {
 public:
  // `takes_events`: the client accepts an event stream; else only the answer is kept.
  // `on_disconnect` runs at most once.
  Exchange(bool takes_events, std::function<void()> on_disconnect)
      : takes_events_(takes_events), on_disconnect_(std::move(on_disconnect)) {}

  void Send(std::string message) override;
  void Finish(std::string message) override;
  void CloseStream() override;

  // How the answer came about; to be set before Finish.
  void SetErrorCode(int code) { error_code_ = code; }
  int error_code() const { return error_code_; }

  enum class First { kAnswer, kEvent, kNothingYet };
  First WaitFirst(std::optional<std::chrono::milliseconds> most);
  std::string TakeAnswer();  // after kAnswer

  State Next(std::string* chunk, std::chrono::milliseconds wait) override;
  void Disconnected() override;
  bool events() const override { return takes_events_; }

 private:
  bool ended() const { return finished_ || closed_; }

  const bool takes_events_;
  std::function<void()> on_disconnect_;
  std::atomic<int> error_code_ = 0;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<std::string> events_;
  std::string answer_;
  bool finished_ = false, closed_ = false, gone_ = false;
};

}  // namespace pith::mcp
