// What a one-shot subcommand reads: a file, or a pipe of any length in little memory.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pith::cli {

class Input {
 public:
  // Whole content of a file, or of stdin for "" and "-". A pipe longer than a few MiB is not held in memory: it goes
  // into a file without a name in `spool_folder` (mode 0600, gone with this process) and is mapped from there. With an
  // empty `spool_folder`, and where nothing can be written there, it is held in memory all the same. Errors: kNotFound,
  // kDenied, kInvalid (a folder), kIo.
  static Result<Input> Read(const std::string& path, const std::string& spool_folder);

  Input(Input&&) noexcept;
  ~Input();

  std::string_view bytes() const { return memory_ || mapped_ ? bytes_elsewhere_ : std::string_view(held_); }

 private:
  class Memory;   // what a large file is read into
  class Mapping;  // a file's pages, kept few in memory

  explicit Input(std::string held);
  explicit Input(std::unique_ptr<Memory> memory);
  explicit Input(std::unique_ptr<Mapping> mapped);

  std::string held_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Mapping> mapped_;
  std::string_view bytes_elsewhere_;  // of memory_ or mapped_
};

}  // namespace pith::cli
