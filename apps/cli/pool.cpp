#include "apps/cli/pool.h"

#include <algorithm>
#include <utility>

namespace ambit::cli {

Pool::Pool(std::size_t count, unsigned threads, const std::function<Worker()>& make_worker) : results_(count) {
  const std::size_t number = std::min<std::size_t>(count, std::max(1U, threads));
  for (std::size_t i = 0; i < number; ++i) {
    threads_.emplace_back([this, make_worker] { work(make_worker()); });
  }
}

Pool::~Pool() {
  const std::lock_guard<std::mutex> lock(mutex_);
  next_ = results_.size();  // no new tests; the threads join themselves
}

void Pool::work(const Worker& worker) {
  for (;;) {
    std::size_t index = 0;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (next_ >= results_.size()) return;
      index = next_++;
    }
    Results result = worker(index);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      results_[index] = std::move(result);
      ++done_;
    }
    finished_.notify_one();
  }
}

Pool::Results Pool::take(std::size_t index, const std::function<void(std::size_t)>& while_waiting) {
  constexpr std::chrono::milliseconds kPeriod{50};
  std::unique_lock<std::mutex> lock(mutex_);
  while (!finished_.wait_for(lock, kPeriod, [&] { return results_[index].has_value(); })) {
    const std::size_t done = done_;
    lock.unlock();
    while_waiting(done);
    lock.lock();
  }
  Results result = std::move(*results_[index]);
  results_[index].reset();
  return result;
}

}  // namespace ambit::cli
