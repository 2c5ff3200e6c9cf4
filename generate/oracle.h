#pragma once

#include <cstdint>

#include "generate/test.h"

namespace ambit::generate {

/// The models that the oracle decides.
enum class Model { Sc, HrfDirect, HrfIndirect, HrfIndirectLift, HrfRelaxed, Ptx };

/// The verdict on a test, computed directly from the definitions.
struct Judgement {
  std::uint64_t executions = 0;  ///< number of allowed pairs (rf, co), regardless of the order of fence.sc
  std::uint64_t witnesses = 0;   ///< number of allowed pairs in which the condition holds
  bool race = false;
};

/// Computes verdicts by enumeration of all candidate executions, directly from definitions.md (1.4, 2.2, 3.1). The
/// oracle is slow, shares no code with the engines, and handles only programs that the generator can write. Tests
/// compare the engines' answers with the oracle's.
Judgement judge(const GeneratedTest& test, Model model);

}  // namespace ambit::generate
