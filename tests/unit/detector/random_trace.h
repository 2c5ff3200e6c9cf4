#pragma once

#include <cstddef>
#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// The composition of a random trace; a weight of 0 leaves an operation out.
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
  int warp_barrier = 0;   ///< of all lanes or some
  int named_barrier = 0;  ///< of two threads of the block, one of which may only arrive
  int exit = 0;
  /// A thread does not go to a barrier while others of its block wait at another kind of barrier, which can end a trace
  /// early.
  bool one_kind_of_barrier_at_a_time = false;
  int flag = 0;             ///< fences, atomic flags
  int inferred = 0;         ///< compare-exchange and exchange on lock words, with or without fences
  bool scopes = false;      ///< block scope too; otherwise only device scope
  bool one_holder = false;  ///< of each lock, whatever its scope
  bool forks = false;       ///< the first thread forks and joins the others
  std::uint32_t sites = 0;  ///< source places; 0: each event has its own
};

/// Generates a trace of a possible sequentially consistent run.
Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options);

/// Returns the number of random traces for a test: AMBIT_RANDOM_TRACES in the environment, else `by_default`.
std::uint64_t wanted_traces(std::uint64_t by_default);

}  // namespace ambit::detector
