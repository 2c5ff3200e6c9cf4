#pragma once

#include <cstddef>
#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// The composition of a random trace. An operation with weight 0 does not occur.
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
  int warp_barrier = 0;   ///< barriers of all lanes or some lanes
  int named_barrier = 0;  ///< barriers of two threads of the block, one of which may arrive without waiting
  int exit = 0;
  /// A thread does not arrive at a barrier while other threads of its block wait at another kind of barrier. Waits at
  /// different kinds of barrier can end a trace early.
  bool one_kind_of_barrier_at_a_time = false;
  int flag = 0;             ///< fences and atomic flags
  int inferred = 0;         ///< compare-exchange and exchange on lock words, with or without fences
  bool scopes = false;      ///< also use block scope; otherwise only device scope
  bool one_holder = false;  ///< each lock has at most one holder, regardless of its scope
  bool forks = false;       ///< the first thread forks and joins the other threads
  std::uint32_t sites = 0;  ///< number of source places; 0 if each event has its own place
};

/// Generates a trace of a possible sequentially consistent run.
Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options);

/// Returns the number of random traces for a test: AMBIT_RANDOM_TRACES from the environment, or `by_default` if unset.
std::uint64_t wanted_traces(std::uint64_t by_default);

}  // namespace ambit::detector
