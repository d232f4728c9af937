// Where there is no home, or no working folder: what needs one says so and writes nothing anywhere else.
#include <doctest/doctest.h>
#include <sys/file.h>

#include "tests/cli/home.h"

namespace pith {
namespace {

// What is in the folder, by name.
std::string Listing(const std::string& folder) {
  const std::string list = folder + "/../listing";
  REQUIRE(system(("ls -A '" + folder + "' >'" + list + "'").c_str()) == 0);
  return Content(list);
}

}  // namespace

TEST_CASE("without a home that is a folder, commands go through and what needs a home says so, nothing is written") {
  for (const char* nowhere : {"", "relative"}) {
    CAPTURE(nowhere);
    Home home;
    const std::vector<std::pair<std::string, std::string>> variables = {{"HOME", nowhere}, {"PITH_AGENT", "1"}};
    home.Write("log", LogOf(900));
    home.Write("job", "#!/bin/sh\ncat log\nexit 3\n");
    REQUIRE(chmod((home.path() + "/work/job").c_str(), 0700) == 0);
    const std::string before = Listing(home.path() + "/work");
    Ended ran = home.Run({"run", "--", "./job"}, "", variables);
    CHECK(ran.code == 3);
    CHECK(ran.out == LogOf(900));
    CHECK(CountLines(ran.err) == 1);
    for (std::vector<std::string> words : {std::vector<std::string>{"install", "claude-code"},
                                           {"uninstall", "claude-code"},
                                           {"doctor"},
                                           {"tune", "--never", "make"}}) {
      CAPTURE(words[0]);
      Ended refused = home.Run(words, "", variables);
      CHECK(refused.code == 1);
      CHECK(refused.out.empty());
      CHECK(Has(refused.err, "HOME is not set to a folder"));
    }
    home.Write(".pith.json", "{}");
    CHECK(Has(home.Run({"trust"}, "", variables).err, "HOME is not set to a folder"));
    unlink((home.path() + "/work/.pith.json").c_str());
    CHECK(Listing(home.path() + "/work") == before);
  }
}

TEST_CASE("where the working folder is gone, the project's scope is refused, never the user's taken in its place") {
  Home home;
  for (const char* words : {"install claude-code --scope project", "uninstall claude-code --scope project", "trust",
                            "tune --never make --project", "doctor --scope project"}) {
    CAPTURE(words);
    const std::string line = "cd '" + home.path() + "/work' && mkdir gone && cd gone && rmdir ../gone && HOME='" +
                             home.path() + "' '" + PITH_PROGRAM + "' " + words + " 2>'" + home.path() + "/said'";
    const int status = system(line.c_str());
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(Has(Content(home.path() + "/said"), "the working folder is gone"));
  }
  CHECK(access((home.path() + "/.claude.json").c_str(), F_OK) != 0);
  CHECK(access((home.path() + "/.config").c_str(), F_OK) != 0);
}

TEST_CASE("a FIFO or a device in the place of a project's file is waited for by nobody, and read by nobody") {
  Home home;
  home.Write("job", "#!/bin/sh\necho one\nexit 3\n");
  REQUIRE(chmod((home.path() + "/work/job").c_str(), 0700) == 0);
  const std::string file = home.path() + "/work/.pith.json";
  for (bool fifo : {true, false}) {
    CAPTURE(fifo);
    REQUIRE((fifo ? mkfifo(file.c_str(), 0600) : symlink("/dev/zero", file.c_str())) == 0);
    const Ended ran = home.Run({"run", "--", "./job"}, "", {{"PITH_AGENT", "1"}});
    CHECK(ran.code == 3);
    CHECK(ran.out == "one\n");
    CHECK(home.Run({"rules", "make"}).code == 0);
    for (std::vector<std::string> words :
         {std::vector<std::string>{"trust"}, {"tune", "--project", "--never", "make"}}) {
      const Ended refused = home.Run(words);
      CHECK(refused.code == 2);
      CHECK(Has(refused.err, ".pith.json is not a regular file"));
    }
    unlink(file.c_str());
  }
  REQUIRE(mkfifo((home.path() + "/work/.mcp.json").c_str(), 0600) == 0);
  CHECK(Has(home.Run({"install", "claude-code", "--scope", "project"}).err, "is not a regular file"));
  CHECK(home.Run({"uninstall", "claude-code", "--scope", "project"}).code == 0);  // refused: nothing is to be undone
  CHECK(home.Run({"doctor", "--scope", "project"}).code == 1);
}

TEST_CASE("a FIFO in the place of the user's own configuration keeps no command waiting") {
  Home home;
  const std::string folder = home.path() + "/.config/pith";
  REQUIRE(system(("mkdir -p " + folder).c_str()) == 0);
  REQUIRE(mkfifo((folder + "/config.json").c_str(), 0600) == 0);
  for (const char* command : {"stats", "config", "ls"}) {
    CAPTURE(command);
    CHECK(Has(home.Run({command}).err, "config.json is not a regular file"));
  }
  const Ended ran = home.Run({"run", "--", "echo", "one"}, "", {{"PITH_AGENT", "1"}});
  CHECK(ran.code == 0);
  CHECK(ran.out == "one\n");
}

TEST_CASE("uninstall takes back the folders that install made, and leaves those with something in them") {
  Home home;
  REQUIRE(home.Run({"install", "opencode"}).code == 0);
  REQUIRE(home.Run({"install", "gemini"}).code == 0);
  home.Write("../.gemini/mine", "x");
  CHECK(home.Run({"uninstall", "gemini"}).code == 0);
  CHECK(home.Run({"uninstall", "opencode"}).code == 0);
  for (const char* gone : {"/.config", "/.local"}) {
    CAPTURE(gone);
    CHECK(access((home.path() + gone).c_str(), F_OK) != 0);
  }
  CHECK(Content(home.path() + "/.gemini/mine") == "x");
  const Ended again = home.Run({"uninstall", "gemini"});
  CHECK(again.code == 0);
  CHECK(Has(again.out, "nothing of pith is set up"));
}

TEST_CASE("a host's name in part, longer or misspelt, is met with the right one") {
  Home home;
  for (const auto& [said, meant] :
       {std::pair{"gemini-cli", "gemini"}, {"claude", "claude-code"}, {"opencdoe", "opencode"}}) {
    const std::string written = said;
    CAPTURE(written);
    const Ended refused = home.Run({"install", written});
    CHECK(refused.code == 2);
    CHECK(Has(refused.err, std::string("did you mean ") + meant));
  }
  CHECK(Has(home.Run({"install", "zzzz"}).err, "names them"));
}

TEST_CASE("tune tells a program what it did") {
  Home home;
  CHECK(home.Run({"tune", "--never", "git log", "--json"}).out ==
        "{\"command\":\"git log\",\"now\":\"never\",\"file\":\"" + home.path() + "/.config/pith/config.json\"}\n");
  CHECK(Has(home.Run({"tune", "--forget", "git log", "--json"}).out, "\"now\":\"rules\""));
}

TEST_CASE("what a killed doctor left is taken away by the next, and what a live one uses is not") {
  Home home;
  const std::string state = home.path() + "/.local/state/pith";
  REQUIRE(system(("mkdir -p " + state + "/doctor-abcdef/pith " + state + "/doctor-livexx").c_str()) == 0);
  REQUIRE(system(("touch -d '1 hour ago' " + state + "/doctor-abcdef " + state + "/doctor-livexx").c_str()) == 0);
  const int live = open((state + "/doctor-livexx").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(live, LOCK_EX | LOCK_NB) == 0);
  (void)home.Run({"doctor", "--live"});
  CHECK(access((state + "/doctor-abcdef").c_str(), F_OK) != 0);
  CHECK(access((state + "/doctor-livexx").c_str(), F_OK) == 0);
  close(live);
}

}  // namespace pith
