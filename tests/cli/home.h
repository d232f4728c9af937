// A home of its own for each test, and the real program started in it.
#pragma once
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pith {

struct Ended {
  int code = -1;
  std::string out, err;
};

inline std::string Content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A home and a working folder that go with the test.
class Home {
 public:
  Home() {
    char name[] = "/tmp/pith-cli-XXXXXX";
    path_ = mkdtemp(name);
    mkdir((path_ + "/work").c_str(), 0700);
  }
  ~Home() {
    if (system(("chmod -R u+rwx '" + path_ + "' && rm -rf '" + path_ + "'").c_str()) != 0) return;
  }
  const std::string& path() const { return path_; }
  std::string Write(const std::string& name, const std::string& content) const {
    std::string path = path_ + "/work/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  Ended Run(std::vector<std::string> words, const std::string& input = "",
            std::vector<std::pair<std::string, std::string>> variables = {}) const {
    std::ofstream(path_ + "/in", std::ios::binary) << input;
    pid_t child = fork();
    if (child == 0) Become(words, variables);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), Content(path_ + "/out"),
            Content(path_ + "/err")};
  }

 private:
  void Redirect(const std::string& name, int flags, int to) const {
    int descriptor = open((path_ + name).c_str(), flags, 0600);
    if (descriptor < 0 || dup2(descriptor, to) < 0) _exit(99);
  }
  [[noreturn]] void Become(std::vector<std::string>& words,
                           const std::vector<std::pair<std::string, std::string>>& variables) const {
    Redirect("/in", O_RDONLY, 0);
    Redirect("/out", O_WRONLY | O_CREAT | O_TRUNC, 1);
    Redirect("/err", O_WRONLY | O_CREAT | O_TRUNC, 2);
    if (chdir((path_ + "/work").c_str()) != 0 || clearenv() != 0) _exit(99);
    setenv("HOME", path_.c_str(), 1);
    setenv("PATH", "/usr/bin:/bin", 1);
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    std::string program = PITH_PROGRAM;
    std::vector<char*> argv = {program.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(98);
  }

  std::string path_;
};

inline std::string LogOf(int lines) {
  std::string log;
  for (int at = 1; at <= lines; ++at) {
    log += at == lines / 2 ? "12:00:01 ERROR disk full at /var/lib/thing\n"
                           : "12:00:00 INFO request " + std::to_string(at) + " served from cache\n";
  }
  return log;
}

inline bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
inline size_t CountLines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace pith
