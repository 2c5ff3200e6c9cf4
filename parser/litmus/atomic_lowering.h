#pragma once

#include "parser/litmus/place_lowering.h"

namespace ambit::parser::litmus {

struct RmwRequest {
  const Place& place;
  RmwOp op;
  OrderAndScope at;
  Operand operand;
  std::optional<Operand> compare = {};  ///< the expected value of a CompareExchange
  SourceSpan span;
  Use use;
  LockRole lock = LockRole::None;
};

/// Lowers read-modify-writes, locks, and the atomic functions (atomicAdd) and fences (__threadfence) of CUDA C++.
class AtomicLowering {
 public:
  explicit AtomicLowering(ThreadContext& thread) : thread_(thread) {}

  /// Emits a read-modify-write. Returns the old value.
  Operand rmw(RmwRequest request);
  /// Returns the scope that an argument names.
  std::optional<Scope> scope_argument(const Call& call, std::size_t index);

  /// Returns whether the name is an atomic function of CUDA, such as atomicAdd, atomicAdd_block or atomicAdd_system.
  static bool is_cuda_atomic(std::string_view name);
  Operand cuda_atomic(const Call& call);
  /// Lowers __threadfence and its variants.
  Operand cuda_fence(const Call& call);
  Operand lock(const Call& call);
  Operand unlock(const Call& call);

 private:
  ThreadContext& thread_;
  PlaceLowering places_{thread_};
};

/// Returns the names of CUDA's atomic functions, without suffixes.
std::vector<std::string_view> cuda_atomic_names();

}  // namespace ambit::parser::litmus
