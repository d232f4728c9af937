// Traces of each language are one unit, with what was raised, every cause, and the project's nearest frame.
#include "compact/stack_trace.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace pith {
namespace {

struct Found {
  std::vector<std::string> heads, frames;
  uint32_t first = 0, last = 0;
};

std::vector<Found> Traces(const std::string& bytes) {
  const Hints hints;
  const Document document(bytes, hints);
  std::vector<Found> all;
  const StackTraces traces = FindStackTraces(document);
  for (size_t i = 0; i < traces.size(); ++i) {
    const StackTrace trace = traces[i];
    Found found;
    found.first = trace.first;
    found.last = trace.last;
    auto texts = [&](std::span<const uint32_t> lines, std::vector<std::string>& out) {
      for (uint32_t line : lines) {
        CHECK(line >= trace.first);
        CHECK(line <= trace.last);
        std::string text(document.Text(line));
        out.push_back(text.substr(text.find_first_not_of(" \t")));
      }
    };
    texts(trace.heads, found.heads);
    texts(trace.frames, found.frames);
    all.push_back(found);
  }
  return all;
}

TEST_CASE("Python: chained exceptions are one trace") {
  const std::vector<Found> traces = Traces(
      "before\n"
      "Traceback (most recent call last):\n"
      "  File \"/srv/app/load.py\", line 3, in load\n"
      "    return open(path)\n"
      "  File \"/usr/lib/python3.11/codecs.py\", line 12, in open\n"
      "    raise FileNotFoundError(path)\n"
      "FileNotFoundError: x.cfg\n"
      "\n"
      "During handling of the above exception, another exception occurred:\n"
      "\n"
      "Traceback (most recent call last):\n"
      "  File \"/srv/app/main.py\", line 9, in <module>\n"
      "    run()\n"
      "ConfigError: no configuration\n"
      "after\n");
  REQUIRE(traces.size() == 1);
  CHECK(traces[0].first == 1);
  CHECK(traces[0].last == 13);
  CHECK(traces[0].heads ==
        std::vector<std::string>{
            "FileNotFoundError: x.cfg",
            "During handling of the above exception, another exception occurred:", "ConfigError: no configuration"});
  CHECK(traces[0].frames.front() == "File \"/srv/app/load.py\", line 3, in load");
  CHECK(traces[0].frames.back() == "run()");
}

TEST_CASE("Java: each cause is kept with the project's nearest frame") {
  const std::vector<Found> traces = Traces(
      "2026-01-02 03:04:05 ERROR request failed\n"
      "java.lang.RuntimeException: cannot answer\n"
      "\tat java.base/java.util.Optional.orElseThrow(Optional.java:403)\n"
      "\tat com.acme.Api.answer(Api.java:21)\n"
      "Caused by: java.sql.SQLException: closed\n"
      "\tat org.springframework.Jdbc.query(Jdbc.java:7)\n"
      "\tat com.acme.Store.read(Store.java:44)\n"
      "\t... 12 more\n"
      "2026-01-02 03:04:06 INFO next\n");
  REQUIRE(traces.size() == 1);
  CHECK(traces[0].last == 7);
  CHECK(traces[0].heads == std::vector<std::string>{"java.lang.RuntimeException: cannot answer",
                                                    "Caused by: java.sql.SQLException: closed"});
  CHECK(traces[0].frames ==
        std::vector<std::string>{"at com.acme.Api.answer(Api.java:21)", "at com.acme.Store.read(Store.java:44)"});
}

TEST_CASE("JavaScript, Go, Rust and sanitizers are read") {
  const std::vector<Found> script = Traces(
      "TypeError: x is not a function\n    at Object.run (node:internal/vm:12:3)\n    at start (/app/src/a.js:3:14)\n");
  REQUIRE(script.size() == 1);
  CHECK(script[0].heads == std::vector<std::string>{"TypeError: x is not a function"});
  CHECK(script[0].frames == std::vector<std::string>{"at start (/app/src/a.js:3:14)"});

  const std::vector<Found> go = Traces(
      "panic: index out of range\n\ngoroutine 1 "
      "[running]:\nruntime.gopanic(0x1)\n\t/usr/local/go/src/runtime/panic.go:770 +0x1\n"
      "main.pick(0x3)\n\t/app/main.go:12 +0x1d\n\ngoroutine 7 [chan receive]:\nmain.wait()\n\t/app/wait.go:4 "
      "+0x2\n\nexit status 2\n");
  REQUIRE(go.size() == 2);
  CHECK(go[0].heads == std::vector<std::string>{"panic: index out of range", "goroutine 1 [running]:"});
  CHECK(go[0].frames == std::vector<std::string>{"main.pick(0x3)", "/app/main.go:12 +0x1d"});
  CHECK(go[1].heads == std::vector<std::string>{"goroutine 7 [chan receive]:"});

  const std::vector<Found> rust = Traces(
      "thread 'main' panicked at src/main.rs:2:5:\nno luck\nstack backtrace:\n   0: rust_begin_unwind\n"
      "             at /rustc/abc/library/std/src/panicking.rs:645:5\n   1: app::pick\n             at "
      "./src/main.rs:2:5\n");
  REQUIRE(rust.size() == 1);
  CHECK(rust[0].heads == std::vector<std::string>{"thread 'main' panicked at src/main.rs:2:5:", "no luck"});
  CHECK(rust[0].frames == std::vector<std::string>{"1: app::pick", "at ./src/main.rs:2:5"});

  const std::vector<Found> native = Traces(
      "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\nREAD of size 4 at 0x6 thread T0\n"
      "    #0 0x7f in __interceptor_memcpy ../../src/libsanitizer/asan/asan.cpp:9\n    #1 0x55 in main /app/a.c:13\n\n"
      "freed by thread T0 here:\n    #0 0x55 in drop /app/a.c:6\n");
  REQUIRE(native.size() == 2);
  CHECK(native[0].heads.size() == 2);
  CHECK(native[0].frames == std::vector<std::string>{"#1 0x55 in main /app/a.c:13"});
  CHECK(native[1].heads == std::vector<std::string>{"freed by thread T0 here:"});
}

TEST_CASE("what only looks like a trace is none") {
  CHECK(Traces("at noon (we met)\nnumbers:\n 1: one\n# a heading\n").empty());
  CHECK(Traces("Traceback (most recent call last):\nnothing deeper\n").empty());
  CHECK(Traces("goroutine 1 [running]:\n\n").empty());
}

TEST_CASE("headings without frames, deeper and deeper, cost one look each") {
  std::string bytes;
  for (int i = 0; i < 300; ++i)
    bytes += std::string(static_cast<size_t>(i), ' ') + "Traceback (most recent call last):\n";
  for (int i = 0; i < 100000; ++i) bytes += std::string(301, ' ') + "x\n";
  CHECK(Traces(bytes).empty());
}

}  // namespace
}  // namespace pith
