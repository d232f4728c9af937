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

void WorkerPool::Post(Job job, size_t weight) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(job), weight});
    weight_ += weight;
    if (queue_.size() > free_ && threads_.size() < most_threads_) {
      threads_.emplace_back([this] { Work(); });
    }
  }
  posted_.notify_one();
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
    ++free_;
    posted_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    --free_;
    if (queue_.empty()) return;
    Queued next = std::move(queue_.front());
    queue_.pop_front();
    weight_ -= next.weight;
    ++running_;
    lock.unlock();
    next.job();
    next.job = nullptr;
    lock.lock();
    if (--running_ == 0 && queue_.empty()) idle_.notify_all();
  }
}

}  // namespace pith::mcp
