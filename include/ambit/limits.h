// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <cstdint>
#include <stop_token>

namespace AMBIT_NAMESPACE {

/// Limits of an analysis. If an analysis reaches a limit, its answer is Unknown and names the limit.
struct Limits {
  double seconds = 60;  ///< time limit for each answer of a model
  /// Limit on the resident memory of the whole process, in bytes.
  std::uint64_t memory = std::uint64_t{4} << 30;
  std::stop_token stop = {};  ///< a stop request ends the analysis within half a second
};

/// How Ambit searches for executions. Smt: an exact encoding for a SAT solver. Explicit: an enumeration of executions.
/// Auto: Ambit chooses Smt or Explicit for each test.
enum class Engine : std::uint8_t { Auto, Smt, Explicit };

/// Options for checking a test under a model.
struct Solving {
  unsigned unroll = 3;  ///< number of iterations of a loop that is not a spin loop
  Engine engine = Engine::Auto;
  Limits limits = {};
};

}  // namespace AMBIT_NAMESPACE
