// On a machine with few cores a request's time is mostly that of waking threads: the one that reads, the one that
// works, the client. With a source the first two are one: who fetched a job wakes another to fetch on, which goes on
// beside the work, and then does the job itself.
#include "server/pool.h"

#include <utility>

namespace pith::mcp {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  posted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::WakeOrStart() {
  if (free_ > queue_.size()) {
    posted_.notify_one();
  } else if (threads_.size() < most_threads_) {
    threads_.emplace_back([this] { Work(); });
  }
}

void WorkerPool::Post(std::function<void()> run, size_t weight) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(run), weight});
    weight_ += weight;
    if (queue_.size() > free_ && threads_.size() < most_threads_) {
      threads_.emplace_back([this] { Work(); });
    }
  }
  posted_.notify_one();
}

void WorkerPool::Drain(Source source) {
  std::unique_lock lock(mutex_);
  source_ = std::move(source);
  WakeOrStart();
  dry_.wait(lock, [&] { return !source_; });
}

size_t WorkerPool::queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

size_t WorkerPool::queued_weight() const {
  const std::lock_guard lock(mutex_);
  return weight_;
}

bool WorkerPool::WaitIdle(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, most, [&] { return queue_.empty() && running_ == 0; });
}

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (!queue_.empty()) {
      Job next = std::move(queue_.front());
      queue_.pop_front();
      weight_ -= next.weight;
      Run(&lock, std::move(next));
    } else if (MayFetch()) {
      Fetch(&lock);
    } else if (ending_) {
      return;
    } else {
      ++free_;
      posted_.wait(lock, [&] { return ending_ || !queue_.empty() || MayFetch(); });
      --free_;
    }
  }
}

void WorkerPool::Fetch(std::unique_lock<std::mutex>* lock) {
  fetching_ = true;
  Job next;
  while (true) {
    lock->unlock();
    next = source_();
    lock->lock();
    const bool all_busy = free_ == 0 && threads_.size() >= most_threads_;
    if (!next.run || !all_busy) break;
    weight_ += next.weight;
    queue_.push_back(std::move(next));
  }
  fetching_ = false;
  if (!next.run) {
    source_ = nullptr;
    dry_.notify_all();
    return;
  }
  WakeOrStart();
  Run(lock, std::move(next));
}

void WorkerPool::Run(std::unique_lock<std::mutex>* lock, Job job) {
  ++running_;
  lock->unlock();
  job.run();
  job.run = nullptr;
  lock->lock();
  if (--running_ == 0 && queue_.empty()) idle_.notify_all();
}

}  // namespace pith::mcp
