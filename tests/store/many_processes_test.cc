// Several processes and threads on one store at once.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

bool Until(std::chrono::steady_clock::time_point end) { return std::chrono::steady_clock::now() < end; }

// 0 when every put and get of this process was right. Names originals by process and number, so that others can ask.
int Work(const StoreOptions& options, int process, int processes, int milliseconds) {
  Result<std::unique_ptr<Store>> store = Store::Open(options);
  if (!store) return 1;
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  std::mt19937 random(static_cast<uint32_t>(process));
  for (int number = 0; Until(end); ++number) {
    std::string original = "process " + std::to_string(process) + " original " + std::to_string(number) + "\n" +
                           LogLines(30, static_cast<uint32_t>(number));
    Result<PutOutcome> put = (*store)->Put(original, Seen());
    if (!put) {
      fprintf(stderr, "put: %s\n", put.error().sentence.c_str());
      return 2;
    }
    Result<std::string> mine = (*store)->Get(put->token);
    if (!mine || *mine != original) {
      fprintf(stderr, "get: %s\n", mine ? "wrong bytes" : mine.error().sentence.c_str());
      return 3;
    }
    int other = static_cast<int>(random() % static_cast<uint32_t>(processes));
    std::string theirs = "process " + std::to_string(other) + " original 0\n" + LogLines(30, 0);
    Result<std::string> got = (*store)->Get(TokenOf(theirs));
    if (got ? *got != theirs : got.error().cause != Cause::kNotFound) {
      fprintf(stderr, "get of another's: %s\n", got ? "wrong bytes" : got.error().sentence.c_str());
      return 4;
    }
    if (number % 50 == 49 && !(*store)->Stats(std::nullopt)) return 5;
    if (number % 97 == 96 && !(*store)->Gc()) return 6;
  }
  return 0;
}

}  // namespace

TEST_CASE("three processes put and get at once: nothing is lost, nobody is locked out") {
  ScratchFolder folder;
  std::vector<pid_t> children;
  for (int process = 0; process < 3; ++process) {
    pid_t child = fork();
    if (child == 0) {
      StoreOptions options = In(folder.path());
      options.one_shot = process == 2;
      _exit(Work(options, process, 3, 2000));
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  auto store = Opened(In(folder.path()));
  for (int process = 0; process < 3; ++process) {
    CHECK(store->Get(TokenOf("process " + std::to_string(process) + " original 0\n" + LogLines(30, 0))).ok());
  }
}

TEST_CASE("threads share a store: puts, gets, lists, searches, purges and evictions at once") {
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 60;
  auto store = Opened(options);
  std::atomic<int> faults = 0;
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; Until(end); ++i) {
        std::string original = LogLines(40, thread * 100000 + i);
        Result<PutOutcome> put = store->Put(original, Seen("make", thread % 2 == 0 ? "/a" : "/b"));
        if (!put) ++faults;
        Result<std::string> bytes = store->Get(TokenOf(original));
        if (bytes ? *bytes != original : bytes.error().cause == Cause::kDamaged) ++faults;
        SearchQuery query;
        query.text = "worker";
        if (i % 7 == 0 && !store->Search(query)) ++faults;
        if (i % 5 == 0 && !store->List({})) ++faults;
        PurgeQuery purge;
        purge.name_space = "/a";
        if (thread == 3 && i % 40 == 39 && !store->Purge(purge)) ++faults;
        store->CountRetrieval(TokenOf(original), 1, 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(faults == 0);
}
