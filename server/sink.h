// Where the messages of one request go: to a line of stdout, or to the event stream of one HTTP answer.
#pragma once
#include <string>

namespace pith::mcp {

// Thread-safe. Never throws; a peer that has gone makes every call a no-op.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void Send(std::string message) = 0;    // a notification, or a request to the client
  virtual void Finish(std::string message) = 0;  // the answer; nothing may follow. Empty: end without an answer
  virtual void CloseStream() {}                  // ends the stream early; the client fetches the rest anew
};

}  // namespace pith::mcp
