#pragma once

#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit::parser::litmus {

/// An atomic function of CUDA and the types that it takes (CUDA C++ Programming Guide, "Atomic Functions").
struct CudaAtomic {
  std::string_view name;
  RmwOp op;
  /// One letter for each supported type: i int, u unsigned, l long long, L unsigned long long, s unsigned short,
  /// f float, d double, h half.
  std::string_view types;
};
/// Returns the function with a name such as atomicAdd, atomicAdd_block or atomicAdd_system; null for other names.
const CudaAtomic* find_cuda_atomic(std::string_view name);

/// Returns the names of CUDA's atomic functions, without suffixes.
std::vector<std::string_view> cuda_atomic_names();

/// Returns the scope that the suffix of a CUDA function names: _block or _system. Without a suffix, the scope is the
/// device.
Scope scope_of_suffix(std::string_view name);

}  // namespace ambit::parser::litmus
