// Work done beside other work: on a thread of its own where that is worth it and one can be had, else by whoever waits
// for it.
#pragma once
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

namespace pith {

class Aside {
 public:
  // What `work` refers to must live as long as this; it must not throw. Without Wait() it may not be done at all.
  Aside(bool on_its_own, std::function<void()> work) : work_(std::move(work)) {
    if (!on_its_own) return;
    try {
      thread_ = std::thread(work_);
    } catch (const std::system_error&) {  // no thread to be had
    }
  }
  ~Aside() {
    if (thread_.joinable()) thread_.join();
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  // Returns when the work is done. Of one thread.
  void Wait() {
    if (thread_.joinable()) {
      thread_.join();
    } else if (work_) {
      work_();
    }
    work_ = nullptr;
  }

 private:
  std::function<void()> work_;
  std::thread thread_;
};

}  // namespace pith
