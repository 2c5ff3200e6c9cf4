#pragma once

#include <cstddef>
#include <cstdint>

#include "core/trace.h"

namespace ambit::detector {

/// What a random trace is made of; weights of 0 leave an operation out.
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
  /// No thread goes to a barrier while others of its block wait at one of another kind, which can end a trace early.
  bool one_kind_of_barrier_at_a_time = false;
  int flag = 0;             ///< fences, atomic flags
  int inferred = 0;         ///< compare-exchange and exchange on lock words, fences about them or not
  bool scopes = false;      ///< block scope too; else device scope only
  bool one_holder = false;  ///< of each lock, whatever its scope
  bool forks = false;       ///< the first thread forks and joins the others
  std::uint32_t sites = 0;  ///< places in the source; 0: every event has one of its own
};

/// A trace that a sequentially consistent run could have left.
Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options);

/// How many random traces a test takes: what AMBIT_RANDOM_TRACES in the environment says, else `by_default`.
std::uint64_t wanted_traces(std::uint64_t by_default);

}  // namespace ambit::detector
