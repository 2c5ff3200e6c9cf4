#pragma once

#include <cstdint>

#include "generate/test.h"

namespace ambit::generate {

/// The models that the oracle decides.
enum class Model { Sc, HrfDirect, HrfIndirect, HrfIndirectLift, HrfRelaxed, Ptx };

/// The answer of the definitions for a test: the number of allowed executions, the number in which the condition holds,
/// and whether one has a race.
struct Judgement {
  std::uint64_t executions = 0;  ///< allowed pairs (rf, co); the order of fence.sc is not counted
  std::uint64_t witnesses = 0;   ///< those in which the condition holds
  bool race = false;
};

/// Decides by enumeration of all candidate executions, directly from definitions.md (1.4, 2.2, 3.1). Shares no code
/// with the engines, handles only what the generator can write, and is slow: tests compare the engines with its
/// answers.
Judgement judge(const GeneratedTest& test, Model model);

}  // namespace ambit::generate
