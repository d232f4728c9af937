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
  struct Job {
    std::function<void()> run;  // must not throw
    size_t weight = 0;
  };
  // Where jobs come from besides Post: blocks until there is one; a job without `run`: there will be no more. Called by
  // one of the threads at a time. What it gives is run by the thread that fetched it while another goes on fetching, so
  // that a job changes threads only when all are busy: then it is queued, and the fetching thread fetches on.
  using Source = std::function<Job()>;

  explicit WorkerPool(size_t most_threads) : most_threads_(most_threads) {}
  ~WorkerPool();  // waits for all jobs, also those still queued; a source must have run dry
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Post(std::function<void()> run, size_t weight = 0);
  // Fetches until the source is dry; once in a pool's life. One of the threads is then always kept for fetching.
  void Drain(Source source);

  size_t queued() const;                          // jobs not yet begun
  size_t queued_weight() const;                   // the sum of their weights
  bool WaitIdle(std::chrono::milliseconds most);  // false: jobs are still queued or running

 private:
  void Work();
  void Fetch(std::unique_lock<std::mutex>* lock);
  void Run(std::unique_lock<std::mutex>* lock, Job job);
  void WakeOrStart();
  bool MayFetch() const { return source_ && !fetching_; }

  const size_t most_threads_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable posted_, idle_, dry_;
  std::deque<Job> queue_;
  std::vector<std::thread> threads_;
  Source source_;  // null where there is none, or once it is dry
  size_t weight_ = 0, free_ = 0, running_ = 0;
  bool ending_ = false, fetching_ = false;
};

}  // namespace pith::mcp
