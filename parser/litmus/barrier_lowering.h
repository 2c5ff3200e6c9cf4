#pragma once

#include "parser/litmus/thread_context.h"

namespace ambit::parser::litmus {

/// Lowers barriers and cooperative groups: a thread's block, cluster and grid (CUDA C++ Programming Guide, "Cooperative
/// Groups").
class BarrierLowering {
 public:
  explicit BarrierLowering(ThreadContext& thread) : thread_(thread) {}

  /// Lowers __syncthreads(), cluster_sync() and grid_sync().
  Operand sync(const Call& call);
  Operand sync_warp(const Call& call);
  /// Lowers __barrier(id[, count]), which waits, and __barrier_arrive(id, count), which does not wait.
  Operand named_barrier(const Call& call);

  /// Returns the group that an expression names.
  std::optional<BarrierKind> group_of(const ExprNode& node);
  /// Lowers this_grid() and similar calls whose value is a group: `auto grid = this_grid();`.
  Operand group_value(const Call& call);
  /// Lowers cooperative_groups::sync(group).
  Operand group_sync(const Call& call);
  Operand group_member(BarrierKind group, const Call& call);
  /// The index of a thread in its block or grid, and the number of threads in the block or grid.
  struct Position {
    Value rank = 0;
    Value size = 1;
  };
  std::optional<Position> position_in(BarrierKind group) const;
  /// Returns the rank of the thread's block in its cluster.
  Value block_rank() const;
  /// Maps `pointer` to the same address in the shared memory of the cluster's block `rank`
  /// (cluster_group::map_shared_rank, mapa).
  Operand map_shared(Operand pointer, const Operand& rank, SourceSpan span);
  /// Emits a barrier of the group.
  void meet(BarrierKind group, SourceSpan span);

  /// Lowers a shuffle, vote or reduction of a warp, or a variant of __syncthreads_count (exchange_lowering.cpp).
  Operand exchange(const Call& call);

 private:
  bool is_in_mask(const Call& call, std::uint32_t mask);
  Operand emit(const Call& call, Barrier barrier);
  std::optional<std::vector<Operand>> exchanged_numbers(const Call& call);
  std::optional<Value> constant_argument(const Call& call, std::size_t index, Value least, Value most,
                                         std::string_view what);

  ThreadContext& thread_;
};

/// Returns whether the function exchanges values between threads. The result of an exchange may be opaque.
bool exchanges_values(std::string_view name);

}  // namespace ambit::parser::litmus
