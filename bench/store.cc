// Latency of the store's roads for an original of 10 KB, medians and 99th percentiles, beside hashing it and beside a
// plain write, and pread, of the same bytes on the same file system. One process, one thread.
//   bench_store [FOLDER]
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "store/store.h"

namespace {

constexpr size_t kBytes = 10000;
constexpr int kRounds = 2000;

// Ten kilobytes of log-like text, different for each number.
std::string Original(int number) {
  std::string out;
  for (int line = 0; out.size() < kBytes; ++line) {
    out += "2024-05-01T10:00:00Z INFO worker " + std::to_string(number) + ": request " + std::to_string(line * 7919) +
           " done\n";
  }
  out.resize(kBytes);
  return out;
}

void Print(const char* what, const std::function<void(int)>& work) {
  std::vector<double> times;
  for (int i = 0; i < kRounds; ++i) {
    auto begin = std::chrono::steady_clock::now();
    work(i);
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%-44s %9.1f us %9.1f us\n", what, times[times.size() / 2], times[times.size() * 99 / 100]);
}

std::unique_ptr<pith::Store> Open(const std::string& folder, bool one_shot, const std::string& chain) {
  pith::StoreOptions options;
  options.folder = folder;
  options.one_shot = one_shot;
  options.chain = chain;
  pith::Result<std::unique_ptr<pith::Store>> store = pith::Store::Open(options);
  if (!store.ok()) {
    std::fprintf(stderr, "%s\n", store.error().sentence.c_str());
    std::exit(1);
  }
  return store.Take();
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder = argc > 1 ? argv[1] : "/tmp/pith-bench-store";
  std::vector<std::string> originals, tokens;
  for (int i = 0; i < kRounds; ++i) originals.push_back(Original(i));
  std::printf("%-44s %12s %12s\n", "10 KB", "median", "p99");
  Print("SHA-256", [&](int i) { (void)pith::Sha256Of(originals[static_cast<size_t>(i)]); });
  (void)!system(("mkdir -p " + folder).c_str());
  Print("plain write to a new file", [&](int i) {
    int file = open((folder + "/plain" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    (void)!write(file, originals[static_cast<size_t>(i)].data(), kBytes);
    close(file);
  });
  Print("plain open and pread", [&](int i) {
    std::string bytes(kBytes, '\0');
    int file = open((folder + "/plain" + std::to_string(i)).c_str(), O_RDONLY);
    (void)!pread(file, bytes.data(), kBytes, 0);
    close(file);
  });
  auto must = [](auto result) {
    if (!result.ok()) std::fprintf(stderr, "%s\n", result.error().sentence.c_str()), std::exit(1);
    return result.Take();
  };
  auto server = Open(folder + "/a", false, "memory,sqlite");
  Print("server put, durable at process",
        [&](int i) { tokens.push_back(must(server->Put(originals[static_cast<size_t>(i)], {})).token); });
  Print("server get, from memory", [&](int i) { must(server->Get(tokens[static_cast<size_t>(i)])); });
  server.reset();
  auto reader = Open(folder + "/a", false, "sqlite");
  Print("server get, from SQLite", [&](int i) { must(reader->Get(tokens[static_cast<size_t>(i)])); });
  // What is waited for: a process opens the store and puts. What it does after its view is printed is the next line.
  std::vector<std::unique_ptr<pith::Store>> opened;
  Print("one-shot put to the inbox, opening included", [&](int i) {
    opened.push_back(Open(folder + "/b", true, "memory,sqlite"));
    must(opened.back()->Put(originals[static_cast<size_t>(i)], {}));
  });
  Print("one-shot put, tending the inbox afterwards", [&](int i) {
    opened[static_cast<size_t>(i)]->Tend();
    opened[static_cast<size_t>(i)].reset();
  });
  (void)!system(("rm -rf " + folder).c_str());
}
