#pragma once

#include <cstdint>

#include "runner/virtual/warp.h"

namespace ambit::virtual_gpu {

/// An mbarrier object (PTX ISA 9.0, section 9.7.13.15): 8 bytes of shared memory, in Ambit's own layout.
struct BarrierObject {
  std::uint64_t pending : 20;   ///< number of arrivals that the phase still waits for
  std::uint64_t expected : 20;  ///< arrivals of the next phase
  std::uint64_t bytes : 23;     ///< number of bytes of asynchronous copies that the phase still waits for
  std::uint64_t phase : 1;
};
static_assert(sizeof(BarrierObject) == 8);

enum class BarrierObjectKind : std::uint8_t {
  Initialise,
  Invalidate,
  Arrive,         ///< `b`: number of arrivals; kDiscarded for one arrival
  ArriveExpect,   ///< `b`: bytes; also one arrival
  Track,          ///< cp.async.mbarrier.arrive: one more arrival, after the thread's copies are complete
  ArriveTracked,  ///< cp.async.mbarrier.arrive.noinc: one of the expected arrivals
  Drop,           ///< arrives, and reduces the expected arrivals of later phases by one
  Expect,         ///< `b`: bytes
  Complete,       ///< `b`: bytes
  TestState,      ///< `b`: the state that an arrival returned
  TestParity,     ///< `b`: the parity of a phase
};

/// `extra` is the MemoryOperation, `value` the address offset, `c` the kind, and `b` the operand. `d` is the result: a
/// state of 8 bytes, a predicate for tests, or kDiscarded.
void execute_barrier_object(WarpCore& core, const Instruction& instruction);
/// mbarrier.pending_count.
void execute_pending_count(WarpCore& core, const Instruction& instruction);

}  // namespace ambit::virtual_gpu
