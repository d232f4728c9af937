// The program as a person or a script meets it: each test starts the real one in a home of its own.
#include <doctest/doctest.h>

#include "base/encoding.h"
#include "base/token.h"
#include "tests/cli/home.h"

namespace pith {

TEST_CASE("version and help need nothing and go to stdout") {
  Home home;
  CHECK(home.Run({"--version"}).out == "pith " PITH_VERSION "\n");
  Ended help = home.Run({"--help"});
  CHECK(help.code == 0);
  for (const char* name : {"compact", "retrieve", "search", "serve", "stats", "purge"}) CHECK(Has(help.out, name));
  for (const char* name : {"compact", "retrieve", "search", "ls", "show", "stats", "gc", "purge", "hold", "release",
                           "config", "completion", "serve", "man", "help"}) {
    CAPTURE(name);
    Ended one = home.Run({name, "--help"});
    CHECK(one.code == 0);
    CHECK(Has(one.out, std::string("Usage: pith ") + name));
    CHECK(one.err.empty());
  }
}

TEST_CASE("wrong use is said in one sentence on stderr and ends in 2") {
  Home home;
  for (std::vector<std::string> words : {std::vector<std::string>{},
                                         {"comapct"},
                                         {"compact", "--nope"},
                                         {"retrieve"},
                                         {"retrieve", "zz"},
                                         {"compact", "--exit-code", "x"},
                                         {"compact", "--marker-style", "loud"},
                                         {"compact", "--max-tokens", "0"},
                                         {"purge"},
                                         {"completion", "tcsh"},
                                         {"config", "max_bites"},
                                         {"search"},
                                         {"ls", "--since", "soon"},
                                         {"retrieve", "--lines", "0-3", "abcdef"},
                                         {"help", "nothing"},
                                         {"compact", "--jsonl", "file"}}) {
    std::string line;
    for (const std::string& word : words) line += word + " ";
    CAPTURE(line);
    Ended ended = home.Run(words);
    CHECK(ended.code == 2);
    CHECK(ended.out.empty());
    if (!words.empty()) CHECK(CountLines(ended.err) == 1);
  }
  CHECK(Has(home.Run({"comapct"}).err, "did you mean `pith compact`?"));
  CHECK(Has(home.Run({"config", "max_bites"}).err, "did you mean \"max_bytes\"?"));
}

TEST_CASE("compact prints a view, another process gives the original and every gap back, byte for byte") {
  Home home;
  std::string log = LogOf(3000);
  home.Write("build.log", log);
  Ended view = home.Run({"compact", "build.log", "--command", "make"});
  REQUIRE(view.code == 0);
  CHECK(view.err.empty());
  CHECK(view.out.size() < log.size() / 10);
  CHECK(Has(view.out, "ERROR disk full"));
  CHECK(Has(view.out, "pith retrieve " + TokenOf(log)));
  for (const std::string& written : {TokenOf(log), TokenOf(log).substr(0, 8), std::string("last"), view.out}) {
    Ended original = home.Run({"retrieve", written});
    CHECK(original.code == 0);
    CHECK(original.out == log);
  }
  CHECK(home.Run({"retrieve", "last", "--head", "1"}).out == "12:00:00 INFO request 1 served from cache\n");
  CHECK(home.Run({"retrieve", "last", "--tail", "1"}).out == "12:00:00 INFO request 3000 served from cache\n");
  CHECK(home.Run({"retrieve", "last", "--lines", "2-2,4-4"}).out ==
        "12:00:00 INFO request 2 served from cache\n12:00:00 INFO request 4 served from cache\n");
  CHECK(home.Run({"retrieve", "last", "--bytes", "9+4"}).out == "INFO");
  CHECK(Has(home.Run({"retrieve", "last", "-e", "ERROR"}).out, "1500:12:00:01 ERROR"));
  CHECK(Has(home.Run({"retrieve", "last", "--json", "--head", "1"}).out, "\"original\":{\"bytes\":"));
}

TEST_CASE("small inputs and inputs that cannot shrink are printed as they are, and nothing is stored") {
  Home home;
  for (const std::string& input : {std::string(), std::string("a"), std::string("a\nb"), std::string("\0\xFF", 2)}) {
    Ended view = home.Run({"compact"}, input);
    CHECK(view.code == 0);
    CHECK(view.out == input);
  }
  CHECK(home.Run({"ls", "--json"}).out == "[]\n");
}

TEST_CASE("bad input: one clear sentence, the right code, nothing lost") {
  Home home;
  home.Write("secret", "x");
  Ended missing = home.Run({"compact", "absent.log"});
  CHECK(missing.code == 1);
  CHECK(missing.err == "pith: no such file: absent.log\n");
  Ended folder = home.Run({"compact", "."});
  CHECK(folder.code == 1);
  CHECK(folder.err == "pith: . is a folder, not a file\n");
  if (geteuid() != 0) {
    chmod((home.path() + "/work/secret").c_str(), 0);
    CHECK(home.Run({"compact", "secret"}).err == "pith: no permission to read secret\n");
  }
  Ended unknown = home.Run({"retrieve", std::string(24, 'f')});
  CHECK(unknown.code == 3);
  CHECK(Has(unknown.err, "never stored here"));
  CHECK(unknown.out.empty());
  CHECK(home.Run({"retrieve", "last"}).code == 3);
  CHECK(home.Run({"retrieve", "ffff"}).code == 3);
  CHECK(home.Run({"retrieve", "run-01234567"}).code == 3);
  CHECK(home.Run({"retrieve", std::string(24, 'F')}).code == 2);

  home.Run({"compact"}, LogOf(3000));
  Ended past = home.Run({"retrieve", "last", "--lines", "9000-9001"});
  CHECK(past.code == 2);
  CHECK(past.out.empty());
  CHECK(Has(past.err, "the original has 3000 lines"));
  CHECK(home.Run({"retrieve", "last", "-e", "("}).code == 2);
  CHECK(Has(home.Run({"retrieve", "last", "-e", "("}).err, "bad pattern"));
  CHECK(home.Run({"retrieve", "last", "--json-path", "$[0]"}).code == 2);
}

TEST_CASE("an unwritable store: the original goes out unchanged, stderr says why") {
  Home home;
  std::string log = LogOf(3000);
  Ended view = home.Run({"compact"}, log, {{"PITH_STATE_FOLDER", "/proc/nowhere"}});
  CHECK(view.code == 0);
  CHECK(view.out == log);
  CHECK(Has(view.err, "could not be stored"));
}

TEST_CASE("configuration: a wrong file is refused with the key, kill switches hold") {
  Home home;
  std::string log = LogOf(3000);
  CHECK(home.Run({"compact"}, log, {{"PITH_DISABLE", "1"}}).out == log);
  Ended measured = home.Run({"compact"}, log, {{"PITH_MEASURE_ONLY", "1"}});
  CHECK(measured.out == log);
  CHECK(Has(measured.err, "measure only: the view would have"));
  std::string file = home.Write("config.json", R"({"max_bites": 1})");
  Ended refused = home.Run({"config"}, "", {{"PITH_CONFIG", file}});
  CHECK(refused.code == 2);
  CHECK(Has(refused.err, "did you mean \"max_bytes\"?"));
  CHECK(home.Run({"config", "max_entries"}, "", {{"PITH_MAX_ENTRIES", "5"}}).out == "5\n");
  CHECK(Has(home.Run({"config", "--json"}, "", {{"PITH_STORE_KEY", "hunter2"}}).out, "\"store_key\":{\"value\":null"));
}

TEST_CASE("secrets go out unchanged and are not kept") {
  Home home;
  std::string log = LogOf(3000);
  Ended view = home.Run({"compact", "--command", "env"}, log);
  CHECK(view.out == log);
  CHECK(Has(view.err, "known to hold secrets"));
  CHECK(home.Run({"ls", "--json"}).out == "[]\n");
  CHECK(home.Run({"compact", "--command", "env", "--allow-secrets", "env"}, log).out.size() < log.size());
}

TEST_CASE("memory only: a view, no token, nothing on disk") {
  Home home;
  Ended view = home.Run({"compact", "--memory-only"}, LogOf(3000));
  CHECK(Has(view.out, "original not kept (--memory-only)]"));
  CHECK(home.Run({"ls", "--json"}).out == "[]\n");
}

TEST_CASE("jsonl: answers come in order, one bad line spoils no other, exact bytes survive base64") {
  Home home;
  std::string bytes = "caf\xE9\n";
  std::string input = R"({"id":"a","content":"small\n"})"
                      "\n"
                      "not json\n"
                      "\n"
                      R"({"id":2,"content":"x","exitcode":1})"
                      "\n"
                      R"({"id":3,"content":"keep me","exit_code":"one"})"
                      "\n"
                      R"({"id":4})"
                      "\n"
                      R"({"id":5,"content_base64":")" +
                      EncodeBase64(bytes) +
                      "\"}\n"
                      R"({"id":6,"content":"x","policy":"maybe"})"
                      "\n"
                      R"([1])"
                      "\n"
                      R"({"id":7,"content":"t\u0000e\u00e9\n","exit_code":null,"policy":"hook"})";
  Ended ended = home.Run({"compact", "--jsonl"}, input);
  CHECK(ended.code == 0);
  std::vector<std::string> lines;
  std::stringstream stream(ended.out);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  REQUIRE(lines.size() == 9);
  CHECK(lines[0].starts_with(R"({"id":"a","view":"small\n","class":"exact","kind":)"));
  CHECK(lines[1].starts_with(R"({"id":null,"error":"line 2 is not JSON)"));
  CHECK(lines[2] == R"({"id":2,"error":"unknown field \"exitcode\"; did you mean \"exit_code\"?","view":"x"})");
  CHECK(Has(lines[3], R"("error":"\"exit_code\" must be a whole number, not a text")"));
  CHECK(Has(lines[3], R"("view":"keep me"})"));
  CHECK(Has(lines[4], R"("error":"a request has one of \"content\" and \"content_base64\"")"));
  CHECK(Has(lines[5], "\"view_base64\":\"" + EncodeBase64(bytes) + "\""));
  CHECK(Has(lines[6], "must be explicit or hook"));
  CHECK(Has(lines[7], "a request is a JSON object"));
  CHECK(lines[8].starts_with(R"({"id":7,"view":"t\u0000e)"
                             "\xC3\xA9"
                             R"(\n","class":"exact")"));
}

TEST_CASE("jsonl: a view names a token that another process resolves") {
  Home home;
  std::string log = LogOf(3000), escaped = log;
  for (size_t at = escaped.find('\n'); at != std::string::npos; at = escaped.find('\n', at + 2))
    escaped.replace(at, 1, "\\n");
  Ended ended = home.Run({"compact", "--jsonl"}, "{\"id\":1,\"content\":\"" + escaped + "\"}\n");
  CHECK(Has(ended.out, "\"token\":\"" + TokenOf(log) + "\",\"class\":\"partial\""));
  CHECK(Has(ended.out, "\"gaps\":[{\"lines\":["));
  CHECK(home.Run({"retrieve", TokenOf(log)}).out == log);
}

TEST_CASE("search, ls, show, stats, hold, release, gc and purge work on what was stored") {
  Home home;
  std::string log = LogOf(3000);
  home.Run({"compact", "--command", "make all"}, log);
  std::string token = TokenOf(log);
  CHECK(Has(home.Run({"search", "disk", "full"}).out, token + ":1500:"));
  CHECK(Has(home.Run({"search", "--json", "absent"}).out, "\"hits\":[]"));
  CHECK(Has(home.Run({"ls"}).out, "make all"));
  CHECK(Has(home.Run({"ls", "--json"}).out, "\"token\":\"" + token + "\""));
  CHECK(Has(home.Run({"show", "last"}).out, token));
  CHECK(Has(home.Run({"show", "last", "--json"}).out, "\"command\":\"make all\""));
  CHECK(Has(home.Run({"stats"}).out, "1 original,"));
  CHECK(Has(home.Run({"stats", "--json"}).out, "\"entries\":1"));
  CHECK(home.Run({"hold", "last"}).out == token + " is held\n");
  CHECK(Has(home.Run({"show", "last"}).out, "it is held"));
  CHECK(home.Run({"release", token}).code == 0);
  CHECK(home.Run({"gc"}).code == 0);
  CHECK(home.Run({"purge", token, "--token", "last"}).code == 2);
  CHECK(Has(home.Run({"purge", "last"}).out, "purged 1 original ("));
  Ended gone = home.Run({"retrieve", token});
  CHECK(gone.code == 3);
  CHECK(Has(gone.err, "purged"));
}

TEST_CASE("completion and the manual page name every command") {
  Home home;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    Ended script = home.Run({"completion", shell});
    CHECK(script.code == 0);
    for (const char* name : {"compact", "retrieve", "max-tokens", "json-path"}) CHECK(Has(script.out, name));
  }
  std::string bash = home.Write("completion", home.Run({"completion", "bash"}).out);
  CHECK(system(("bash -n '" + bash + "'").c_str()) == 0);
  std::string page = home.Run({"man"}).out;
  CHECK(page.starts_with(".TH PITH 1"));
  CHECK(Has(page, "max_bytes"));
}

TEST_CASE("a reader that goes away ends us quietly") {
  Home home;
  home.Write("big", std::string(8 << 20, 'x') + "\n");
  std::string script = home.Write("script", "cd '" + home.path() + "/work'\nHOME='" + home.path() +
                                                "' PITH_DISABLE=1 '" PITH_PROGRAM
                                                "' compact big 2>../err | head -c 10 >/dev/null\n"
                                                "exit ${PIPESTATUS[0]}\n");
  CHECK(system(("bash '" + script + "'").c_str()) == 0);
  CHECK(Content(home.path() + "/err").empty());
}

TEST_CASE("the example that compacts many files through one process works as its text says") {
  Home home;
  std::string log = LogOf(3000);
  std::string long_one = home.Write("long.log", log), small = home.Write("small.log", "fine\n");
  std::string line = "HOME='" + home.path() +
                     "' PITH='" PITH_PROGRAM "' sh '" PITH_TEST_DATA "/../../examples/jsonl/compact_logs.sh' '" +
                     long_one + "' '" + small + "' > '" + home.path() + "/example'";
  CHECK(system(line.c_str()) == 0);
  std::string out = Content(home.path() + "/example");
  CHECK(Has(out, long_one + " partial "));
  CHECK(Has(out, TokenOf(log)));
  CHECK(Has(out, small + " exact "));
}

}  // namespace pith
