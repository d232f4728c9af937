// A redis-server of the test's own on a free loopback port, gone with the object.
#pragma once
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/store/scratch.h"

namespace pith::testing {

class RedisServer {
 public:
  explicit RedisServer(std::vector<std::string> settings = {}) : settings_(std::move(settings)), port_(FreePort()) {
    Start();
  }
  // A sentinel that watches `master` under the name `main`.
  struct Watching {
    const RedisServer& master;
  };
  explicit RedisServer(Watching watching) : port_(FreePort()) {
    sentinel_ = folder_ / "sentinel.conf";
    std::string watched = "127.0.0.1 " + std::to_string(watching.master.port());
    REQUIRE(WriteFileAtomically(sentinel_, "port " + std::to_string(port_) +
                                               "\nbind 127.0.0.1\nsentinel monitor main " + watched + " 1\n")
                .ok());
    Start();
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;
  ~RedisServer() { Kill(); }

  static bool Installed() {
    for (const char* path : {"/usr/bin/redis-server", "/usr/local/bin/redis-server"}) {
      if (access(path, X_OK) == 0) return true;
    }
    return false;
  }

  int port() const { return port_; }
  std::string url(const std::string& login = {}) const {
    return "redis://" + login + "127.0.0.1:" + std::to_string(port_);
  }

  void Start() {
    child_ = fork();
    if (child_ == 0) {
      std::vector<std::string> words = {
          "redis-server", "--port",      std::to_string(port_), "--bind", "127.0.0.1", "--save", "",
          "--dir",        folder_.path()};
      words.insert(words.end(), settings_.begin(), settings_.end());
      if (!sentinel_.empty()) words = {"redis-server", sentinel_, "--sentinel"};
      std::vector<char*> pointers;
      for (std::string& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      int nowhere = open("/dev/null", O_RDWR);
      dup2(nowhere, 1);
      dup2(nowhere, 2);
      execvp(pointers[0], pointers.data());
      _exit(127);
    }
    for (int tries = 0; tries < 500 && !Answers(); ++tries) usleep(10000);
  }
  void Kill() { Signal(SIGKILL, true); }
  void Pause() { Signal(SIGSTOP, false); }
  void Resume() { Signal(SIGCONT, false); }

 private:
  static sockaddr_in Loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    return address;
  }
  static int FreePort() {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    REQUIRE(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    close(listener);
    return ntohs(address.sin_port);
  }
  bool Answers() const {
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = Loopback(port_);
    bool connected = connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    char answer[8] = {};
    bool ready = connected && write(client, "PING\r\n", 6) == 6 && read(client, answer, 7) > 0 &&
                 (answer[0] == '+' || std::string(answer, 7) == "-NOAUTH");
    close(client);
    return ready;
  }
  void Signal(int number, bool wait) {
    if (child_ <= 0) return;
    kill(child_, number);
    if (!wait) return;
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

  std::vector<std::string> settings_;
  std::string sentinel_;  // its configuration file, where it is one
  ScratchFolder folder_;
  int port_;
  pid_t child_ = -1;
};

// Answers every command but CONFIG with the same words, as a server of another mind would.
class StubbornRedis {
 public:
  explicit StubbornRedis(std::string answer) : answer_(std::move(answer)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    REQUIRE(listen(listener_, 4) == 0);
    thread_ = std::thread([this] { Serve(); });
  }
  StubbornRedis(const StubbornRedis&) = delete;
  StubbornRedis& operator=(const StubbornRedis&) = delete;
  ~StubbornRedis() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_); }

 private:
  void Serve() {
    for (int client; (client = accept(listener_, nullptr, nullptr)) >= 0; close(client)) {
      char asked[65536];
      for (ssize_t got; (got = read(client, asked, sizeof asked)) > 0;) {
        bool setting = std::string_view(asked, static_cast<size_t>(got)).find("CONFIG") != std::string_view::npos;
        std::string answer = setting ? "*0\r\n" : answer_ + "\r\n";
        if (write(client, answer.data(), answer.size()) < 0) break;
      }
    }
  }

  std::string answer_;
  int listener_ = -1, port_ = 0;
  std::thread thread_;
};

}  // namespace pith::testing
