// One connection as cpp-httplib reads and writes it, with what that library lacks: limits on the head's bytes and on
// the time that a head or body may take, the head's bytes as they were sent, writes gathered into few packets, a peer's
// departure noticed without writing, and TLS on the same footing. One thread.
#pragma once
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "server/http.h"

namespace pith::mcp {

class Connection final : public httplib::Stream {
 public:
  // Takes over the descriptor's flags, not the descriptor. `tls` may be null.
  Connection(socket_t descriptor, SSL_CTX* tls);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool Handshake();  // TLS; true at once without it

  // Waits for the first byte of a request. False: none came in time, the peer left, or `stopping` turned true.
  bool WaitForRequest(std::chrono::seconds most, const std::atomic<bool>& stopping);
  void BeginHead();  // what is read from here on is a head, until its blank line
  bool head_whole() const { return !in_head_; }

  // The request whose head was just read, headers as sent. Empty method: the head cannot be read.
  HttpRequest ParseHead() const;

  // Reads and drops what a refused request still sends, within bounds. False: more is coming, the connection must end.
  bool DiscardBody(uint64_t length, bool chunked);
  void EndAfterReply() { ends_ = true; }
  bool ends() const { return ends_; }

  bool Flush();  // sends what was gathered; false: the peer takes no more
  bool PeerAlive() const;

  // httplib::Stream
  bool is_readable() const override;
  bool is_writable() const override { return !broken_; }
  ssize_t read(char* into, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return descriptor_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool Fill();  // more input into the buffer, before the deadline
  bool Wait(short events, Clock::time_point until) const;
  ssize_t ReadSome(char* into, size_t size);          // -1 and errno EAGAIN: nothing yet
  ssize_t WriteSome(const char* bytes, size_t size);  // the same
  void NoteHeadByte(char byte);

  const socket_t descriptor_;
  SSL* tls_ = nullptr;
  std::string input_, output_, head_;
  size_t input_at_ = 0;
  bool in_head_ = false, ends_ = false, broken_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace pith::mcp
