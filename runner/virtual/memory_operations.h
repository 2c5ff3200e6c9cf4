#pragma once

#include "runner/virtual/code.h"

namespace ambit::virtual_gpu {

/// Returns the function for ld or st of elements of `memory_bytes`, in registers of `register_bytes`, or null.
/// `is_spread`: the function marks its accesses (KernelCode::is_spread).
Execute find_load(unsigned memory_bytes, bool is_signed, unsigned register_bytes, bool is_spread);
Execute find_store(unsigned memory_bytes, unsigned register_bytes, bool is_spread);
/// Returns the function for atom and red. `d`: the old value or kDiscarded; b, c: operands. Vectors:
/// MemoryOperation::registers are the operands, `results` the old values. Null if PTX has no such operation.
Execute find_atomic(AtomicOperation operation, ptx::Type type);

}  // namespace ambit::virtual_gpu
