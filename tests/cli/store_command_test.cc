// `pith store`: check, repair, export, import, rekey, by the real program.
#include <doctest/doctest.h>

#include <tuple>

#include "base/token.h"
#include "tests/cli/home.h"
#include "tests/store/redis_server.h"

namespace pith {
namespace {

const std::string kKey = "a first key of enough length", kOther = "a second key of enough length";

// Keeps three logs; the token of the first.
std::string Fill(const Home& home, const std::vector<std::pair<std::string, std::string>>& variables = {}) {
  for (int lines : {1000, 1100, 1200}) {
    Ended kept = home.Run({"compact", "--command", "make"}, LogOf(lines), variables);
    REQUIRE(kept.code == 0);
  }
  REQUIRE(home.Run({"gc"}, "", variables).code == 0);
  return TokenOf(LogOf(1000));
}

std::string KeyFile(const Home& home, const std::string& name, const std::string& key) {
  std::string path = home.Write(name, key + "\n");
  chmod(path.c_str(), 0600);
  return path;
}

}  // namespace

TEST_CASE("store: wrong use is said in one sentence and ends in 2, nothing kept is nothing wrong") {
  Home home;
  for (std::vector<std::string> words : {std::vector<std::string>{"store"},
                                         {"store", "burn"},
                                         {"store", "export"},
                                         {"store", "import"},
                                         {"store", "rekey"},
                                         {"store", "rekey", "--no-key", "--new-key-file", "x"}}) {
    Ended ended = home.Run(words);
    CAPTURE(ended.err);
    CHECK(ended.code == 2);
    CHECK(CountLines(ended.err) == 1);
  }
  CHECK(home.Run({"store", "check"}).out == "0 of 0 originals are whole\n");
  CHECK(home.Run({"store", "check"}, "", {{"PITH_MEMORY_ONLY", "1"}}).code == 1);
  CHECK(Has(home.Run({"store", "--help"}).out, "check|repair|export FILE"));
  CHECK(Has(home.Run({"completion", "bash"}).out, "check repair export import rekey"));
}

TEST_CASE("store check and repair: a damaged original is named, removed, and said to be gone to whoever asks") {
  Home home;
  std::string token = Fill(home);
  CHECK(home.Run({"store", "check"}).out == "3 of 3 originals are whole\n");
  std::string path = home.path() + "/.local/state/pith/ccr.db", content = Content(path);
  size_t at = content.find("PF\x01");
  REQUIRE(at != std::string::npos);
  for (size_t i = 0; i < 20; ++i) content[at + 60 + i] = static_cast<char>(content[at + 60 + i] ^ 0x55);
  std::ofstream(path, std::ios::binary) << content;
  Ended checked = home.Run({"store", "check", "--json"});
  CHECK(checked.code == 1);
  CHECK(Has(checked.out, "\"checked\":3,\"whole\":2,\"damaged\":[\""));
  CHECK(Has(checked.err, "is damaged"));
  Ended repaired = home.Run({"store", "repair"});
  CHECK(repaired.code == 0);
  CHECK(Has(repaired.out, "2 of 3 originals are whole, damaged and removed: 1"));
  CHECK(home.Run({"store", "check"}).out == "2 of 2 originals are whole\n");
  int gone = 0;
  for (int lines : {1000, 1100, 1200}) {
    Ended got = home.Run({"retrieve", TokenOf(LogOf(lines))});
    if (got.code == 0) CHECK(got.out == LogOf(lines));
    if (got.code == 0) continue;
    ++gone;
    CHECK(Has(got.err, "run it again: make"));
  }
  CHECK(gone == 1);
}

TEST_CASE("store export and import move originals to another machine, by a file and by a pipe") {
  Home here, there, third;
  std::string token = Fill(here);
  std::string tar = here.path() + "/work/out.tar";
  Ended exported = here.Run({"store", "export", "out.tar"});
  CHECK(exported.code == 0);
  CHECK(Has(exported.out, "exported 3 originals"));
  CHECK(here.Run({"store", "export", "out.tar"}).code == 1);  // never over what is there
  CHECK(Has(there.Run({"store", "import", tar, "--json"}).out, "{\"originals\":3,"));
  CHECK(there.Run({"retrieve", token}).out == LogOf(1000));
  Ended piped = here.Run({"store", "export", "-"});
  CHECK(piped.code == 0);
  CHECK(Has(piped.err, "exported 3 originals"));
  CHECK(third.Run({"store", "import", "-"}, piped.out).code == 0);
  CHECK(third.Run({"retrieve", token}).out == LogOf(1000));
  CHECK(Has(here.Run({"store", "export", "-", "--project", "/elsewhere"}).err, "exported 0 originals"));
  CHECK(there.Run({"store", "import", here.Write("no.tar", std::string(2000, 'x'))}).code != 0);
}

TEST_CASE("two machines with a Redis between them and no disk resolve each other's tokens") {
  if (!testing::RedisServer::Installed()) {
    MESSAGE("redis-server is not installed: not tested");
    return;
  }
  testing::RedisServer server({"--requirepass", "open sesame"});
  std::vector<std::pair<std::string, std::string>> variables = {
      {"PITH_STORE", "memory,sqlite,redis"}, {"PITH_REDIS", server.url()}, {"PITH_REDIS_PASSWORD", "open sesame"}};
  Home here, there;
  for (const auto& [from, to, lines] : {std::tuple(&here, &there, 900), std::tuple(&there, &here, 950)}) {
    Ended view = from->Run({"compact", "--command", "make"}, LogOf(lines), variables);
    CHECK(Has(view.out, TokenOf(LogOf(lines))));
    CHECK(to->Run({"retrieve", TokenOf(LogOf(lines))}, "", variables).out == LogOf(lines));
    CHECK(to->Run({"retrieve", TokenOf(LogOf(lines))}).code == 3);  // its own disk has it not
  }
  server.Kill();
  Ended alone = here.Run({"compact", "--command", "make"}, LogOf(990), variables);
  CHECK(alone.code == 0);
  CHECK(Has(alone.err, "redis"));
  CHECK(here.Run({"retrieve", TokenOf(LogOf(990))}, "", variables).out == LogOf(990));
}

TEST_CASE("store rekey: to a key, to another, to none, with a wrong key nothing is changed") {
  Home home;
  std::string token = Fill(home);
  std::string first = KeyFile(home, "first", kKey), second = KeyFile(home, "second", kOther);
  CHECK(Has(home.Run({"store", "rekey", "--new-key-file", first}).out, "3 originals moved to the new key"));
  CHECK(home.Run({"retrieve", token}).code == 1);
  CHECK(home.Run({"retrieve", token}, "", {{"PITH_KEY_FILE", first}}).out == LogOf(1000));
  // The wrong key: check, repair and rekey refuse, and all is as it was.
  Ended wrong = home.Run({"store", "check"}, "", {{"PITH_KEY_FILE", second}});
  CHECK(wrong.code == 1);
  CHECK(Has(wrong.err, "encrypted with another key"));
  CHECK(wrong.out.empty());
  Ended repaired = home.Run({"store", "repair"}, "", {{"PITH_KEY_FILE", second}});
  CHECK(repaired.code == 1);
  CHECK(repaired.out.empty());
  Ended refused = home.Run({"store", "rekey", "--no-key"}, "", {{"PITH_KEY_FILE", second}});
  CHECK(refused.code == 1);
  CHECK(Has(refused.err, "encrypted with another key"));
  CHECK(home.Run({"retrieve", token}, "", {{"PITH_KEY_FILE", first}}).out == LogOf(1000));
  CHECK(Has(home.Run({"ls"}, "", {{"PITH_KEY_FILE", first}}).out, "make"));
  CHECK(home.Run({"store", "rekey", "--new-key-file", second}, "", {{"PITH_STORE_KEY", kKey}}).code == 0);
  CHECK(home.Run({"store", "check"}, "", {{"PITH_KEY_FILE", second}}).code == 0);
  CHECK(home.Run({"store", "rekey", "--no-key"}, "", {{"PITH_KEY_FILE", second}}).code == 0);
  CHECK(home.Run({"retrieve", token}).out == LogOf(1000));
  chmod(second.c_str(), 0644);
  CHECK(Has(home.Run({"store", "rekey", "--new-key-file", second}).err, "must be a regular file of mode 0600"));
}

}  // namespace pith
