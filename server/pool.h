// Threads that run jobs, started as they are needed and kept. Thread-safe.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pith::mcp {

class WorkerPool {
 public:
  explicit WorkerPool(size_t most_threads) : most_threads_(most_threads) {}
  ~WorkerPool();  // waits for all jobs, also those still queued
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  using Job = std::function<void()>;  // must not throw
  void Post(Job job, size_t weight = 0);

  size_t queued() const;                          // jobs not yet begun
  size_t queued_weight() const;                   // the sum of their weights
  bool WaitIdle(std::chrono::milliseconds most);  // false: jobs are still queued or running

 private:
  struct Queued {
    Job job;
    size_t weight = 0;
  };
  void Work();

  const size_t most_threads_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable posted_, idle_;
  std::deque<Queued> queue_;
  std::vector<std::thread> threads_;
  size_t weight_ = 0, free_ = 0, running_ = 0;
  bool ending_ = false;
};

}  // namespace pith::mcp
