#pragma once

#include <cstddef>
#include <functional>

namespace ambit {

/// Options of parallel_for. parallel_for calls the functions `finished` and `waiting` on the calling thread.
struct ParallelOptions {
  unsigned threads = 0;  ///< number of threads; 0 means one thread for each core
  /// Called after each item, in the order of the items.
  std::function<void(std::size_t item)> finished = {};
  /// Called about twenty times a second. `item` is the next item for finished(), and `done` is the number of finished
  /// items.
  std::function<void(std::size_t item, std::size_t done)> waiting = {};
};

/// Processes the items 0 .. count-1 on several threads and returns when all items are done. Each thread calls
/// `make_worker` once and passes its items to the worker one by one. After an exception, starts no further item and
/// rethrows the first exception.
void parallel_for(std::size_t count, const std::function<std::function<void(std::size_t)>()>& make_worker,
                  const ParallelOptions& options = {});

}  // namespace ambit
