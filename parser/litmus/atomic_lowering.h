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

  /// Lowers an atomic function of CUDA (find_cuda_atomic).
  Operand cuda_atomic(const Call& call);
  /// Lowers __threadfence and its variants.
  Operand cuda_fence(const Call& call);
  Operand lock(const Call& call);
  Operand unlock(const Call& call);

 private:
  ThreadContext& thread_;
  PlaceLowering places_{thread_};
};

}  // namespace ambit::parser::litmus
