// Logs: every distinct fault stays in view wherever it stands; the rest is counted.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compact/kinds.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

View ViewOf(const std::string& bytes, std::optional<uint64_t> max_tokens = std::nullopt) {
  Hints hints;
  hints.max_tokens = max_tokens;
  return Compact(bytes, hints, {});
}

Kind KindOf(const std::string& bytes) {
  const Hints hints;
  return DetectKind(Document(bytes, hints));
}

bool Holds(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

std::string Two(uint64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// A quiet line of a service's log.
std::string Quiet(test::Random& random, uint64_t at) {
  const std::vector<std::string> says = {"request served in ", "cache refreshed, entries ", "session opened for user ",
                                         "heartbeat from worker ", "wrote segment "};
  return "2026-03-01 " + Two(at / 3600 % 24) + ":" + Two(at / 60 % 60) + ":" + Two(at % 60) + "." +
         std::to_string(100 + random.Below(900)) + " INFO [worker-" + std::to_string(random.Below(8)) + "] " +
         random.Of(says) + std::to_string(random.Below(100000)) + "\n";
}

TEST_CASE("faults in every spelling are in view at head, middle and tail and inside noise") {
  const std::vector<std::string> faults = {
      "ERROR [db] connection pool exhausted",
      "thread 'main' panicked at src/lib.rs:3:9:",
      "main.o: undefined reference to `frobnicate'",
      "npm ERR! code ELIFECYCLE",
      "Segmentation fault (core dumped)",
      "process exited with code 137",
      "E   assert left == right",
      "java.lang.IllegalStateException: closed twice",
      "kernel: Out of memory: Killed process 4711 (java)",
      "CRITICAL disk is gone",
      "level=error msg=\"lost quorum\"",
      "make: *** [all] Error 2",
  };
  test::Random random(11);
  for (int round = 0; round < 60; ++round) {
    const uint64_t lines = 500 + random.Below(3000);
    std::vector<std::string> text;
    for (uint64_t i = 0; i < lines; ++i) text.push_back(Quiet(random, i));
    std::vector<std::string> injected;
    for (const std::string& fault : faults) {
      if (random.OneIn(3)) continue;
      const uint64_t where = random.Below(4);
      const uint64_t at = where == 0 ? 0 : where == 1 ? lines / 2 : where == 2 ? lines - 1 : random.Below(lines);
      text[at] = fault + "\n" + text[at];
      injected.push_back(fault);
    }
    std::string bytes;
    for (const std::string& line : text) bytes += line;
    CHECK(KindOf(bytes) == Kind::kLog);
    const View view = ViewOf(bytes);
    CHECK(view.view_class == ViewClass::kPartial);
    CHECK(view.fault.empty());
    CHECK(view.text.size() * 8 < bytes.size());
    for (const std::string& fault : injected) {
      CAPTURE(fault);
      CHECK(Holds(view, fault));
    }
  }
}

TEST_CASE("a template is shown once, with how often it comes and where last") {
  test::Random random(3);
  std::string bytes;
  for (uint64_t i = 0; i < 1000; ++i) {
    bytes +=
        i % 10 == 4 ? "2026-03-01 00:00:01 ERROR worker " + std::to_string(i) + " lost its lease\n" : Quiet(random, i);
  }
  const View view = ViewOf(bytes);
  CHECK(Holds(view, "worker 4 lost its lease [x100 but for numbers, last 995]"));
  CHECK_FALSE(Holds(view, "worker 14 lost"));
}

TEST_CASE("zero errors are no reason to show a line") {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    bytes += "2026-03-01 00:00:01 INFO check " + std::string(1 + static_cast<size_t>(i % 7), 'a') +
             " done: 0 errors, 0 warnings\n";
  }
  bytes += "2026-03-01 00:00:02 INFO check b done: 3 errors, 0 warnings\n";
  for (int i = 0; i < 300; ++i) bytes += "2026-03-01 00:00:03 INFO idle " + std::to_string(i) + "\n";
  const View view = ViewOf(bytes);
  CHECK(Holds(view, "3 errors"));
  CHECK(view.signals.total == 1);
  CHECK(view.signals.kept == 1);
}

TEST_CASE("equal stack traces are shown once and counted") {
  test::Random random(5);
  std::string bytes;
  for (uint64_t i = 0; i < 40; ++i) {
    for (uint64_t j = 0; j < 20; ++j) bytes += Quiet(random, i * 20 + j);
    bytes += "2026-03-01 00:00:09 ERROR request " + std::to_string(i) + " failed\ncom.acme.StoreException: page " +
             std::to_string(i) + " missing\n\tat java.base/java.lang.Thread.run(Thread.java:840)\n" +
             "\tat com.acme.Store.read(Store.java:44)\n\tat com.acme.Api.get(Api.java:9)\n";
  }
  const View view = ViewOf(bytes);
  CHECK(Holds(view, "com.acme.StoreException: page 0 missing [this trace x40 alike, last"));
  CHECK(Holds(view, "com.acme.Store.read(Store.java:44)"));
  CHECK_FALSE(Holds(view, "page 7 missing"));
}

TEST_CASE("where equal traces differ in a number, the one that differs is shown") {
  std::string bytes;
  for (uint64_t i = 0; i < 40; ++i) {
    for (uint64_t j = 0; j < 5; ++j) bytes += "2026-03-01 00:00:09 INFO all is well\n";
    bytes +=
        "2026-03-01 00:00:09 ERROR request failed\nTraceback (most recent call last):\n  File \"/srv/shelf.py\", "
        "line " +
        std::string(i == 30 ? "48" : "31") +
        ", in get\n    return self.items[key]\nKeyError: " + (i == 23 ? "99" : "17") + "\n";
  }
  const View view = ViewOf(bytes);
  CHECK(Holds(view, "KeyError: 17 [this trace x38, last "));
  CHECK(Holds(view, "KeyError: 99"));
  CHECK(Holds(view, "line 48, in get"));
}

TEST_CASE("a token budget is met by dropping what is least first") {
  test::Random random(6);
  std::string bytes;
  for (uint64_t i = 0; i < 3000; ++i)
    bytes += i == 1700 ? "2026-03-01 00:00:01 FATAL cannot go on\n" : Quiet(random, i);
  for (uint64_t budget : {200, 400, 1000, 4000}) {
    const View view = ViewOf(bytes, budget);
    CHECK(view.shown.tokens <= budget);
    CHECK(Holds(view, "FATAL cannot go on"));
  }
}

TEST_CASE("logs of many makers are known as logs") {
  auto repeated = [](const std::string& line) {
    std::string bytes;
    for (int i = 0; i < 50; ++i) bytes += line + std::to_string(i) + "\n";
    return bytes;
  };
  CHECK(KindOf(repeated("Jan  2 03:04:05 web sshd[123]: session opened for user ann ")) == Kind::kLog);
  CHECK(KindOf(repeated("[    1.234567] usb 1-1: new device number ")) == Kind::kLog);
  CHECK(KindOf(repeated("127.0.0.1 - - [30/Nov/2026:11:32:02 +0000] \"GET /a HTTP/1.1\" 200 ")) == Kind::kLog);
  CHECK(KindOf(repeated("I0102 03:04:05.678901 1234 file.cc:12] step ")) == Kind::kLog);
  CHECK(KindOf(repeated("03-17 16:13:38.811  1702  2395 D WindowManager: frame ")) == Kind::kLog);
  CHECK(KindOf(repeated("web-1  | 2026-01-02T03:04:05Z ready ")) == Kind::kLog);
  CHECK(KindOf(repeated("\x1b[32mINFO\x1b[0m 2026-01-02T03:04:05Z app: ready ")) == Kind::kLog);
  CHECK(KindOf(repeated("src/a.c:12:int x = ")) != Kind::kLog);
  CHECK(KindOf(repeated("a sentence that says nothing of time ")) != Kind::kLog);
}

TEST_CASE("the same log gives the same view, and a view of a view is itself") {
  test::Random random(8);
  std::string bytes;
  for (uint64_t i = 0; i < 2000; ++i) bytes += Quiet(random, i);
  const View view = ViewOf(bytes);
  CHECK(view.text == ViewOf(bytes).text);
  CHECK(ViewOf(view.text).text == view.text);
}

TEST_CASE("hostile logs keep the accounting") {
  const std::string head = "2026-03-01 00:00:01 INFO start\n";
  std::vector<std::string> hostile;
  std::string many = head;
  for (int i = 0; i < 200000; ++i) {  // templates without end: letters only
    many += "2026-03-01 00:00:01 ERROR ";
    for (int n = i; n > 0; n /= 26) many += static_cast<char>('a' + n % 26);
    many += "\n";
  }
  hostile.push_back(many);
  hostile.push_back(head + head + head + head + std::string(5000000, 'x') + " error at the end\n" + head);
  hostile.push_back(head + head + head + head + std::string(300000, '\n') + head);
  std::string mixed = head;
  for (int i = 0; i < 3000; ++i) {
    mixed += "2026-03-01 00:00:01 WARN \x1b[31mred\x1b[0m \xff\xfe " + std::to_string(i) + "\r\n10%\r20%\r100%\n";
  }
  hostile.push_back(mixed);
  for (const std::string& bytes : hostile) {
    const Hints hints;
    const Document document(bytes, hints);
    const std::unique_ptr<Shaper> shaper = ShapeLog(document);
    for (uint64_t hard : {0ull, 500ull, 40000ull}) {
      Limit limit;
      limit.hard = hard;
      limit.soft = hard / 4;
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("views of real logs are the ones written down") {
  constexpr test::Golden kGoldens[] = {
      {"logs/redis.log", "cat redis.log"},
      {"logs/dpkg.log", "cat /var/log/dpkg.log"},
      {"logs/asan.txt", "./list_asan"},
      {"logs/valgrind.txt", "valgrind --leak-check=full ./list"},
  };
  for (const test::Golden& golden : kGoldens) test::CheckGolden(golden, Kind::kLog);
}

TEST_CASE("a line that is told of as repeated is not shown again at the edges, but for the very last") {
  std::string log;
  for (uint64_t i = 0; i < 40; ++i) log += "2026-03-01 10:00:" + Two(i) + " INFO service: waiting for the lease\n";
  const View view = ViewOf(log);
  size_t shown = 0;
  for (size_t at = view.text.find("waiting"); at != std::string::npos; at = view.text.find("waiting", at + 1)) ++shown;
  CHECK(Holds(view, "[x40, last 40]"));
  CHECK(shown <= 2);
}

TEST_CASE("faults that differ in a name or a code are each shown while they are few, the mark of others says alike") {
  test::Random random(7);
  std::string bytes;
  for (uint64_t i = 0; i < 1200; ++i) {
    const std::string time = "2026-03-01 00:00:" + std::to_string(10 + i % 50);
    if (i == 200 || i == 900) bytes += time + " ERROR disk " + (i == 200 ? "sda1" : "sdb7") + " full\n";
    if (i == 300 || i == 400 || i == 500) bytes += time + " ERROR job ended: code " + (i == 400 ? "1\n" : "0\n");
    if (i % 60 == 1)
      bytes += time + " ERROR payment for u" + std::to_string(i) + " lost: code " + std::to_string(i) + "\n";
    bytes += Quiet(random, i);
  }
  const View view = ViewOf(bytes);
  CHECK(Holds(view, "disk sda1 full\n"));
  CHECK(Holds(view, "disk sdb7 full\n"));
  CHECK(Holds(view, "code 0 [x2, last "));
  CHECK(Holds(view, "code 1\n"));
  CHECK(Holds(view, "code 1 [x20 alike, 20 names, last "));
}

}  // namespace
TEST_CASE("a line of a harmless template that a number makes a fault is shown") {
  std::string log;
  for (int i = 0; i < 300; ++i) {
    log += "2026-11-30 10:00:00 INFO job " + std::to_string(i) + " finished with exit code " +
           (i == 170 ? "137" : "0") + "\n";
  }
  const std::string view = Compact(log, {}, {}).text;
  CHECK(view.find("job 170 finished with exit code 137") != std::string::npos);
}

}  // namespace pith
