#pragma once

#include "parser/litmus/atomic_lowering.h"

namespace ambit::parser::litmus {

/// Lowers the atomics and fences of libcu++: the members of cuda::atomic and cuda::atomic_ref, and the short forms of
/// the litmus language, for example load(x, ORDER, SCOPE).
class LibcuAtomicLowering {
 public:
  explicit LibcuAtomicLowering(ThreadContext& thread) : thread_(thread) {}

  Operand load(const Call& call);
  Operand store(const Call& call);
  /// Lowers the short forms of read-modify-writes: exchange, compare_exchange, fetch_add and similar functions.
  Operand rmw(const Call& call);
  Operand fence(const Call& call);
  /// Lowers cuda::atomic_thread_fence(order[, scope]).
  Operand thread_fence(const Call& call);
  /// Lowers a member function of `object`, a cuda::atomic or cuda::atomic_ref.
  Operand member(const Place& object, const Call& call);

 private:
  enum class Access : std::uint8_t { Load, Store, ReadModifyWrite, Fence, FailedExchange };
  /// The cell, order and scope of a short form.
  struct Target {
    Place cell;
    OrderAndScope at;
  };
  std::optional<Target> target(const Call& call, std::size_t first, Access kind);
  std::optional<Order> order_argument(const Call& call, std::size_t index, Access kind);
  std::optional<Order> member_order(const Call& call, std::size_t index, Access kind);
  Operand emit_store(const Target& target, Operand stored, SourceSpan span);
  Operand unknown_member(const Call& call);
  Operand member_compare_exchange(const Place& object, const Call& call);

  ThreadContext& thread_;
  PlaceLowering places_{thread_};
  AtomicLowering atomics_{thread_};
};

}  // namespace ambit::parser::litmus
