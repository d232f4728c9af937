// An output whose wrapper was killed, as `pith retrieve` and `pith purge` meet it.
#include <dirent.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace pith {
namespace {

const char kScript[] = "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); echo \"line $i\"; done; touch done; sleep 20";

class Home {
 public:
  Home() {
    char name[] = "/tmp/pith-cli-XXXXXX";
    path_ = mkdtemp(name);
    std::ofstream(path_ + "/noisy.sh") << kScript;
  }
  ~Home() {
    if (system(("rm -rf '" + path_ + "'").c_str()) != 0) return;
  }
  // stdout and stderr together.
  std::string Run(const std::string& words) const {
    std::string line = "cd " + path_ + " && env -i PATH=/usr/bin:/bin HOME=" + path_ +
                       " PITH_AGENT=1 " PITH_PROGRAM " " + words + " 2>&1 </dev/null";
    FILE* pipe = popen(line.c_str(), "r");
    std::string said;
    char piece[4096];
    while (size_t got = fread(piece, 1, sizeof piece, pipe)) said.append(piece, got);
    pclose(pipe);
    return said;
  }
  // The name of the spool that a killed wrapper leaves.
  std::string KilledRun() const {
    pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      if (chdir(path_.c_str()) != 0 || !freopen("out", "w", stdout) || !freopen("/dev/null", "r", stdin)) _exit(1);
      setenv("HOME", path_.c_str(), 1);
      unsetenv("XDG_STATE_HOME");
      setenv("PITH_AGENT", "1", 1);
      execl(PITH_PROGRAM, PITH_PROGRAM, "run", "--", "sh", "noisy.sh", nullptr);
      _exit(1);
    }
    std::string spool;
    for (int tries = 0; tries < 1000 && access((path_ + "/done").c_str(), F_OK) != 0; ++tries) usleep(10000);
    usleep(200000);  // the wrapper reads the last lines
    if (DIR* folder = opendir((path_ + "/.local/state/pith/spool").c_str())) {
      while (dirent* entry = readdir(folder)) {
        std::string name = entry->d_name;
        if (name.size() == 12 && name.starts_with("run-")) spool = name;
      }
      closedir(folder);
    }
    running_ = spool.empty() ? "" : Run("retrieve --head 1 " + spool);
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return spool;
  }
  const std::string& running() const { return running_; }

 private:
  std::string path_;
  mutable std::string running_;
};

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("selectors work on an unfinished output, whether its writer lives is said, a purge removes it") {
  Home home;
  std::string spool = home.KilledRun();
  REQUIRE(spool.size() == 12);
  CHECK(home.running() == "line 1\npith: " + spool + " is still running: this is what has come so far\n");
  const std::string never = "pith: " + spool + " was never finished";
  CHECK(home.Run("retrieve --lines 3-4 " + spool).starts_with("line 3\nline 4\n" + never));
  CHECK(home.Run("retrieve --tail 1 " + spool).starts_with("line 40000\n" + never));
  CHECK(home.Run("retrieve --bytes 5+3 " + spool).starts_with("1\nl" + never));
  CHECK(home.Run("retrieve -e 'e 77$' " + spool).starts_with("77:line 77\n" + never));
  CHECK(Has(home.Run("retrieve --json --head 1 " + spool), "\"text\":\"line 1\\n\""));
  CHECK(Has(home.Run("retrieve " + spool), "line 39000\n"));
  const std::string listed = home.Run("ls");
  CHECK(listed.starts_with(spool));
  CHECK(Has(listed, "never finished: pith retrieve " + spool));
  CHECK(Has(home.Run("ls --unfinished --json"), "[{\"spool\":\"" + spool + "\",\"live\":false,"));
  CHECK(Has(home.Run("purge --all"), "1 unfinished output"));
  std::string gone = home.Run("retrieve " + spool);
  CHECK_FALSE(Has(gone, "line 1"));
}

}  // namespace pith
