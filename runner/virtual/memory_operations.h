#pragma once

#include "runner/virtual/code.h"

namespace ambit::virtual_gpu {

/// Returns the function for ld or st between elements of `memory_bytes` bytes in memory and registers of
/// `register_bytes` bytes, or null. If `is_spread`, the function marks its accesses (KernelCode::is_spread).
Execute find_load(unsigned memory_bytes, bool is_signed, unsigned register_bytes, bool is_spread);
Execute find_store(unsigned memory_bytes, unsigned register_bytes, bool is_spread);
/// Returns the function for atom and red, or null if PTX has no such operation. `d` is the register for the old value,
/// or kDiscarded. `b` and `c` are the operands. For vectors, MemoryOperation::registers are the operands and
/// MemoryOperation::results the old values.
Execute find_atomic(AtomicOperation operation, ptx::Type type);

}  // namespace ambit::virtual_gpu
