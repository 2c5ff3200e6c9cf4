#pragma once

#include <cstddef>
#include <functional>

namespace ambit {

/// How parallel_for runs, and what it calls on the calling thread.
struct ParallelOptions {
  unsigned threads = 0;  ///< 0: one per core
  /// Called after each item, in the order of the items.
  std::function<void(std::size_t item)> finished = {};
  /// Called about twenty times a second: the item that comes next in this order, and the number of items that are done.
  std::function<void(std::size_t item, std::size_t done)> waiting = {};
};

/// Processes the items 0 .. count-1 on several threads and returns when all are done. Each thread calls `make_worker`
/// once and gives the worker one item after the other. Rethrows the first exception, and then starts no further item.
void parallel_for(std::size_t count, const std::function<std::function<void(std::size_t)>()>& make_worker,
                  const ParallelOptions& options = {});

}  // namespace ambit
