// What is known of each line (where it starts, what it is worth, which template it has) is a few bytes a line, in a
// dozen tables; for 10^8 lines that is a GB, whatever the bytes of the lines take. Tables without a row for each line
// would cost another pass, or a search, wherever one is read now, and be others for each kind. So the tables stay, and
// their pages go: a shared mapping of a file is memory that the kernel may write away and drop, and DropLargeMemory
// makes it do so now (the pages stay in the system's cache as long as there is room for them). Passes go over tables in
// order, so a page that was dropped costs one fault a pass.
//
// `new` is the one place that all tables come from, so that no kind needs to know. Blocks have an address range of
// their own: `delete` tells them from others by two comparisons. Room on the disk is taken when a block is given, since
// a mapped page that finds none kills the process.
#include "cli/large_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace pith::cli {
namespace {

constexpr size_t kLargeBlock = 1u << 20;
constexpr size_t kReserved = size_t{1} << 40;  // addresses, not memory; each is given once
constexpr size_t kMostBlocks = 512;            // at a time
constexpr size_t kPage = 4096;

class LargeMemory {
 public:
  void Start(int file) {
    void* range = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) {
      close(file);
      return;
    }
    file_ = file;
    begin_ = static_cast<char*>(range);
  }

  bool Holds(const void* block) const { return block >= begin_ && block < begin_ + used_; }

  // nullptr: not here.
  void* Give(size_t size) {
    if (begin_ == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    size = (size + kPage - 1) / kPage * kPage;
    const size_t at = used_;
    if (size > kReserved - at || count_ == kMostBlocks) return nullptr;
    if (fallocate(file_, 0, static_cast<off_t>(at), static_cast<off_t>(size)) != 0) return nullptr;
    void* block =
        mmap(begin_ + at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, static_cast<off_t>(at));
    if (block == MAP_FAILED) return nullptr;
    madvise(block, size, MADV_NOHUGEPAGE);  // else a look here and there brings 2 MiB each
    blocks_[count_++] = {begin_ + at, size};
    used_ = at + size;
    return block;
  }

  void Take(void* given) {
    const std::lock_guard lock(mutex_);
    size_t i = 0;
    while (blocks_[i].begin != given) ++i;
    const Block block = blocks_[i];
    blocks_[i] = blocks_[--count_];
    mmap(block.begin, block.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, block.begin - begin_,
                    static_cast<off_t>(block.size));  // else its room comes back with the end of the process
  }

  void Drop() {
    if (used_ > 0) madvise(begin_, used_, MADV_DONTNEED);
  }

 private:
  struct Block {
    char* begin;
    size_t size;
  };

  std::mutex mutex_;
  char* begin_ = nullptr;  // set once, before there are threads
  int file_ = -1;
  std::atomic<size_t> used_ = 0;  // bytes from begin_ on that were ever given
  std::array<Block, kMostBlocks> blocks_{};
  size_t count_ = 0;
};

constinit LargeMemory large;

}  // namespace

void StartLargeMemory(int file) { large.Start(file); }
void DropLargeMemory() { large.Drop(); }

}  // namespace pith::cli

void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (size >= pith::cli::kLargeBlock) {
    if (void* block = pith::cli::large.Give(size)) return block;
  }
  return std::malloc(size > 0 ? size : 1);
}

void* operator new(size_t size) {
  if (void* block = operator new(size, std::nothrow)) return block;
  throw std::bad_alloc();
}

void operator delete(void* block) noexcept {
  if (pith::cli::large.Holds(block)) return pith::cli::large.Take(block);
  std::free(block);
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }
