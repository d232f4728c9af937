// A pipe of any length is worked on in little memory: what is kept of each line lies in a file, as the lines do.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include "tests/cli/home.h"
#include "tests/sanitized.h"

namespace pith {
namespace {

constexpr size_t kLines = 5'000'000;
constexpr long kMostResidentKiB = 64 << 10;
constexpr rlim_t kMostData = 32 << 20;  // bytes of memory that is no file's

// The i-th of lines of about 19 bytes, with one error in a million.
std::string ShortLine(size_t i) {
  const std::string number = std::to_string(i * 2654435761u % 1000000);
  return (i % 1000000 == 777777 ? "error " : "item ") + number + " of " + std::to_string(i) + "\n";
}

void WriteLines(int to) {
  std::string piece;
  for (size_t i = 0; i < kLines; ++i) {
    piece += ShortLine(i);
    if (piece.size() < 60000 && i + 1 < kLines) continue;
    for (size_t at = 0; at < piece.size();) {
      const ssize_t wrote = write(to, piece.data() + at, piece.size() - at);
      if (wrote <= 0) return;
      at += static_cast<size_t>(wrote);
    }
    piece.clear();
  }
}

[[noreturn]] void BecomeCompact(const Home& home, int in) {
  const int out = open((home.path() + "/out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || chdir((home.path() + "/work").c_str()) != 0 || clearenv() != 0) _exit(99);
  setenv("HOME", home.path().c_str(), 1);
  const rlimit data = {kMostData, kMostData};
  if (setrlimit(RLIMIT_DATA, &data) != 0) _exit(99);
  execl(PITH_PROGRAM, PITH_PROGRAM, "compact", nullptr);
  _exit(98);
}

}  // namespace

TEST_CASE("a pipe of 100 MB in short lines has the view of the same file, within 64 MiB of memory" *
          doctest::skip(kSanitized)) {
  Home home;
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[1]);
    BecomeCompact(home, pipe_ends[0]);
  }
  close(pipe_ends[0]);
  WriteLines(pipe_ends[1]);
  close(pipe_ends[1]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  CHECK(status == 0);
  CHECK(used.ru_maxrss <= kMostResidentKiB);
  const std::string view = Content(home.path() + "/out");
  CHECK(view.size() < 20000);
  CHECK(Has(view, "error "));
  CHECK(Has(view, "[PARTIAL view of"));

  const int file = open((home.path() + "/work/lines.txt").c_str(), O_WRONLY | O_CREAT, 0600);
  WriteLines(file);
  close(file);
  CHECK(home.Run({"compact", "lines.txt"}).out == view);
}

}  // namespace pith
