#pragma once

#include <cstddef>
#include <functional>

namespace ambit {

/// How parallel_for runs, and what it calls on the calling thread.
struct ParallelOptions {
  unsigned threads = 0;  ///< 0: one per core
  /// Called after each item, in the order of the items.
  std::function<void(std::size_t item)> finished = {};
  /// Called about twenty times a second: the next item in this order, and the number of finished items.
  std::function<void(std::size_t item, std::size_t done)> waiting = {};
};

/// Processes the items 0 .. count-1 on several threads and returns when all are done. Each thread calls `make_worker`
/// once and gives the worker one item after another. After an exception it starts no further item and rethrows the
/// first.
void parallel_for(std::size_t count, const std::function<std::function<void(std::size_t)>()>& make_worker,
                  const ParallelOptions& options = {});

}  // namespace ambit
