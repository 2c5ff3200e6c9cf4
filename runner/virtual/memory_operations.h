#pragma once

#include "runner/virtual/code.h"

namespace ambit::virtual_gpu {

/// The functions for ld and st of elements of `memory_bytes`, in registers of `register_bytes`. Null when there is
/// none. `is_spread`: those that mark what they touch (KernelCode::is_spread).
Execute find_load(unsigned memory_bytes, bool is_signed, unsigned register_bytes, bool is_spread);
Execute find_store(unsigned memory_bytes, unsigned register_bytes, bool is_spread);
/// The function for atom and red. `d`: the old value or kDiscarded; b, c: operands. Vectors: MemoryOperation::registers
/// are the operands, `results` the old values. Null when PTX has no such operation.
Execute find_atomic(AtomicOperation operation, ptx::Type type);

}  // namespace ambit::virtual_gpu
