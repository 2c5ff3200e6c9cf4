#include <fmt/format.h>

#include <map>

#include "parser/litmus/thread_lowering.h"

/// Cooperative groups: the block, the cluster and the grid of a thread (CUDA C++ Programming Guide, "Cooperative
/// Groups").
namespace ambit::parser::litmus {
namespace {

std::optional<BarrierKind> group_named(std::string_view name) {
  if (name == "cooperative_groups::this_thread_block") return BarrierKind::Block;
  if (name == "cooperative_groups::this_cluster") return BarrierKind::Cluster;
  if (name == "cooperative_groups::this_grid") return BarrierKind::Grid;
  return std::nullopt;
}

}  // namespace

std::optional<BarrierKind> ThreadLowering::group_of(const ExprNode& node) {
  if (node.kind == ExprKind::Call && node.children.front().kind == ExprKind::Name) {
    return group_named(node.children.front().name);
  }
  const Variable* variable = node.kind == ExprKind::Name ? find_variable(node.name) : nullptr;
  return variable == nullptr ? std::nullopt : variable->type.group;
}

/// this_grid() as a value, for `auto grid = ...`; sync(group).
Operand ThreadLowering::group_value(const CallArguments& call) {
  if (call.name == "cooperative_groups::sync") {
    const std::optional<BarrierKind> group =
        call.arguments.size() == 1 ? group_of(call.arguments.front()) : std::nullopt;
    if (group) {
      const CallArguments sync{call.node, "sync", {}, call.discarded};
      return group_call(*group, sync);
    }
    error(call.node.span, "'sync' needs a group: this_thread_block(), this_cluster() or this_grid()");
    return erroneous();
  }
  if (!expect_count(call, 0, 0, fmt::format("{}()", call.name))) return erroneous();
  Operand operand = integer(Expr::make_constant(0));
  operand.type.group = group_named(call.name);
  return operand;
}

Operand ThreadLowering::group_call(BarrierKind group, const CallArguments& call) {
  if (call.name == "sync") {
    if (!expect_count(call, 0, 0, "sync()")) return erroneous();
    Barrier barrier;
    barrier.kind = group;
    emit_barrier(call, barrier);
    return nothing();
  }
  const bool rank = call.name == "thread_rank";
  const bool size = call.name == "size" || call.name == "num_threads";
  if ((rank || size) && setting_.kernel && group != BarrierKind::Cluster) {
    const ThreadSetting::Coordinates& at = *setting_.kernel;
    const auto volume = [](const ThreadSetting::Triple& dim) { return Value{dim[0]} * dim[1] * dim[2]; };
    const auto linear = [](const ThreadSetting::Triple& index, const ThreadSetting::Triple& dim) {
      return index[0] + Value{dim[0]} * (index[1] + Value{dim[1]} * index[2]);
    };
    const bool grid = group == BarrierKind::Grid;
    const Value result =
        size ? volume(at.block_dim) * (grid ? volume(at.grid_dim) : 1)
             : linear(at.thread, at.block_dim) + (grid ? linear(at.block, at.grid_dim) * volume(at.block_dim) : 0);
    return integer(Expr::make_constant(result, kUnsignedLongLong));
  }
  error(call.node.span, fmt::format("the member '{}' of this group is not supported", call.name),
        "groups have sync(), and blocks and grids of kernels thread_rank() and size()");
  return erroneous();
}

}  // namespace ambit::parser::litmus
