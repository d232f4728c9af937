// I2: whatever has printed a token and is killed at any instant, the token resolves afterwards.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <cstdio>
#include <thread>

#include "base/markers.h"
#include "tests/store/scratch.h"

using namespace pith;
using namespace pith::testing;

namespace {

int Rounds(int usual) {
  const char* given = getenv("PITH_KILLS");
  return given != nullptr ? atoi(given) : usual;
}

// Puts originals and prints each one's seed as soon as it is stored, until it is killed.
[[noreturn]] void PutForever(const StoreOptions& options, int pipe_end, uint32_t seed, bool spools) {
  for (;; ++seed) {
    Result<std::unique_ptr<Store>> store = Store::Open(options);
    if (!store) _exit(2);
    // Some stores live for many puts, one-shot ones for one.
    for (int i = 0; i < (options.one_shot ? 1 : 20); ++i, ++seed) {
      std::string original = LogLines(20 + seed % 500, seed);
      if (seed % 13 == 0) original = RandomBytes(300000, seed);
      Result<PutOutcome> put = Error{};
      if (spools && seed % 3 == 0) {
        Result<std::unique_ptr<Spool>> spool = (*store)->OpenSpool();
        if (!spool || !(*spool)->Append(original)) _exit(3);
        put = (*spool)->Finish(Seen());
      } else {
        put = (*store)->Put(original, Seen());
      }
      if (!put) _exit(4);
      std::string line = put->token + "\n";
      if (write(pipe_end, line.data(), line.size()) != static_cast<ssize_t>(line.size())) _exit(5);
    }
  }
}

// Tokens printed before the kill.
std::vector<std::string> RunAndKill(const StoreOptions& options, uint32_t seed, int after_us, bool spools) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    PutForever(options, ends[1], seed, spools);
  }
  close(ends[1]);
  // Starting takes long on a busy machine: the instant is counted from the first token.
  pollfd first{ends[0], POLLIN, 0};
  (void)poll(&first, 1, 3000);
  usleep(static_cast<useconds_t>(after_us));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  std::string printed;
  char buffer[65536];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) printed.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  std::vector<std::string> tokens;
  for (size_t at = 0; at + 25 <= printed.size(); at += 25) tokens.push_back(printed.substr(at, 24));
  return tokens;
}

}  // namespace

TEST_CASE("I2: tokens printed before a SIGKILL at a random instant all resolve to their exact bytes") {
  std::mt19937 random(20260102);
  ScratchFolder folder;
  size_t tokens = 0;
  int rounds = Rounds(30);
  for (int round = 0; round < rounds; ++round) {
    StoreOptions options = In(folder.path());
    options.one_shot = round % 3 == 0;
    if (round % 5 == 4) options.durability = Durability::kPower;
    uint32_t seed = static_cast<uint32_t>(round) * 100000;
    std::vector<std::string> printed = RunAndKill(options, seed, static_cast<int>(random() % 40000), round % 2 == 0);
    auto store = Opened(In(folder.path()));
    if (round % 4 == 1) {
      // The one that looks folds in first, and is killed too.
      InChild([&] {
        std::thread([] {
          usleep(3000);
          kill(getpid(), SIGKILL);
        }).detach();
        (void)Opened(In(folder.path()))->Gc().ok();
        return 0;
      });
    }
    for (const std::string& token : printed) {
      Result<std::string> bytes = store->Get(token);
      INFO((bytes ? "" : bytes.error().sentence));
      REQUIRE(bytes.ok());
      REQUIRE(TokenOf(*bytes) == token);
    }
    tokens += printed.size();
    CHECK(store->TakeNotices().empty());
  }
  MESSAGE(rounds, " kills, ", tokens, " tokens, none lost");
  CHECK(tokens > 0);
}

TEST_CASE("processes killed while they evict leave a store that opens, and every entry it lists resolves") {
  std::mt19937 random(7);
  ScratchFolder folder;
  StoreOptions options = In(folder.path());
  options.max_entries = 50;
  options.max_bytes = 2 << 20;
  int rounds = Rounds(10);
  for (int round = 0; round < rounds; ++round) {
    RunAndKill(options, static_cast<uint32_t>(round) * 1000, static_cast<int>(random() % 40000), true);
    auto store = Opened(options);
    ListQuery query;
    query.limit = 1000;
    Result<std::vector<Entry>> entries = store->List(query);
    REQUIRE(entries.ok());
    for (const Entry& entry : *entries) REQUIRE(TokenOf(GetOrFail(*store, entry.token)) == entry.token);
  }
}
