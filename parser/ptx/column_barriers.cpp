// Lowers barriers of a block (bar), a warp and a cluster (PTX ISA 9.7.13).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "parser/ptx/column_lowering.h"

namespace ambit::parser::ptx {
namespace {

using Kind = OperandNode::Kind;

constexpr Value kMostBarriers = 15;      // A block has 16 barriers (PTX ISA, bar).
constexpr Value kMostInstances = 65535;  // Ambit limits the number of instances.
constexpr Value kMostThreads = 1024;     // A block has at most 1024 threads.
constexpr Value kAllLanes = 0xffffffffLL;

}  // namespace

std::optional<Value> ColumnLowering::constant(const OperandNode* operand, Value least, Value most,
                                              std::string_view what) {
  if (operand->kind != Kind::Integer) {
    fail(operand->span, fmt::format("the {} must be a constant", what));
    return std::nullopt;
  }
  if (operand->value < least || operand->value > most) {
    fail(operand->span, fmt::format("the {} is {}; it must be between {} and {}", what, operand->value, least, most));
    return std::nullopt;
  }
  return operand->value;
}

void ColumnLowering::block_barrier(const Step& step) {
  const auto [first, second, third, unused] = step.values;
  const OperandNode* quorum = step.opcode.has_instance ? third : second;
  Barrier barrier;
  barrier.arrive_only = step.opcode.arrive_only;
  if (step.opcode.has_instance) {
    const std::optional<Value> instance = constant(first, 0, kMostInstances, "instance of the barrier");
    if (!instance) return;
    barrier.id = static_cast<std::uint32_t>(*instance);
    if (second != nullptr) barrier.resource = value(*second, kInt);
  } else if (dynamic_barriers_) {
    if (first->kind == Kind::Integer && !constant(first, 0, kMostBarriers, "number of the barrier")) return;
    barrier.resource = value(*first, kInt);
  } else {
    const std::optional<Value> number = constant(first, 0, kMostBarriers, "number of the barrier");
    if (!number) return;
    barrier.id = static_cast<std::uint32_t>(*number);
  }
  if (quorum != nullptr) {
    if (quorum->kind == Kind::Integer && !constant(quorum, 1, kMostThreads, "quorum of the barrier")) return;
    barrier.count = value(*quorum, kInt);
  }
  emit(std::move(barrier), step);
}

void ColumnLowering::warp_barrier(const Step& step) {
  const OperandNode* mask = step.values[0];
  const Value least = mask->literal == kInt ? -1 : 0;  // -1 selects all lanes
  const std::optional<Value> lanes = constant(mask, least, kAllLanes, "mask of the barrier");
  if (!lanes) return;
  Barrier barrier;
  barrier.kind = BarrierKind::Warp;
  barrier.mask = static_cast<std::uint32_t>(*lanes & kAllLanes);
  if (((barrier.mask >> static_cast<unsigned>(place_.lane)) & 1U) == 0) {
    return fail(mask->span, fmt::format("the mask does not include lane {}, in which {} runs", place_.lane, name()),
                "add the lane to the mask: otherwise the behavior is undefined in PTX");
  }
  emit(std::move(barrier), step);
}

void ColumnLowering::cluster_barrier(const Step& step) {
  Barrier barrier;
  barrier.kind = BarrierKind::Cluster;
  barrier.arrive_only = step.opcode.kind == OpcodeKind::ClusterArrive;
  barrier.wait_only = step.opcode.kind == OpcodeKind::ClusterWait;
  barrier.is_relaxed = step.opcode.is_relaxed;
  emit(std::move(barrier), step);
}

// ---- participants ----

namespace {

/// Identifies a barrier of a block: GPU, block, barrier number.
using BarrierKey = std::array<Value, 3>;

struct BarrierUse {
  const Thread* thread;
  Barrier* barrier;
  std::optional<Value> resource;  ///< barrier number; not set if known only at run time
};

std::map<BarrierKey, std::vector<BarrierUse>> barrier_uses(Program& program) {
  std::map<BarrierKey, std::vector<BarrierUse>> uses;
  for (Thread& thread : program.threads) {
    for (Instruction& instruction : thread.code) {
      auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr || barrier->kind != BarrierKind::Block) continue;
      std::optional<Value> resource = -1;
      if (barrier->resource) {
        resource = barrier->resource->is_constant() ? std::optional(barrier->resource->constant) : std::nullopt;
      }
      uses[{thread.place.gpu, thread.place.block, barrier->id}].push_back({&thread, barrier, resource});
    }
  }
  return uses;
}

bool may_meet(const BarrierUse& a, const BarrierUse& b) {
  return !a.resource || !b.resource || a.resource == b.resource;
}

}  // namespace

/// Returns whether a jump in the thread may skip the barrier, so that the thread may exit without arriving.
static bool is_conditional(const Thread& thread, const Barrier* barrier) {
  std::size_t at = 0;
  while (std::get_if<Barrier>(&thread.code[at].operation) != barrier) ++at;
  for (std::size_t i = 0; i < at; ++i) {
    const auto* branch = std::get_if<Branch>(&thread.code[i].operation);
    const auto* jump = std::get_if<Jump>(&thread.code[i].operation);
    if ((branch != nullptr && branch->target > at) || (jump != nullptr && jump->target > at)) return true;
  }
  return false;
}

/// If some threads of the block never arrive at a barrier without a thread count, sets the count to the number of
/// threads that may arrive. Sets no count if a thread may exit before the barrier: in this case, the barrier waits for
/// all threads that have not exited.
void let_columns_take_part(Program& program) {
  for (const auto& [key, uses] : barrier_uses(program)) {
    const auto is_in_block = [gpu = key[0], block = key[1]](const Thread& thread) {
      return thread.place.gpu == gpu && thread.place.block == block;
    };
    const auto columns = static_cast<std::size_t>(std::ranges::count_if(program.threads, is_in_block));
    if (std::ranges::any_of(uses, [](const BarrierUse& use) { return is_conditional(*use.thread, use.barrier); }))
      continue;
    std::vector<std::pair<Barrier*, std::size_t>> counts;
    for (const BarrierUse& use : uses) {
      std::set<const Thread*> users;
      for (const BarrierUse& other : uses) {
        if (may_meet(use, other)) users.insert(other.thread);
      }
      if (!use.barrier->count && users.size() < columns) counts.emplace_back(use.barrier, users.size());
    }
    for (const auto& [barrier, count] : counts) barrier->count = Expr::make_constant(static_cast<Value>(count));
  }
}

}  // namespace ambit::parser::ptx
