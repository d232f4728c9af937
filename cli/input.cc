// A log of gigabytes that somebody pipes through must not need gigabytes: pages of a mapped file can be dropped by the
// kernel at any time and read again, memory cannot. What is read from a pipe is written at once to a file that has no
// name, so that nothing is left behind however the process ends. The kernel drops pages only under pressure, and until
// then they count as this process's memory: so they are dropped here, every millisecond.
#include "cli/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/files.h"
#include "cli/large_memory.h"
#include "cli/output.h"

namespace pith::cli {
namespace {

constexpr size_t kPiece = 256u << 10;
// Written at once: the system caches what is written together in pages that are mapped together too.
constexpr size_t kWritten = 64u << 10;
constexpr size_t kPage = 4096;
constexpr size_t kHeld = 4u << 20;  // bytes of a pipe that are held in memory
constexpr long kLookAfterNs = 200'000;
constexpr size_t kMappedPages = (14u << 20) / kPage;  // from which they are dropped: until the next look 30 MB may come

// The number of bytes read, 0 at the end; errno in `failure`.
size_t ReadSome(int file, char* into, size_t room, int& failure) {
  while (true) {
    const ssize_t got = read(file, into, room);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EINTR) continue;
    failure = errno;
    return 0;
  }
}

bool WriteAll(int descriptor, std::string_view data) {
  while (!data.empty()) {
    const ssize_t wrote = write(descriptor, data.data(), std::min(data.size(), kWritten));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    data.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

int OpenNameless(const std::string& folder) {
  (void)MakeFolders(folder);  // where it cannot be made, opening says why
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0 || errno == ENOENT || errno == EACCES || errno == EROFS) return descriptor;
  std::string name = folder + "/pipe-XXXXXX";  // a file system without O_TMPFILE
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

bool IsPipe() {
  struct stat about {};
  return fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

}  // namespace

// Read-only pages of a file that nobody changes: dropping them at any moment loses nothing, the next access reads them
// again from the system's cache. One at a time in a process.
class Input::Mapping {
 public:
  Mapping(void* pages, size_t size) : pages_(pages), size_(size) { StartDropping(); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (dropping_) timer_delete(timer);
    if (statm >= 0) close(statm);
    dropped = {};
    munmap(pages_, size_);
  }
  std::string_view bytes() const { return {static_cast<const char*>(pages_), size_}; }

 private:
  struct Pages {
    void* begin;
    size_t size;
  };
  static Pages dropped;  // what the handler drops; these are set while no timer runs
  static int statm;      // /proc/self/statm
  static timer_t timer;

  // The third number of /proc/self/statm: pages of files that are in this process's memory, which are those that can be
  // dropped. Many where it cannot be told.
  static size_t MappedPages() {
    char text[80] = {};
    if (pread(statm, text, sizeof text - 1, 0) <= 0) return SIZE_MAX;
    const char* at = text;
    for (int number = 0; number < 2; ++number) {
      while (*at != '\0' && *at != ' ') ++at;
      while (*at == ' ') ++at;
    }
    size_t pages = 0;
    for (; *at >= '0' && *at <= '9'; ++at) pages = pages * 10 + static_cast<size_t>(*at - '0');
    return pages;
  }

  // Rearms the clock last: however slow all this is, the work goes on in between.
  static void Look(int) {
    const int before = errno;
    if (MappedPages() >= kMappedPages) {
      madvise(dropped.begin, dropped.size, MADV_DONTNEED);
      DropLargeMemory();
    }
    SetClock();
    errno = before;
  }
  static void SetClock() {
    const itimerspec once = {{0, 0}, {0, kLookAfterNs}};
    timer_settime(timer, 0, &once, nullptr);
  }
  // By the clock: timers of processor time go by the scheduler's tick, in which a scan passes over 50 MB.
  void StartDropping() {
    struct sigaction action {};
    action.sa_handler = Look;
    action.sa_flags = SA_RESTART;
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    dropped = {pages_, size_};
    statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (sigaction(SIGRTMIN, &action, nullptr) != 0) return;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
    dropping_ = true;
    SetClock();
  }

  void* pages_;
  size_t size_;
  bool dropping_ = false;
};
Input::Mapping::Pages Input::Mapping::dropped = {};
int Input::Mapping::statm = -1;
timer_t Input::Mapping::timer = {};

// Memory that a large file is read into: pages that nobody has written to. (A string would be filled with zeros first,
// page by page: more work than reading.)
class Input::Memory {
 public:
  // Null where there is no such memory, or `about` is not of a regular file of at least kLarge bytes.
  static std::unique_ptr<Memory> For(const struct stat& about) {
    if (!S_ISREG(about.st_mode) || about.st_size < kLarge) return nullptr;
    const size_t size = static_cast<size_t>(about.st_size) + 1;  // so that its end is seen without growing
    void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    return std::unique_ptr<Memory>(new Memory(pages, size));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { munmap(pages_, size_); }

  // Reads to the end, also of a file that grows meanwhile. 0, or what failed.
  int Fill(int file) {
    while (true) {
      if (filled_ == size_) {
        void* larger = mremap(pages_, size_, size_ * 2, MREMAP_MAYMOVE);
        if (larger == MAP_FAILED) return ENOMEM;
        pages_ = larger;
        size_ *= 2;
      }
      int failure = 0;
      const size_t got = ReadSome(file, static_cast<char*>(pages_) + filled_, size_ - filled_, failure);
      if (got == 0) return failure;
      filled_ += got;
    }
  }
  std::string_view bytes() const { return {static_cast<const char*>(pages_), filled_}; }

 private:
  static constexpr off_t kLarge = 1 << 20;

  Memory(void* pages, size_t size) : pages_(pages), size_(size) {}

  void* pages_;
  size_t size_, filled_ = 0;
};

Input::Input(std::string held) : held_(std::move(held)) {}
Input::Input(std::unique_ptr<Memory> memory) : memory_(std::move(memory)), bytes_elsewhere_(memory_->bytes()) {}
Input::Input(std::unique_ptr<Mapping> mapped) : mapped_(std::move(mapped)), bytes_elsewhere_(mapped_->bytes()) {}
Input::Input(Input&&) noexcept = default;
Input::~Input() = default;

Result<Input> Input::Read(const std::string& path, const std::string& spool_folder) {
  const bool standard = path.empty() || path == "-";
  if (!standard || spool_folder.empty() || !IsPipe()) {
    struct stat about {};
    const bool known = (standard ? fstat(STDIN_FILENO, &about) : stat(path.c_str(), &about)) == 0;
    if (std::unique_ptr<Memory> memory = known ? Memory::For(about) : nullptr) {
      const int file = standard ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
      const int failure = file < 0 ? errno : memory->Fill(file);
      if (file >= 0 && !standard) close(file);
      if (failure == 0) return Input(std::move(memory));
      return OpenError(standard ? "standard input" : path, failure);
    }
    Result<std::string> whole = ReadInput(path);
    if (!whole.ok()) return whole.error();
    return Input(whole.Take());
  }
  std::string held, piece(kPiece, '\0');
  int spool = -1, failure = 0;
  size_t spooled = 0;
  bool may_spool = true;
  while (const size_t got = ReadSome(STDIN_FILENO, piece.data(), piece.size(), failure)) {
    held.append(piece, 0, got);
    if (held.size() < kHeld || !may_spool) continue;
    if (spool < 0) spool = OpenNameless(spool_folder);
    may_spool = spool >= 0 && WriteAll(spool, held);
    if (may_spool) {
      spooled += held.size();
      held.clear();
    }
  }
  if (failure == 0 && spool >= 0 && may_spool && WriteAll(spool, held)) {
    spooled += held.size();
    void* mapped = mmap(nullptr, spooled, PROT_READ, MAP_PRIVATE, spool, 0);
    close(spool);
    if (mapped != MAP_FAILED) {
      madvise(mapped, spooled, MADV_NOHUGEPAGE);  // else a look here and there brings 2 MiB each
      if (const int tables = OpenNameless(spool_folder); tables >= 0) StartLargeMemory(tables);
      return Input(std::make_unique<Mapping>(mapped, spooled));
    }
    return Error{Cause::kIo, std::string("cannot map what was read from standard input: ") + strerror(errno)};
  }
  if (spool >= 0) {  // the disk is full: what went there comes back
    std::string back(spooled, '\0');
    size_t filled = 0;
    while (filled < spooled) {
      const ssize_t got = pread(spool, back.data() + filled, spooled - filled, static_cast<off_t>(filled));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      filled += static_cast<size_t>(got);
    }
    close(spool);
    if (filled < spooled) return Error{Cause::kIo, "cannot read back what was written to " + spool_folder};
    held.insert(0, back);
  }
  if (failure) return Error{Cause::kIo, std::string("cannot read standard input: ") + strerror(failure)};
  return Input(std::move(held));
}

}  // namespace pith::cli
