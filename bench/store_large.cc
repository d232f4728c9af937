// The store when it is large: what its costs do as it grows, search over much text, a stream that fits no memory, many
// processes at once. Each part takes minutes and gigabytes at full size; run.sh runs none of them.
//   bench_store_large size FOLDER [ENTRIES]      puts, gets, evictions and opening at 1,000 entries and at ENTRIES
//   (1000000) bench_store_large search FOLDER [MEGABYTES]  rare, absent and common words over originals of 1 MiB and of
//   10 KB (1024) bench_store_large spool FOLDER [MEGABYTES]   streams an original in, then lines out of its middle
//   (10240) bench_store_large many FOLDER [SECONDS]      16 processes of 4 threads against one process (30)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/token.h"
#include "store/database.h"
#include "store/store.h"

namespace {

using Clock = std::chrono::steady_clock;

double MsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

long ResidentMb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

template <typename T>
T Must(pith::Result<T> result) {
  if (result.ok()) return result.Take();
  std::fprintf(stderr, "%s\n", result.error().sentence.c_str());
  std::exit(1);
}

std::unique_ptr<pith::Store> Open(const std::string& folder, uint64_t max_entries = 2000000,
                                  const char* chain = "memory,sqlite") {
  pith::StoreOptions options;
  options.chain = chain;
  options.folder = folder;
  options.max_entries = max_entries;
  options.max_bytes = 64ull << 30;
  return Must(pith::Store::Open(options));
}

// Text of `bytes` bytes like a log's, different for each number.
std::string Text(uint64_t number, size_t bytes) {
  std::mt19937_64 random(number);
  std::string text;
  while (text.size() < bytes) {
    text += "2026-01-02T03:04:05Z INFO worker-" + std::to_string(random() % 16) + " handled request " +
            std::to_string(random() % 100000000) + " for session_" + std::to_string(random() % 5000) + " in " +
            std::to_string(random() % 900) + " ms\n";
  }
  text.resize(bytes);
  return text;
}

double Median(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}

double Mean(const std::vector<double>& times) {
  double sum = 0;
  for (double time : times) sum += time;
  return times.empty() ? 0 : sum / static_cast<double>(times.size());
}

// Median and mean of a call in microseconds.
void PrintUs(const char* what, std::vector<double>& times) {
  double mean = Mean(times);
  std::printf("  %-34s median %8.1f us  mean %8.1f us\n", what, Median(times), mean);
}

std::vector<double> Timed(int rounds, const std::function<void(int)>& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    Clock::time_point begin = Clock::now();
    work(i);
    times.push_back(MsSince(begin) * 1000);
  }
  return times;
}

constexpr size_t kSmall = 1000;

// What a put, a get, an eviction and opening cost with `entries` originals there. In a process of its own, so that its
// peak memory is that of one server.
void MeasureAt(const std::string& folder, uint64_t entries) {
  std::fflush(stdout);
  if (pid_t child = fork(); child != 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  constexpr int kRounds = 2000;
  std::vector<std::string> originals, tokens;
  for (uint64_t i = 0; i < 2 * kRounds; ++i) originals.push_back(Text(entries << 20 | i, kSmall));
  std::printf("with %llu originals\n", static_cast<unsigned long long>(entries));
  {
    auto store = Open(folder);
    std::vector<double> puts =
        Timed(kRounds, [&](int i) { tokens.push_back(Must(store->Put(originals[static_cast<size_t>(i)], {})).token); });
    PrintUs("put", puts);
  }
  {
    std::vector<double> opening = Timed(50, [&](int i) { Must(Open(folder)->Find(tokens[static_cast<size_t>(i)])); });
    PrintUs("open and find one", opening);
  }
  {
    auto store = Open(folder, 2000000, "sqlite");
    std::shuffle(tokens.begin(), tokens.end(), std::mt19937(1));
    std::vector<double> gets = Timed(kRounds, [&](int i) { Must(store->Get(tokens[static_cast<size_t>(i)])); });
    PrintUs("get from SQLite, any order", gets);
  }
  {
    // Full: each put of a new one pushes the least used out.
    auto store = Open(folder, entries + kRounds);
    std::vector<double> evictions =
        Timed(kRounds, [&](int i) { Must(store->Put(originals[static_cast<size_t>(kRounds + i)], {})); });
    PrintUs("put that evicts", evictions);
    std::printf("  evicted %llu, peak memory %ld MB\n",
                static_cast<unsigned long long>(Must(store->Stats(std::nullopt)).evicted), ResidentMb());
  }
  std::fflush(stdout);
  _exit(0);
}

// Rows like those of puts, by SQL: a million puts would take most of an hour on a busy machine. Their bodies are copies
// of one, so that they weigh what originals weigh, but only what MeasureAt put itself can be fetched.
void FillUpTo(const std::string& folder, uint64_t entries) {
  Must(Open(folder)->Put(Text(1ull << 41, kSmall), {}));
  std::unique_ptr<pith::Database> database = Must(pith::Database::Open(folder + "/ccr.db", {}));
  int64_t there = Must(database->Number("SELECT max(id) FROM entries"));
  std::string count = std::to_string(static_cast<int64_t>(entries) - there);
  std::string first = std::to_string(there + 1), last = std::to_string(entries);
  auto done = database->Execute(
      "PRAGMA cache_size=-400000; BEGIN IMMEDIATE;"
      "CREATE TEMP TABLE one AS SELECT e.*, f.data AS data, w.filter AS filter FROM entries e JOIN frames f ON f.id = "
      "e.id << 20 JOIN filters w ON w.id = f.id ORDER BY e.id DESC LIMIT 1;"
      "WITH RECURSIVE n(i) AS (SELECT " +
      first + " UNION ALL SELECT i + 1 FROM n WHERE i < " + last +
      ")"
      " INSERT INTO entries SELECT i, randomblob(32), body_id, raw_bytes, stored_bytes, lines, frames, file, key_id,"
      " first_seen_ms, last_seen_ms, used_ms, use_order - " +
      count + " + i - " + last +
      ", lifetime_ms, expires_ms,"
      " 1, 0, 0 FROM n, one;"
      "INSERT INTO frames SELECT e.id << 20, o.data FROM entries e, one o WHERE e.id >= " +
      first +
      ";"
      "INSERT INTO filters SELECT e.id << 20, 0, 0, o.filter FROM entries e, one o WHERE e.id >= " +
      first +
      ";"
      "INSERT INTO sightings SELECT (s.id >> 20) - " +
      last + " + e.id << 20 | 500000 + " + first +
      " % 1000, e.id, s.name_space, s.tool, s.command,"
      " s.folder, s.road, s.policy, s.kind, s.exit_code, s.signal, s.original_bytes, s.original_lines,"
      " s.original_tokens, s.shown_bytes, s.shown_lines, s.shown_tokens, s.host_cut, s.lifetime_ms"
      " FROM entries e, (SELECT * FROM sightings ORDER BY id DESC LIMIT 1) s WHERE e.id >= " +
      first +
      ";"
      "UPDATE counters SET entries = (SELECT count(*) FROM entries), raw_bytes = (SELECT sum(raw_bytes) FROM entries),"
      " stored_bytes = (SELECT sum(stored_bytes) FROM entries); DROP TABLE one; COMMIT;"
      "PRAGMA wal_checkpoint(TRUNCATE);");
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().sentence.c_str()), std::exit(1);
}

int Size(const std::string& folder, uint64_t entries) {
  for (uint64_t target : {uint64_t{1000}, entries}) {
    Clock::time_point begin = Clock::now();
    if (pid_t child = fork(); child == 0) {
      FillUpTo(folder, target);  // its memory is none of the server's
      _exit(0);
    }
    wait(nullptr);
    std::printf("filled to %llu in %.0f s\n", static_cast<unsigned long long>(target), MsSince(begin) / 1000);
    std::fflush(stdout);
    MeasureAt(folder, target);
  }
  return 0;
}

void Ask(pith::Store& store, const char* what, const std::string& text) {
  pith::SearchQuery query;
  query.text = text;
  query.time_limit_ms = 60000;
  Must(store.Search(query));  // once, to have it warm
  std::vector<double> times, processor;
  size_t hits = 0;
  for (int i = 0; i < 7; ++i) {
    Clock::time_point begin = Clock::now();
    clock_t used = clock();
    hits = Must(store.Search(query)).hits.size();
    processor.push_back(static_cast<double>(clock() - used) * 1000 / CLOCKS_PER_SEC);
    times.push_back(MsSince(begin));
  }
  std::printf("  %-12s %8.1f ms, %8.1f ms of processor time (medians of 7), %zu hits\n", what, Median(times),
              Median(processor), hits);
  std::fflush(stdout);
}

int Search(const std::string& root, uint64_t megabytes) {
  for (size_t each : {size_t{1} << 20, size_t{10000}}) {
    std::string folder = root + "/search-" + std::to_string(each);
    auto store = Open(folder);
    uint64_t count = (megabytes << 20) / each;
    for (uint64_t i = 0; i < count; ++i) {
      std::string text = Text(i, each);
      if (i == count / 2) text.replace(each / 2, 24, "\nneedle Zanzibarquux 42\n", 23);
      Must(store->Put(text, {}));
    }
    std::printf("%llu MB in originals of %zu bytes\n", static_cast<unsigned long long>(megabytes), each);
    Ask(*store, "rare", "zanzibarquux");
    Ask(*store, "absent", "xylophonequartz");
    Ask(*store, "common", "handled");
    std::printf("  peak memory %ld MB\n", ResidentMb());
  }
  return 0;
}

int Spool(const std::string& folder, uint64_t megabytes) {
  auto store = Open(folder);
  auto spool = Must(store->OpenSpool());
  Clock::time_point begin = Clock::now();
  for (uint64_t i = 0; i < megabytes; ++i) {
    pith::Result<void> done = spool->Append(Text(i, 1 << 20));
    if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().sentence.c_str()), std::exit(1);
  }
  std::printf("%llu MB streamed in: %.1f s, peak memory %ld MB\n", static_cast<unsigned long long>(megabytes),
              MsSince(begin) / 1000, ResidentMb());
  begin = Clock::now();
  std::string token = Must(spool->Finish({})).token;
  std::printf("finished: %.1f s, peak memory %ld MB\n", MsSince(begin) / 1000, ResidentMb());
  store = Open(folder);
  uint64_t lines = Must(store->Find(token)).lines;
  for (uint64_t wanted : {uint64_t{1}, lines / 2, lines - 100}) {
    std::vector<double> times = Timed(30, [&](int i) {
      uint64_t first = wanted + static_cast<uint64_t>(i) * 3;
      if (Must(store->GetLines(token, first, first + 9)).bytes.empty()) std::exit(1);
    });
    std::string what = "lines from " + std::to_string(wanted) + " of " + std::to_string(lines);
    PrintUs(what.c_str(), times);
  }
  std::printf("  peak memory %ld MB\n", ResidentMb());
  return 0;
}

struct Share {
  uint64_t operations = 0, faults = 0;
  std::vector<double> gets;  // microseconds
};

// Mixed work of one thread until `end`.
Share Work(pith::Store& store, uint32_t seed, Clock::time_point end) {
  Share share;
  std::mt19937 random(seed);
  std::vector<std::string> mine;
  auto count = [&](bool right, const char* what) {
    ++share.operations;
    if (right) return;
    ++share.faults;
    std::fprintf(stderr, "fault: %s\n", what);
  };
  for (uint64_t number = uint64_t{seed} << 32; Clock::now() < end; ++number) {
    std::string original = Text(number, 4000);
    pith::Sighting sighting;
    sighting.name_space = "/project-" + std::to_string(seed % 4);
    pith::Result<pith::PutOutcome> put = store.Put(original, sighting);
    count(put.ok(), put.ok() ? "" : put.error().sentence.c_str());
    for (int i = 0; i < 4; ++i) {
      Clock::time_point begin = Clock::now();
      pith::Result<std::string> bytes = store.Get(pith::TokenOf(original));
      share.gets.push_back(MsSince(begin) * 1000);
      bool gone =
          !bytes.ok() && (bytes.error().cause == pith::Cause::kEvicted || bytes.error().cause == pith::Cause::kPurged);
      count(gone || (bytes.ok() && *bytes == original), bytes.ok() ? "wrong bytes" : bytes.error().sentence.c_str());
    }
    pith::SearchQuery query;
    query.text = "session_" + std::to_string(random() % 5000);
    query.name_space = sighting.name_space;
    if (number % 16 == 0) count(store.Search(query).ok(), "search");
    pith::PurgeQuery purge;
    purge.token = pith::TokenOf(original);
    if (seed % 64 == 0 && number % 256 == 255) {
      pith::Result<pith::PurgeOutcome> purged = store.Purge(purge);
      bool right = purged.ok() || purged.error().cause == pith::Cause::kEvicted;
      count(right, right ? "" : purged.error().sentence.c_str());
    }
  }
  return share;
}

// `processes` of `threads` threads each; operations a second, and the gets' times in `gets`.
double Together(const std::string& folder, int processes, int threads, int seconds, std::vector<double>* gets) {
  std::vector<int> pipes;
  for (int process = 0; process < processes; ++process) {
    int ends[2];
    if (pipe(ends) != 0) std::exit(1);
    if (fork() == 0) {
      close(ends[0]);
      auto store = Open(folder, 5000);
      Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
      std::vector<Share> shares(static_cast<size_t>(threads));
      std::vector<std::thread> running;
      for (int thread = 0; thread < threads; ++thread) {
        auto seed = static_cast<uint32_t>(processes * 1000 + process * threads + thread);
        running.emplace_back([&, thread, seed] { shares[static_cast<size_t>(thread)] = Work(*store, seed, end); });
      }
      for (std::thread& one : running) one.join();
      for (const Share& share : shares) {
        uint64_t head[3] = {share.operations, share.faults, share.gets.size()};
        FILE* out = fdopen(dup(ends[1]), "w");
        fwrite(head, sizeof head, 1, out);
        fwrite(share.gets.data(), sizeof(double), share.gets.size(), out);
        fclose(out);
      }
      _exit(0);
    }
    close(ends[1]);
    pipes.push_back(ends[0]);
  }
  uint64_t operations = 0, faults = 0;
  for (int end : pipes) {
    FILE* in = fdopen(end, "r");
    for (uint64_t head[3]; fread(head, sizeof head, 1, in) == 1;) {
      operations += head[0];
      faults += head[1];
      size_t before = gets->size();
      gets->resize(before + head[2]);
      if (fread(gets->data() + before, sizeof(double), head[2], in) != head[2]) ++faults;
    }
    fclose(in);
  }
  while (wait(nullptr) > 0) continue;
  std::printf("%2d processes of %d threads: %8.0f operations a second, %llu faults\n", processes, threads,
              static_cast<double>(operations) / seconds, static_cast<unsigned long long>(faults));
  return static_cast<double>(operations) / seconds;
}

int Many(const std::string& folder, int seconds) {
  std::vector<double> gets;
  double alone = Together(folder, 1, 1, seconds, &gets);
  gets.clear();
  double together = Together(folder, 16, 4, seconds, &gets);
  double median = Median(gets);
  std::printf("  throughput %.2f times one process's; a get: median %.0f us, p99 %.0f us, worst %.0f us\n",
              together / alone, median, gets[gets.size() * 99 / 100], gets.back());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench_store_large size|search|spool|many FOLDER [NUMBER]\n");
    return 2;
  }
  std::string part = argv[1], folder = argv[2];
  uint64_t number = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  if (part == "size") return Size(folder, number != 0 ? number : 1000000);
  if (part == "search") return Search(folder, number != 0 ? number : 1024);
  if (part == "spool") return Spool(folder, number != 0 ? number : 10240);
  if (part == "many") return Many(folder, number != 0 ? static_cast<int>(number) : 30);
  return 2;
}
