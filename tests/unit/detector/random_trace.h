#pragma once

#include <cstddef>
#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// Weights of the operations in a random trace. An operation with weight 0 does not occur.
struct RandomTraceOptions {
  std::uint32_t blocks = 2;
  std::uint32_t threads_per_block = 2;
  std::uint32_t warp = 32;
  std::uint32_t locks = 2;
  std::uint32_t variables = 3;
  std::size_t steps = 16;
  int access = 8;
  int lock = 6;
  int barrier = 0;
  int warp_barrier = 0;   ///< warp barriers for all lanes or for some lanes
  int named_barrier = 0;  ///< barriers for two threads of a block; a thread may arrive without waiting
  int exit = 0;
  /// While threads of a block wait at one kind of barrier, no other thread of the block arrives at another kind. Waits
  /// at different kinds of barrier can end a trace early.
  bool one_kind_of_barrier_at_a_time = false;
  int flag = 0;             ///< fences and atomic flags
  int inferred = 0;         ///< compare-exchanges and exchanges of lock words, with or without fences
  bool scopes = false;      ///< use block scope and device scope; if false, only device scope
  bool one_holder = false;  ///< at most one thread holds a lock, regardless of the lock's scope
  bool forks = false;       ///< the first thread forks and joins the other threads
  std::uint32_t sites = 0;  ///< number of source places; 0: a different place for each event
};

/// Generates the trace of a sequentially consistent run.
Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options);

/// Returns the value of the environment variable AMBIT_RANDOM_TRACES, or `by_default` if the variable is not set.
std::uint64_t wanted_traces(std::uint64_t by_default);

}  // namespace ambit::detector
