#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "report/results/test_result.h"

namespace ambit::cli {

/// Runs files 0 .. count-1 on several threads and hands the results of their tests out in this order.
class Pool {
 public:
  using Results = std::vector<report::TestResult>;
  /// A function from the number of a file to its tests' results; each worker makes its own with `make_worker`.
  using Worker = std::function<Results(std::size_t)>;

  Pool(std::size_t count, unsigned threads, const std::function<Worker()>& make_worker);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// The results of file `index` once they are there; meanwhile `while_waiting` is called about twenty times a second
  /// with the number of files that are done.
  Results take(std::size_t index, const std::function<void(std::size_t)>& while_waiting);

 private:
  void work(const Worker& worker);

  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<std::optional<Results>> results_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace ambit::cli
