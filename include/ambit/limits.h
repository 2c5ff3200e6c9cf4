// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <cstdint>
#include <stop_token>

namespace AMBIT_NAMESPACE {

/// Limits of an analysis. If an answer reaches a limit, it is Unknown and gives the reason.
struct Limits {
  double seconds = 60;  ///< time limit for each answer of a model
  /// Bytes of resident memory of the whole process.
  std::uint64_t memory = std::uint64_t{4} << 30;
  std::stop_token stop = {};  ///< stops the analysis within half a second
};

/// The engine: an exact encoding for a SAT solver, an enumerator of executions, or whichever suits the test.
enum class Engine : std::uint8_t { Auto, Smt, Explicit };

/// How a test is checked under a model.
struct Solving {
  unsigned unroll = 3;  ///< number of iterations of a loop that is not a spin loop
  Engine engine = Engine::Auto;
  Limits limits = {};
};

}  // namespace AMBIT_NAMESPACE
