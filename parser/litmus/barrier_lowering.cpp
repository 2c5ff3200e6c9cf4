#include "parser/litmus/barrier_lowering.h"

#include <fmt/format.h>

#include <limits>

#include "core/opaque.h"

namespace ambit::parser::litmus {
namespace {

constexpr Value kMaxBarrierId = 15;   // A block has 16 barriers (PTX ISA, bar).
constexpr Value kMaxArrivals = 1024;  // A block has at most 1024 threads.
constexpr Value kAllLanes = 0xffffffffLL;

std::optional<BarrierKind> group_named(std::string_view name) {
  if (name == "cooperative_groups::this_thread_block") return BarrierKind::Block;
  if (name == "cooperative_groups::this_cluster") return BarrierKind::Cluster;
  if (name == "cooperative_groups::this_grid") return BarrierKind::Grid;
  return std::nullopt;
}

Barrier barrier_of(BarrierKind kind) {
  Barrier barrier;
  barrier.kind = kind;
  return barrier;
}

Value threads_of(const ThreadSetting::Triple& dim) { return Value{dim[0]} * dim[1] * dim[2]; }

/// Returns the linear index of the thread or block `index` in the dimensions `dim`. x varies fastest.
Value linear(const ThreadSetting::Triple& index, const ThreadSetting::Triple& dim) {
  return index[0] + Value{dim[0]} * (index[1] + Value{dim[1]} * index[2]);
}

}  // namespace

Operand BarrierLowering::emit(const Call& call, Barrier barrier) {
  if (thread_.transaction != nullptr) {
    thread_.error(call.node.span,
                  fmt::format("'{}' inside a transaction: the barrier could never complete", call.name));
  } else {
    thread_.code.emit(std::move(barrier), call.node.span);
  }
  return Operand::nothing();
}

std::optional<Value> BarrierLowering::constant_argument(const Call& call, std::size_t index, Value least, Value most,
                                                        std::string_view what) {
  const ExprNode& node = call.arguments[index];
  const Operand operand = thread_.value(node);
  if (operand.erroneous) return std::nullopt;
  const bool constant = operand.expr.is_constant();
  const Value value = operand.expr.constant;
  if (constant && value >= least && value <= most) return value;
  if (!thread_.values_matter()) return std::nullopt;
  return thread_.error(node.span,
                       constant ? fmt::format("the {} is {}; it must be between {} and {}", what, value, least, most)
                                : fmt::format("the {} must be a constant", what));
}

Operand BarrierLowering::sync(const Call& call) {
  return emit(call, barrier_of(call.name == "grid_sync"      ? BarrierKind::Grid
                               : call.name == "cluster_sync" ? BarrierKind::Cluster
                                                             : BarrierKind::Block));
}

/// Checks that the mask includes the lane of the current thread.
bool BarrierLowering::is_in_mask(const Call& call, std::uint32_t mask) {
  const auto lane = static_cast<unsigned>(thread_.setting.place.lane);
  if (!thread_.values_matter() || ((mask >> lane) & 1U) != 0) return true;
  thread_.error(
      call.arguments[0].span,
      fmt::format("the mask leaves out lane {}, which executes this barrier{}", lane, thread_.in_thread()),
      fmt::format("every lane that calls {} must be in the mask; otherwise the behaviour is undefined", call.name));
  return false;
}

Operand BarrierLowering::sync_warp(const Call& call) {
  Barrier barrier = barrier_of(BarrierKind::Warp);
  if (call.arguments.empty()) return emit(call, barrier);
  using Limits = std::numeric_limits<Value>;
  const std::optional<Value> mask = constant_argument(call, 0, Limits::min(), Limits::max(), "mask");
  if (!mask) return std::nullopt;
  barrier.mask = static_cast<std::uint32_t>(*mask & kAllLanes);
  if (!is_in_mask(call, barrier.mask)) return std::nullopt;
  return emit(call, barrier);
}

Operand BarrierLowering::named_barrier(const Call& call) {
  Barrier barrier;
  barrier.arrive_only = call.name == "__barrier_arrive";
  const std::optional<Value> id = constant_argument(call, 0, 0, kMaxBarrierId, "barrier number");
  if (!id) return std::nullopt;
  barrier.id = static_cast<std::uint32_t>(*id);
  if (call.arguments.size() > 1) {
    const std::optional<Value> count = constant_argument(call, 1, 1, kMaxArrivals, "thread count of the barrier");
    if (!count) return std::nullopt;
    barrier.count = Expr::make_constant(*count);
  }
  return emit(call, barrier);
}

std::optional<BarrierKind> BarrierLowering::group_of(const ExprNode& node) {
  if (node.kind == ExprKind::Call && node.children.front().kind == ExprKind::Name) {
    return group_named(node.children.front().name);
  }
  const Variable* variable = node.kind == ExprKind::Name ? thread_.variables.find(node.name) : nullptr;
  return variable == nullptr ? std::nullopt : variable->type.group;
}

Operand BarrierLowering::group_value(const Call& call) {
  Operand operand = Operand::constant(0);
  operand.type.group = group_named(call.name);
  return operand;
}

Operand BarrierLowering::group_sync(const Call& call) {
  const std::optional<BarrierKind> group = call.arguments.size() == 1 ? group_of(call.arguments.front()) : std::nullopt;
  if (group) return group_member(*group, {call.node, "sync", call.use, {}});
  return thread_.error(call.node.span, "'sync' needs a group: this_thread_block(), this_cluster() or this_grid()");
}

Value BarrierLowering::block_rank() const {
  const ThreadSetting::Coordinates& at = *thread_.setting.kernel;
  return linear(at.block, at.grid_dim) % at.cluster_blocks;
}

/// Maps an address in shared memory to the same address in another block of the cluster. All blocks declare the same
/// shared memory.
Operand BarrierLowering::map_shared(Operand pointer, const Operand& rank, SourceSpan span) {
  if (pointer.erroneous || rank.erroneous) return std::nullopt;
  if (!thread_.values_matter()) return pointer;
  const std::optional<Value> base = pointer.type.is_pointer ? constant_part(pointer.expr) : std::nullopt;
  const Value id = base ? object_of(*base) : -1;
  const bool is_shared = id >= 0 && id < static_cast<Value>(thread_.assembly.program.objects.size()) &&
                         thread_.assembly.program.objects[static_cast<ObjectId>(id)].space == MemorySpace::Shared;
  if (!is_shared || !thread_.setting.kernel) return thread_.error(span, "expected the address of shared memory");
  const auto blocks = static_cast<Value>(thread_.setting.kernel->cluster_blocks);
  if (!rank.expr.is_constant() || rank.expr.constant < 0 || rank.expr.constant >= blocks) {
    return thread_.error(span, fmt::format("the rank must be a constant for each thread, below {}", blocks),
                         "__cluster_dims__ gives the number of blocks per cluster");
  }
  MemoryEntry& entry = thread_.memory.entry_of(static_cast<ObjectId>(id));
  const BlockId own = thread_.block();
  const BlockId other{own.gpu, own.block + static_cast<int>(rank.expr.constant - block_rank())};
  const auto at = static_cast<Value>(thread_.memory.object(entry, own));
  const auto to = static_cast<Value>(thread_.memory.object(entry, other));
  const Expr distance = Expr::make_constant((to - at) * (Value{1} << 32), kAddress);
  pointer.expr = Expr::make(Op::Add, kAddress, {std::move(pointer.expr), distance});
  return pointer;
}

std::optional<BarrierLowering::Position> BarrierLowering::position_in(BarrierKind group) const {
  if (!thread_.setting.kernel) return std::nullopt;
  const ThreadSetting::Coordinates& at = *thread_.setting.kernel;
  const Value block = threads_of(at.block_dim);
  const Value rank = linear(at.thread, at.block_dim);
  if (group == BarrierKind::Cluster) return Position{rank + block_rank() * block, block * at.cluster_blocks};
  if (group != BarrierKind::Grid) return Position{rank, block};
  return Position{rank + linear(at.block, at.grid_dim) * block, block * threads_of(at.grid_dim)};
}

void BarrierLowering::meet(BarrierKind group, SourceSpan span) { thread_.code.emit(barrier_of(group), span); }

Operand BarrierLowering::group_member(BarrierKind group, const Call& call) {
  if (call.name == "sync") {
    if (!thread_.expect_count(call, 0, 0, "sync()")) return std::nullopt;
    return emit(call, barrier_of(group));
  }
  const bool rank = call.name == "thread_rank";
  const bool size = call.name == "size" || call.name == "num_threads";
  const bool is_block_number =
      group == BarrierKind::Cluster && (call.name == "block_rank" || call.name == "num_blocks");
  if (is_block_number && thread_.setting.kernel) {
    return Operand::constant(call.name == "num_blocks" ? thread_.setting.kernel->cluster_blocks : block_rank(),
                             kUnsigned);
  }
  if (group == BarrierKind::Cluster && call.name == "map_shared_rank") {
    if (!thread_.expect_count(call, 2, 2, "map_shared_rank(pointer, rank)")) return std::nullopt;
    const Operand pointer = thread_.value(call.arguments[0]);
    return map_shared(pointer, thread_.value(call.arguments[1]), call.node.span);
  }
  const bool arrives = call.name == "barrier_arrive";
  if (group == BarrierKind::Cluster && (arrives || call.name == "barrier_wait")) {
    if (!thread_.expect_count(call, 0, arrives ? 0 : 1, arrives ? "barrier_arrive()" : "barrier_wait(token)")) {
      return std::nullopt;
    }
    for (const ExprNode& token : call.arguments) {
      if (thread_.value(token).erroneous) return std::nullopt;
    }
    Barrier half = barrier_of(group);
    (arrives ? half.arrive_only : half.wait_only) = true;
    emit(call, std::move(half));
    return arrives ? Operand::constant(0, kUnsigned) : Operand::nothing();  // the value of the token is not used
  }
  const std::optional<Position> position = position_in(group);
  if ((rank || size) && position) {
    return Operand::constant(size ? position->size : position->rank, kUnsignedLongLong);
  }
  return thread_.error(call.node.span, fmt::format("the member '{}' of this group is not supported", call.name),
                       "groups have sync(); blocks and grids of kernels also have thread_rank() and size(), clusters "
                       "block_rank(), num_blocks(), map_shared_rank(), barrier_arrive() and barrier_wait()");
}

}  // namespace ambit::parser::litmus
