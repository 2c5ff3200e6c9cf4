#include <fmt/format.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"

namespace ambit::parser::litmus {
namespace {

constexpr Value kMaxBarrierId = 15;       // a block has 16 barriers (PTX ISA, bar)
constexpr Value kMaxBlockThreads = 1024;  // and at most 1024 threads
constexpr Value kAllLanes = 0xffffffffLL;

}  // namespace

void ThreadLowering::emit_barrier(const CallArguments& call, Barrier barrier) {
  if (in_transaction_) {
    error(call.node.span, fmt::format("'{}' inside a transaction: the barrier could never complete", call.name));
    return;
  }
  code_.emit(barrier, call.node.span);
}

Operand ThreadLowering::sync_threads(const CallArguments& call) {
  if (!expect_count(call, 0, 0, "__syncthreads()")) return erroneous();
  emit_barrier(call, Barrier{});
  return nothing();
}

Operand ThreadLowering::sync_warp(const CallArguments& call) {
  if (!expect_count(call, 0, 1, "__syncwarp() or __syncwarp(mask)")) return erroneous();
  Barrier barrier;
  barrier.kind = BarrierKind::Warp;
  if (!call.arguments.empty()) {
    const Operand operand = value(call.arguments[0]);
    if (operand.erroneous) return erroneous();
    if (!operand.expr.is_constant()) {
      if (values_matter()) error(call.arguments[0].span, "the mask must be a constant");
      return erroneous();
    }
    barrier.mask = static_cast<std::uint32_t>(operand.expr.constant & kAllLanes);
    const auto lane = static_cast<unsigned>(setting_.place.lane);
    if (values_matter() && ((barrier.mask >> lane) & 1U) == 0) {
      error(call.arguments[0].span,
            fmt::format("the mask leaves out lane {}, which executes this barrier{}", lane,
                        setting_.kernel ? fmt::format(" (in thread {})", setting_.name) : ""),
            "CUDA leaves the behaviour undefined: every lane that calls __syncwarp must be in the mask");
      return erroneous();
    }
  }
  emit_barrier(call, barrier);
  return nothing();
}

/// __barrier(id[, count]) waits; __barrier_arrive(id, count) does not.
Operand ThreadLowering::named_barrier(const CallArguments& call) {
  const bool arrive = call.name == "__barrier_arrive";
  if (!expect_count(call, arrive ? 2 : 1, 2,
                    arrive ? "__barrier_arrive(id, count)" : "__barrier(id) or __barrier(id, count)")) {
    return erroneous();
  }
  Barrier barrier;
  barrier.arrive_only = arrive;
  const std::optional<Value> id = constant_argument(call, 0, 0, kMaxBarrierId, "number of the barrier");
  if (!id) return erroneous();
  barrier.id = static_cast<std::uint32_t>(*id);
  if (call.arguments.size() > 1) {
    const std::optional<Value> count = constant_argument(call, 1, 1, kMaxBlockThreads, "count of the barrier");
    if (!count) return erroneous();
    barrier.count = Expr::make_constant(*count);
  }
  emit_barrier(call, barrier);
  return nothing();
}

Operand ThreadLowering::wide_barrier(const CallArguments& call) {
  if (!expect_count(call, 0, 0, fmt::format("{}()", call.name))) return erroneous();
  Barrier barrier;
  barrier.kind = call.name == "grid_sync" ? BarrierKind::Grid : BarrierKind::Cluster;
  emit_barrier(call, barrier);
  return nothing();
}

}  // namespace ambit::parser::litmus
