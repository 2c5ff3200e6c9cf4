#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "report/result.h"

namespace ambit::cli {

/// Runs tests 0 .. count-1 on several threads and hands the results out in this order.
class Pool {
 public:
  /// A function from the number of a test to its result; each worker makes its own with `make_worker`.
  using Worker = std::function<report::TestResult(std::size_t)>;

  Pool(std::size_t count, unsigned threads, const std::function<Worker()>& make_worker);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// The result of test `index` once it is there; meanwhile `while_waiting` is called about twenty times a second with
  /// the number of tests that are done.
  report::TestResult take(std::size_t index, const std::function<void(std::size_t)>& while_waiting);

 private:
  void work(const Worker& worker);

  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<std::optional<report::TestResult>> results_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace ambit::cli
