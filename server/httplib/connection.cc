// cpp-httplib 0.11 reads a head byte by byte through Stream::read, so the head's bytes pass through here and can be
// kept: the library undoes %XX in header values, which would make two different headers equal. It has no limit on the
// number of headers nor on the time that a sender takes over them; both follow from the bounds below. Input is
// buffered, so a byte costs no system call; output is gathered until somebody waits, so a reply is one packet.
#include "server/httplib/connection.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace pith::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kInputSize = 16 * 1024;
constexpr size_t kOutputSize = 64 * 1024;
constexpr size_t kLongestHead = 64 * 1024;
constexpr seconds kHeadTime{10};
constexpr seconds kBodyTime{60};
constexpr seconds kWriteTime{30};
constexpr uint64_t kMostDiscarded = 1024 * 1024;
constexpr seconds kDiscardTime{1};
constexpr milliseconds kStopCheck{100};

std::string_view Trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

}  // namespace

Connection::Connection(socket_t descriptor, SSL_CTX* tls) : descriptor_(descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (tls == nullptr) return;
  tls_ = SSL_new(tls);
  if (tls_ != nullptr) SSL_set_fd(tls_, descriptor);
  broken_ = tls_ == nullptr;
}

Connection::~Connection() {
  if (tls_ != nullptr) {
    SSL_shutdown(tls_);
    SSL_free(tls_);
  }
}

bool Connection::Wait(short events, Clock::time_point until) const {
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{descriptor_, events, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min<int64_t>(left.count(), 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool Connection::Handshake() {
  if (tls_ == nullptr) return !broken_;
  const auto until = Clock::now() + kHeadTime;
  while (true) {
    ERR_clear_error();
    const int done = SSL_accept(tls_);
    if (done == 1) return true;
    const int why = SSL_get_error(tls_, done);
    const bool more = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
    if (!more || !Wait(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until)) return false;
  }
}

ssize_t Connection::ReadSome(char* into, size_t size) {
  if (tls_ == nullptr) return recv(descriptor_, into, size, 0);
  ERR_clear_error();
  const int got = SSL_read(tls_, into, static_cast<int>(size));
  if (got > 0) return got;
  const int why = SSL_get_error(tls_, got);
  errno = EAGAIN;
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return -1;
  return 0;
}

ssize_t Connection::WriteSome(const char* bytes, size_t size) {
  if (tls_ == nullptr) return send(descriptor_, bytes, size, MSG_NOSIGNAL);
  ERR_clear_error();
  const int sent = SSL_write(tls_, bytes, static_cast<int>(std::min<size_t>(size, 1 << 20)));
  if (sent > 0) return sent;
  const int why = SSL_get_error(tls_, sent);
  errno = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? EAGAIN : EPIPE;
  return -1;
}

bool Connection::Fill() {
  if (!Flush()) return false;
  input_.resize(kInputSize);
  input_at_ = 0;
  while (true) {
    const ssize_t got = ReadSome(input_.data(), input_.size());
    if (got > 0) {
      input_.resize(static_cast<size_t>(got));
      return true;
    }
    const bool more = got < 0 && (errno == EAGAIN || errno == EINTR);
    if (!more || !Wait(POLLIN, deadline_)) break;
  }
  input_.clear();
  return false;
}

bool Connection::WaitForRequest(seconds most, const std::atomic<bool>& stopping) {
  if (!Flush()) return false;
  const auto until = Clock::now() + most;
  while (!stopping) {
    if (input_at_ < input_.size()) return true;
    deadline_ = std::min<Clock::time_point>(until, Clock::now() + kStopCheck);
    if (Fill()) return true;
    if (Clock::now() >= until || !PeerAlive()) return false;
  }
  return false;
}

void Connection::BeginHead() {
  head_.clear();
  in_head_ = true;
  ends_ = false;
  deadline_ = Clock::now() + kHeadTime;
}

void Connection::NoteHeadByte(char byte) {
  head_ += byte;
  if (byte != '\n') return;
  if (!head_.ends_with("\n\r\n") && !head_.ends_with("\n\n")) return;
  in_head_ = false;
  deadline_ = Clock::now() + kBodyTime;
}

ssize_t Connection::read(char* into, size_t size) {
  if (input_at_ >= input_.size() && !Fill()) return -1;
  if (in_head_) {
    if (head_.size() >= kLongestHead) return -1;
    *into = input_[input_at_++];
    NoteHeadByte(*into);
    return 1;
  }
  const size_t taken = std::min(size, input_.size() - input_at_);
  std::memcpy(into, input_.data() + input_at_, taken);
  input_at_ += taken;
  return static_cast<ssize_t>(taken);
}

ssize_t Connection::write(const char* bytes, size_t size) {
  if (broken_) return -1;
  output_.append(bytes, size);
  if (output_.size() >= kOutputSize && !Flush()) return -1;
  return static_cast<ssize_t>(size);
}

bool Connection::Flush() {
  std::string_view rest = output_;
  auto until = Clock::now() + kWriteTime;
  while (!rest.empty() && !broken_) {
    const ssize_t sent = WriteSome(rest.data(), rest.size());
    if (sent > 0) {
      rest.remove_prefix(static_cast<size_t>(sent));
      until = Clock::now() + kWriteTime;
    } else if (sent < 0 && errno == EINTR) {
      continue;
    } else {
      broken_ = errno != EAGAIN || !Wait(POLLOUT, until);
    }
  }
  output_.clear();
  return !broken_;
}

bool Connection::PeerAlive() const {
  pollfd look{descriptor_, POLLRDHUP, 0};
  return !broken_ && (poll(&look, 1, 0) <= 0 || (look.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) == 0);
}

bool Connection::is_readable() const {
  if (input_at_ < input_.size()) return true;
  pollfd look{descriptor_, POLLIN, 0};
  return poll(&look, 1, 0) > 0;
}

HttpRequest Connection::ParseHead() const {
  HttpRequest request;
  std::string_view rest = head_;
  const auto next_line = [&rest] {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  };
  const std::string_view start = next_line();
  const size_t first = start.find(' ');
  const size_t second = first == std::string_view::npos ? first : start.find(' ', first + 1);
  if (second == std::string_view::npos) return request;
  request.method = start.substr(0, first);
  request.target = start.substr(first + 1, second - first - 1);
  while (!rest.empty()) {
    const std::string_view line = next_line();
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    request.headers.emplace_back(line.substr(0, colon), Trimmed(line.substr(colon + 1)));
  }
  return request;
}

bool Connection::DiscardBody(uint64_t length, bool chunked) {
  deadline_ = Clock::now() + kDiscardTime;
  const uint64_t most = chunked ? kMostDiscarded : std::min(length, kMostDiscarded);
  uint64_t dropped = 0;
  while (dropped < most) {
    if (input_at_ >= input_.size() && (chunked || !Fill())) break;
    const uint64_t taken = std::min<uint64_t>(most - dropped, input_.size() - input_at_);
    input_at_ += taken;
    dropped += taken;
  }
  return !chunked && dropped == length;
}

}  // namespace pith::mcp
