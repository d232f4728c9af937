#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "cli/command.h"

namespace pith::cli {
namespace {

bool reader_gone = false;

// errno of the write that failed, 0 if all was written.
int WriteAll(int descriptor, std::string_view data) {
  while (!data.empty()) {
    ssize_t wrote = write(descriptor, data.data(), data.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    data.remove_prefix(static_cast<size_t>(wrote));
  }
  return 0;
}

std::string Reason(int failure) { return strerror(failure); }

}  // namespace

int Print(std::string_view data) {
  int failure = WriteAll(STDOUT_FILENO, data);
  if (failure == 0) return kDone;
  if (failure == EPIPE) {
    reader_gone = true;
    return kDone;
  }
  Complain("cannot write to standard output: " + Reason(failure));
  return kFailed;
}

bool ReaderGone() { return reader_gone; }

void Warn(std::string_view text) { (void)WriteAll(STDERR_FILENO, text); }

void Complain(std::string_view sentence) { Warn("pith: " + std::string(sentence) + "\n"); }

int Fail(const Error& error) {
  Complain(error.sentence);
  switch (error.cause) {
    case Cause::kInvalid:
      return kWrongUse;
    case Cause::kNotFound:
    case Cause::kExpired:
    case Cause::kEvicted:
    case Cause::kPurged:
      return kNoSuchOriginal;
    default:
      return kFailed;
  }
}

Error OpenError(const std::string& path, int failure) {
  switch (failure) {
    case ENOENT:
    case ENOTDIR:
      return Error{Cause::kIo, "no such file: " + path};
    case EACCES:
    case EPERM:
      return Error{Cause::kDenied, "no permission to read " + path};
    default:
      return Error{Cause::kIo, "cannot read " + path + ": " + Reason(failure)};
  }
}

Result<std::string> ReadInput(const std::string& path) {
  bool standard = path.empty() || path == "-";
  int descriptor = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return OpenError(path, errno);
  struct stat about {};
  bool known = fstat(descriptor, &about) == 0;
  if (known && S_ISDIR(about.st_mode)) {
    if (!standard) close(descriptor);
    return Error{Cause::kIo, (standard ? std::string("standard input") : path) + " is a folder, not a file"};
  }
  std::string content;
  size_t filled = 0;
  // One byte more than the file says, so that its end is seen without growing.
  content.resize(known && S_ISREG(about.st_mode) && about.st_size > 0 ? static_cast<size_t>(about.st_size) + 1 : 65536);
  int failure = 0;
  while (true) {
    if (filled == content.size()) content.resize(content.size() * 2);
    ssize_t got = read(descriptor, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failure = errno;
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
  }
  if (!standard) close(descriptor);
  content.resize(filled);
  if (failure) return OpenError(standard ? "standard input" : path, failure);
  return content;
}

}  // namespace pith::cli
