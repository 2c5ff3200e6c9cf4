#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <queue>
#include <system_error>
#include <thread>
#include <utility>

namespace ambit::server {

/// Runs one thread for each connection, up to a limit. Further connections wait. A thread ends when no connection
/// waits. The C library's allocator then frees the memory that it keeps for the thread. With a pool of permanent
/// threads, this memory would grow slowly.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> serve) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push(std::move(serve));
    if (running_ < most_ && start()) ++running_;
  }

  void shutdown() override {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  /// Starts a thread. Returns false if the system cannot start another thread. The running threads then serve the
  /// waiting connections.
  bool start() {
    try {
      std::thread([this] { serve_all(); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void serve_all() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!waiting_.empty()) {
      const std::function<void()> serve = std::move(waiting_.front());
      waiting_.pop();
      lock.unlock();
      serve();
      lock.lock();
    }
    --running_;
    ended_.notify_all();
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::queue<std::function<void()>> waiting_;
  std::size_t running_ = 0;
};

}  // namespace ambit::server
