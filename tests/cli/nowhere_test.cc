// Where there is no home, or no working folder: what needs one says so and writes nothing anywhere else.
#include <doctest/doctest.h>

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
  CHECK(home.Run({"uninstall", "claude-code", "--scope", "project"}).code == 1);
  CHECK(home.Run({"doctor", "--scope", "project"}).code == 1);
}

}  // namespace pith
