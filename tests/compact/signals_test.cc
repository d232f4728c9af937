// What counts as a signal, and what only looks like one.
#include "compact/signals.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "compact/document.h"
#include "compact/signal_words.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

struct Row {
  std::string_view line;
  Signal signal;
};

constexpr auto kRows = std::to_array<Row>({
    // Levels, as loggers write them.
    {"2026-01-02 03:04:05,678 ERROR [main] app.Main: it broke", Signal::kError},
    {"2026-01-02T03:04:05Z WARN queue is long", Signal::kWarning},
    {"level=error ts=1 msg=\"x\"", Signal::kError},
    {"{\"level\":\"error\",\"msg\":\"x\"}", Signal::kError},
    {"{\"level\":50,\"msg\":\"x\"}", Signal::kError},
    {"{\"level\":30,\"msg\":\"x\"}", Signal::kNone},
    {"{\"level\":40,\"msg\":\"x\"}", Signal::kWarning},
    {"2026/11/30 11:32:02 [crit] 12#12: *1 open() took long", Signal::kFatal},
    {"2026/11/30 11:32:02 [notice] 12#12: start worker", Signal::kNone},
    {"2026/11/30 11:32:02 [emerg] 1#1: unknown directive", Signal::kFatal},
    {"hash warnings: 0.0026 ms", Signal::kNone},
    {"phases (errors: 12s, parse: 3s)", Signal::kNone},
    {"warnings: 3 in 12 ms", Signal::kWarning},
    {"error: 5 s is too long", Signal::kError},
    {"FATAL: the database system is shutting down", Signal::kFatal},
    {"CRITICAL:root:disk", Signal::kError},
    {"SEVERE: Servlet threw", Signal::kError},
    {"E0102 03:04:05.678901 1234 file.cc:12] went away", Signal::kError},
    {"W0102 03:04:05.678901 1234 file.cc:12] slow", Signal::kWarning},
    {"I0102 03:04:05.678901 1234 file.cc:12] fine", Signal::kNone},
    {"03-17 16:13:38.811  1702  2395 E WindowManager: gone", Signal::kError},
    {"03-17 16:13:38.811  1702  2395 D WindowManager: here", Signal::kNone},
    {"E/Activity( 123): gone", Signal::kError},
    {"<3>[   12.3] ata1: link down", Signal::kError},
    {"<6>[   12.3] ata1: link up", Signal::kNone},
    {"<34>1 2003-10-11T22:14:15Z host su - ID47", Signal::kError},
    // Spellings that rivals miss.
    {"E   assert 1 == 2", Signal::kError},
    {"E       assert 1 == 2", Signal::kError},
    {"thread 'main' panicked at src/main.rs:2:5:", Signal::kFatal},
    {"main.c:(.text+0x9): undefined reference to `foo'", Signal::kError},
    {"./main.go:5:2: undefined: foo", Signal::kError},
    {"npm ERR! code E404", Signal::kError},
    {"npm error code E404", Signal::kError},
    {"Segmentation fault (core dumped)", Signal::kFatal},
    {"Process exited with code 137", Signal::kError},
    {"Process completed with exit code 1.", Signal::kError},
    {"exit status 2", Signal::kError},
    {"\"exit_code\": 3,", Signal::kError},
    {"exit code 0", Signal::kNone},
    {"web-1  nginx  \"nginx\"  Exited (1) 3 hours ago", Signal::kError},
    {"web-1  nginx  \"nginx\"  Exited (0) 3 hours ago", Signal::kNone},
    {"make: *** [Makefile:3: all] Error 1", Signal::kError},
    {"make: *** No rule to make target 'x'.  Stop.", Signal::kError},
    {"bash: foo: command not found", Signal::kError},
    {"make: gcc-99: Command not found", Signal::kError},
    {"module x not found", Signal::kWarning},
    {"web-1   0/1   CrashLoopBackOff   12 (30s ago)   1h", Signal::kError},
    {"      Reason:       OOMKilled", Signal::kFatal},
    {"Killed", Signal::kError},
    {"./run.sh: line 3:  1234 Segmentation fault      ./a.out", Signal::kFatal},
    {"cat: x: No such file or directory", Signal::kError},
    {"connect: Connection refused", Signal::kError},
    {"Out of memory: Killed process 1234 (java)", Signal::kFatal},
    {"Traceback (most recent call last):", Signal::kError},
    {"ValueError: x", Signal::kError},
    {"java.lang.NullPointerException", Signal::kError},
    {"Caused by: java.io.IOException: disk", Signal::kError},
    {"==1==ERROR: AddressSanitizer: heap-use-after-free", Signal::kFatal},
    {"CONFLICT (content): Merge conflict in a.c", Signal::kError},
    {" ! [rejected]        main -> main (fetch first)", Signal::kError},
    {"not ok 3 - adds", Signal::kError},
    {" \xe2\x9c\x97 adds numbers", Signal::kError},
    {"  \xe2\x9c\x95 adds numbers (3 ms)", Signal::kError},
    {"    \xe2\x9c\x98 adds numbers", Signal::kError},
    {"\xe2\x9d\x8c Build", Signal::kError},
    {"\xe2\x9c\x96 3 problems", Signal::kError},
    {"--- FAIL: TestAdd (0.00s)", Signal::kError},
    {"FAILED tests/a_test.py::test_x", Signal::kError},
    {"error[E0382]: borrow of moved value", Signal::kError},
    {"a.c:3:5: warning: unused variable", Signal::kWarning},
    {"DeprecationWarning: old", Signal::kWarning},
    {"\"GET / HTTP/1.1\" 502 157", Signal::kError},
    {"\"GET / HTTP/1.1\" 404 157", Signal::kWarning},
    {"\"GET / HTTP/1.1\" 200 502", Signal::kNone},
    {"status=503 took=2ms", Signal::kError},
    // Numbers that are faults by what stands before them.
    {"fetch https://x/122: HTTP 503 (4 ms)", Signal::kError},
    {"upstream said HTTP status 502, trying again", Signal::kError},
    {"HTTP error 500", Signal::kError},
    {"HTTP 200 in 500 ms", Signal::kNone},
    {"GET /api/items/133 -> 500 in 5 ms", Signal::kError},
    {"GET /api/items/133 \xe2\x86\x92 500", Signal::kError},
    {"GET /api/items/133 500 4.211 ms - 12", Signal::kError},
    {"POST https://host/a 404 1.2 ms", Signal::kWarning},
    {"GET /api/items/500 -> 200 in 5 ms", Signal::kNone},
    {"GET /a 200 500 - 3 ms", Signal::kNone},
    {"GET /a 500 ms", Signal::kNone},
    {"GET /a: 512 bytes", Signal::kNone},
    {"GET /a 512.25", Signal::kNone},
    {"Get /a 500 of them", Signal::kNone},
    {"https://host/a -> 503", Signal::kError},
    {"https://host/a 200 OK", Signal::kNone},
    {"https://host/500", Signal::kNone},
    {"probe 122 status 502 ok", Signal::kError},
    {"job 122 done code=99", Signal::kError},
    {"job 122 done code=0", Signal::kNone},
    {"job 122 done code=200", Signal::kNone},
    {"job 122 done code=502", Signal::kError},
    {"zip_code=99 postcode=12", Signal::kNone},
    {"code=12345 code=4.5 code=2026-01-02", Signal::kNone},
    {"step 9 finished rc=2", Signal::kError},
    {"step 9 finished rc=0", Signal::kNone},
    {"child ended, return code: -9", Signal::kWarning},
    {"errno 13", Signal::kError},
    {"arc=2 src=1", Signal::kNone},
    {"Connecting to db...failed", Signal::kError},
    {"{\"log\":\"a\\nerror: disk\"}", Signal::kError},
    {"{\"log\":\"a\\nValueError: disk\"}", Signal::kError},
    {"==1==    definitely lost: 24 bytes in 2 blocks", Signal::kError},
    {"==1==    definitely lost: 0 bytes in 0 blocks", Signal::kNone},
    {"err=\"dial tcp: i/o\"", Signal::kError},
    {"BUG: soft lockup - CPU#0 stuck", Signal::kFatal},
    {"-----ERROR-----", Signal::kError},
    {"[Plugin-ERROR] no contacts", Signal::kError},
    {"app: Error(\"x\")", Signal::kError},
    {"error 0x800706BA", Signal::kError},
    // Words that say that nothing is wrong.
    {"0 errors", Signal::kNone},
    {"cacheable modules 531 bytes, 0 cached but invalid", Signal::kNone},
    {"3 built, 0 cached but invalid, 2 assets", Signal::kNone},
    {"3 cached but invalid", Signal::kError},
    {"0 of 12 checks failed", Signal::kNone},
    {"0/12 failed", Signal::kNone},
    {"0 out of 12 hosts were unreachable", Signal::kNone},
    {"10 of 12 checks failed", Signal::kError},
    {"10/12 failed", Signal::kError},
    {"returned 0 but the output is invalid", Signal::kError},
    {"code 0, but invalid", Signal::kError},
    {"errors: none", Signal::kNone},
    {"Errors 0", Signal::kNone},
    {"ERRORS:0", Signal::kNone},
    {"Failures: 0 (0%)", Signal::kNone},
    {"without any errors", Signal::kNone},
    {"0 new errors", Signal::kNone},
    {"zero errors", Signal::kNone},
    {"error-free", Signal::kNone},
    {"errors => 0", Signal::kNone},
    {"12 passed, 0 failed, 0 errors, 3 skipped", Signal::kNone},
    {"failed=0 errors=2", Signal::kError},
    {"no test failures", Signal::kNone},
    {"failed 0/12", Signal::kNone},
    {"0 passed; 2 failed", Signal::kError},
    {"0 passed, 2 failed", Signal::kError},
    {"0 passing (3ms) 1 failing", Signal::kError},
    {"Found 0 errors, 0 warnings", Signal::kNone},
    {"check done: 0 errors, 0 warnings", Signal::kNone},
    {"ok: 0 failed: 2", Signal::kError},
    {"found 0 vulnerabilities", Signal::kNone},
    {"no errors found", Signal::kNone},
    {"No failures.", Signal::kNone},
    {"no known errors", Signal::kNone},
    {"errors=0 failed=0 unreachable=0", Signal::kNone},
    {"error_count: 0", Signal::kNone},
    {"\"error_count\": 0,", Signal::kNone},
    {"\"error\": null,", Signal::kNone},
    {"\"errors\":[]}", Signal::kNone},
    {"{\"error\":\"\",\"a\":1}", Signal::kNone},
    {"{\"Count Failed Values\":true,\"a\":1}", Signal::kNone},
    {"{\"Failed Tasks\": 0}", Signal::kNone},
    {"{\"Failed Tasks\": 3}", Signal::kError},
    {"{\"Failure Reason\": \"disk\"}", Signal::kError},
    {"{\"Job failed\": true}", Signal::kError},
    {"error=\"\" status=200", Signal::kNone},
    {"err=<nil> took=3", Signal::kNone},
    {"err=nil", Signal::kNone},
    {"Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", Signal::kNone},
    {"# fail 0", Signal::kNone},
    {"error rate: 0.00%", Signal::kNone},
    {"Failed: 0", Signal::kNone},
    {"| Failed | 0 |", Signal::kNone},
    {"completed without error", Signal::kNone},
    {"10 errors", Signal::kError},
    {"errors=10", Signal::kError},
    {"1 error, 0 warnings", Signal::kError},
    {"Tests run: 5, Failures: 1, Errors: 0", Signal::kError},
    {"unreachable=0    failed=1", Signal::kError},
    // Words inside names.
    {"error_handler.py", Signal::kNone},
    {"src/errors.go", Signal::kNone},
    {"/var/log/nginx/error.log", Signal::kNone},
    {"cc -Werror -Wno-error=format a.c", Signal::kNone},
    {"--fail-fast --error-limit=3", Signal::kNone},
    {"let err_code = 3", Signal::kNone},
    {"stderr and strerror", Signal::kNone},
    {"logger.error", Signal::kNone},
    {"at com.acme.ErrorHandler.handle(ErrorHandler.java:12)", Signal::kNone},
    {"restart: on-failure", Signal::kNone},
    {"_ZN4core9panicking", Signal::kNone},
    {"12  app  0x1029a57bc core..panic..unwind_safe..AssertUnwindSafe + 56", Signal::kWarning},
    {"13  app  0x1029a57bc std::panic::catch_unwind::h34447d5a + 56", Signal::kWarning},
    {"handler for ...panic", Signal::kFatal},
    {"{\"cwd\": \"/srv\", \"timeout\": 1800, \"check\": false}", Signal::kNone},
    {"timeout of 30 s exceeded", Signal::kWarning},
    {"handleError", Signal::kNone},
    {"terror mirrored warned", Signal::kNone},
    {"timeout=30", Signal::kNone},
    {"non-fatal", Signal::kNone},
    {"", Signal::kNone},
    {"e", Signal::kNone},
});

TEST_CASE("each spelling of a fault is a signal and each harmless use of its words is none") {
  for (const Row& row : kRows) {
    CAPTURE(row.line);
    CHECK(static_cast<int>(SignalOf(row.line)) == static_cast<int>(row.signal));
  }
}

TEST_CASE("a signal is seen wherever it stands in a line") {
  for (size_t before = 0; before < 70; ++before) {
    for (size_t after = 0; after < 40; after += 13) {
      const std::string line = std::string(before, 'x') + " error: gone" + std::string(after, '.');
      CAPTURE(before);
      CHECK(SignalOf(line) == Signal::kError);
      CHECK(SignalOf(std::string(before, '.') + "x_error: gone") == Signal::kNone);
      CHECK(SignalOf(std::string(before, '.') + "ValueErrors") == Signal::kError);
    }
  }
}

TEST_CASE("each word of the table is found in lower case and in capitals") {
  for (const SignalWord& row : kSignalWords) {
    if (row.rule != WordRule::kNoun && row.rule != WordRule::kWord && row.rule != WordRule::kPlain) continue;
    std::string capitals;
    for (char c : row.word) capitals += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    CAPTURE(row.word);
    CHECK(SignalOf("x " + std::string(row.word) + " y") >= row.signal);
    CHECK(SignalOf("x " + capitals + " y") >= row.signal);
  }
}

TEST_CASE("the signals of a whole text are those of its lines, wherever blocks begin and end") {
  std::vector<test::Original> originals = test::HardOriginals();
  for (test::Original& original : test::ShippedOriginals(200000)) originals.push_back(std::move(original));
  test::Random random(7);
  std::string mixed;
  for (int i = 0; i < 3000; ++i) {
    const std::string_view word = random.Of(kSignalWords).word;
    mixed += random.OneIn(9) ? "\\n" : random.OneIn(7) ? "x_" : "";
    mixed += random.OneIn(5) ? word.substr(0, 1 + random.Below(word.size())) : word;
    mixed += random.Of(std::string_view(" \n:=0.\r/_\\A"));
  }
  for (size_t cut = 0; cut < 70; ++cut) originals.push_back({"mixed", mixed.substr(cut, mixed.size() - 3 * cut)});
  for (const test::Original& original : originals) {
    const Hints hints;
    const Document document(original.bytes, hints);
    const LineIndex& lines = document.lines;
    if (lines.longest() > 1 << 20) continue;
    std::vector<Signal> signals(lines.count());
    SignalsOf(document.bytes, lines.starts(), signals);
    CAPTURE(original.name);
    for (uint32_t line = 0; line < lines.count(); ++line) {
      if (signals[line] == SignalOf(document.Text(line))) continue;
      CAPTURE(document.Text(line));
      CHECK(signals[line] == SignalOf(document.Text(line)));
    }
  }
}

TEST_CASE("signals are seen through escape sequences") {
  const Hints hints;
  for (std::string_view line : {"\x1b[31mERROR\x1b[0m it broke", "\x1b[1m\x1b[31merror\x1b[0m\x1b[1m: broke",
                                "er\x1b[0mror: split by an escape", "\x1b[31m\x1b[1m\xe2\x9c\x97\x1b[0m it opens"}) {
    CAPTURE(line);
    CHECK(Document(line, hints).signals[0] == Signal::kError);
  }
  CHECK(Document("\x1b[32minfo\x1b[0m fine", hints).signals[0] == Signal::kNone);
  CHECK(Document(std::string(1 << 16, '\x1b') + " error", hints).signals[0] == Signal::kError);
}

TEST_CASE("bytes that are no text do no harm") {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  CHECK(SignalOf(all) == Signal::kNone);
  for (size_t from = 0; from < all.size(); ++from) SignalOf(std::string_view(all).substr(from));
  CHECK(SignalOf(std::string("\0\0error\0", 8)) == Signal::kError);
  CHECK(SignalOf("\xc3\x28 error \xff") == Signal::kError);
}

TEST_CASE("a time that ends in zeros counts no errors") {
  CHECK(SignalOf("2026-01-01 00:00:00 ERROR disk full") == Signal::kError);
  CHECK(SignalOf("2026-01-01 10:20:30.000 ERROR disk full") == Signal::kError);
  CHECK(SignalOf("2026-01-01 10:20:30,000 ERROR disk full") == Signal::kError);
  CHECK(SignalOf("12.0 ERROR disk full") == Signal::kError);
  CHECK(SignalOf("2026-01-01 00:00:00 check done: 0 errors") == Signal::kNone);
}

}  // namespace
TEST_CASE("a message that begins with a word for nothing is an error all the same") {
  for (const char* line :
       {"foo.c:1:2: error: no match for 'operator<'", "error: None of the tests ran", "Error: null pointer dereference",
        "error: false positive rate is too high", "ERROR: undefined reference to `f'", "error: nil map",
        "error: no matching function for call", "    image: 'KeyError: ''zanzibar''"}) {
    CAPTURE(line);
    CHECK(SignalOf(line) >= Signal::kError);
  }
  for (const char* line :
       {"errors: no", "error: none", "error: null,", "\"error\": null", "error=null code=0", "errors: none found",
        "Errors: none, warnings: 3", "error: ''", "{\"error\":\"\"}", "errors: none warnings: 3"}) {
    CAPTURE(line);
    CHECK(SignalOf(line) < Signal::kError);
  }
}

}  // namespace pith
