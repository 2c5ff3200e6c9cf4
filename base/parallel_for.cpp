#include "base/parallel_for.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ambit {
namespace {

class ParallelWork {
 public:
  explicit ParallelWork(std::size_t count) : is_done_(count) {}

  /// The main function of a worker thread: processes items until none is left.
  void process(const std::function<std::function<void(std::size_t)>()>& make_worker) {
    try {
      const std::function<void(std::size_t)> worker = make_worker();
      for (std::size_t item = next(); item < is_done_.size(); item = next()) {
        worker(item);
        const std::lock_guard<std::mutex> lock(mutex_);
        is_done_[item] = true;
        ++done_;
        changed_.notify_one();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
      next_ = is_done_.size();
      changed_.notify_one();
    }
  }

  /// Calls `finished` and `waiting` of the options on the calling thread.
  void follow(const ParallelOptions& options) {
    constexpr std::chrono::milliseconds kPeriod{50};
    for (std::size_t item = 0; item < is_done_.size(); ++item) {
      std::unique_lock<std::mutex> lock(mutex_);
      while (!changed_.wait_for(lock, kPeriod, [&] { return is_done_[item] || error_; })) {
        const std::size_t done = done_;
        lock.unlock();
        if (options.waiting) options.waiting(item, done);
        lock.lock();
      }
      if (error_) std::rethrow_exception(error_);
      lock.unlock();
      if (options.finished) options.finished(item);
    }
  }

  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = is_done_.size();
  }

 private:
  std::size_t next() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return next_ < is_done_.size() ? next_++ : next_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> is_done_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::size_t count, const std::function<std::function<void(std::size_t)>()>& make_worker,
                  const ParallelOptions& options) {
  const unsigned threads = options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  ParallelWork work(count);
  std::vector<std::jthread> running;
  try {
    for (std::size_t i = 0; i < std::min<std::size_t>(count, threads); ++i) {
      running.emplace_back([&] { work.process(make_worker); });
    }
    work.follow(options);
  } catch (...) {
    work.stop();  // each thread still finishes its current item
    throw;
  }
}

}  // namespace ambit
