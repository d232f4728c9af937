// Several processes and threads on one store at once.
#include <algorithm>
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

namespace {

// Mixed work of one thread: puts, gets, searches, evictions and purges. Faults, each said on stderr.
int Mixed(Store& store, uint32_t seed, std::chrono::steady_clock::time_point end, std::vector<double>* gets_ms) {
  int faults = 0;
  auto fault = [&](const std::string& what) {
    fprintf(stderr, "fault: %s\n", what.c_str());
    ++faults;
  };
  for (uint32_t number = 0; Until(end); ++number) {
    std::string original = LogLines(20 + number % 60, seed * 1000003 + number), token = TokenOf(original);
    Result<PutOutcome> put = store.Put(original, Seen("make", "/project-" + std::to_string(seed % 4)));
    if (!put) fault("put: " + put.error().sentence);
    for (int i = 0; i < 3; ++i) {
      auto begun = std::chrono::steady_clock::now();
      Result<std::string> bytes = store.Get(token);
      gets_ms->push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
      bool gone = !bytes && (bytes.error().cause == Cause::kEvicted || bytes.error().cause == Cause::kPurged);
      if (!gone && !bytes) fault("get: " + bytes.error().sentence);
      if (bytes && *bytes != original) fault("wrong bytes");
    }
    SearchQuery query;
    query.text = "worker-" + std::to_string(number % 16);
    if (number % 16 == 0) {
      if (Result<SearchOutcome> found = store.Search(query); !found) fault("search: " + found.error().sentence);
    }
    if (seed % 16 == 3 && number % 40 == 39) {
      PurgeQuery purge;
      purge.token = token;
      Result<PurgeOutcome> purged = store.Purge(purge);
      if (!purged && purged.error().cause != Cause::kEvicted) fault("purge: " + purged.error().sentence);
    }
  }
  return faults;
}

}  // namespace

TEST_CASE("processes that make a fresh store at the same instant all get in") {
  for (int round = 0; round < 60; ++round) {
    ScratchFolder folder;
    int start[2];
    REQUIRE(pipe(start) == 0);
    std::vector<pid_t> children;
    for (int process = 0; process < 6; ++process) {
      pid_t child = fork();
      if (child == 0) {
        close(start[1]);
        char none = 0;
        (void)!read(start[0], &none, 1);  // returns for all of them when the parent closes its end
        StoreOptions options = In(folder.path());
        options.one_shot = process == 5;
        _exit(Work(options, process, 6, 1));
      }
      children.push_back(child);
    }
    close(start[0]);
    close(start[1]);
    for (pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 0);
    }
  }
}

TEST_CASE("sixteen processes of four threads put, get, search, evict and purge at once: no error reaches a caller") {
  const char* given = getenv("PITH_MANY_SECONDS");
  int seconds = given != nullptr ? atoi(given) : 2;
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 400;
  std::vector<pid_t> children;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  for (uint32_t process = 0; process < 16; ++process) {
    pid_t child = fork();
    if (child == 0) {
      auto store = Opened(options);
      auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
      std::vector<std::vector<double>> gets(4);
      std::vector<int> faults(4);
      std::vector<std::thread> threads;
      for (uint32_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] { faults[thread] = Mixed(*store, process * 4 + thread, end, &gets[thread]); });
      }
      for (std::thread& thread : threads) thread.join();
      std::vector<double> all;
      for (const std::vector<double>& one : gets) all.insert(all.end(), one.begin(), one.end());
      std::sort(all.begin(), all.end());
      double p99 = all.empty() ? 0 : all[all.size() * 99 / 100];
      if (write(ends[1], &p99, sizeof p99) != sizeof p99) _exit(9);
      _exit(faults == std::vector<int>(4) ? 0 : 1);
    }
    children.push_back(child);
  }
  close(ends[1]);
  double worst_ms = 0, p99_ms = 0;
  while (read(ends[0], &p99_ms, sizeof p99_ms) == sizeof p99_ms) worst_ms = std::max(worst_ms, p99_ms);
  close(ends[0]);
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  MESSAGE("99th percentile of a get, of the slowest process: ", worst_ms, " ms");
  auto store = Opened(options);
  Result<std::vector<Entry>> listed = store->List({});
  REQUIRE(listed.ok());
  for (const Entry& entry : *listed) CHECK(TokenOf(GetOrFail(*store, entry.token)) == entry.token);
}
