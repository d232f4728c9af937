// What a one-shot subcommand reads: a file, or a pipe of any length in little memory.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace pith::cli {

class Input {
 public:
  // Whole content of a file, or of stdin for "" and "-". A pipe longer than a few MiB is not held in memory: it goes
  // into a file without a name in `spool_folder` (mode 0600, gone with this process) and is mapped from there. With an
  // empty `spool_folder`, and where nothing can be written there, it is held in memory all the same. Errors: kNotFound,
  // kDenied, kInvalid (a folder), kIo.
  static Result<Input> Read(const std::string& path, const std::string& spool_folder);

  Input(Input&& other) noexcept
      : held_(std::move(other.held_)), mapped_(std::exchange(other.mapped_, nullptr)), size_(other.size_) {}
  Input& operator=(Input&&) = delete;
  ~Input();

  std::string_view bytes() const { return mapped_ ? std::string_view(mapped_, size_) : std::string_view(held_); }

 private:
  explicit Input(std::string held) : held_(std::move(held)) {}
  Input(const char* mapped, size_t size) : mapped_(mapped), size_(size) {}

  std::string held_;
  const char* mapped_ = nullptr;  // owned
  size_t size_ = 0;
};

}  // namespace pith::cli
