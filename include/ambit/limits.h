// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <cstdint>
#include <stop_token>

namespace AMBIT_NAMESPACE {

/// Limits of an analysis. An answer that reaches a limit is Unknown, with the reason.
struct Limits {
  double seconds = 60;  ///< for each answer of a model
  /// Bytes of resident memory of the whole process.
  std::uint64_t memory = std::uint64_t{4} << 30;
  std::stop_token stop = {};  ///< obeyed within half a second
};

/// The engine: an exact encoding for a SAT solver, an enumerator of executions, or the one that suits the test.
enum class Engine : std::uint8_t { Auto, Smt, Explicit };

/// How a test is checked under a model.
struct Solving {
  unsigned unroll = 3;  ///< iterations of a loop that is not a spin loop
  Engine engine = Engine::Auto;
  Limits limits = {};
};

}  // namespace AMBIT_NAMESPACE
