#include <fmt/format.h>

#include <array>
#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {

namespace {

/// Functions of CUDA that have no meaning here, and why. Empty for other names.
std::string_view why_unsupported(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kFamilies = {{
      {"__ldg", "it reads through the texture proxy, which is outside the memory models: read *p, or write a PTX test"},
      {"__ldc", "loads with cache hints are read as PTX only: read *p"},
      {"__stc", "stores with cache hints are read as PTX only: write *p"},
      {"__stwb", "stores with cache hints are read as PTX only: write *p"},
      {"__stwt", "stores with cache hints are read as PTX only: write *p"},
      {"tex", "textures are a proxy of their own: write the test in PTX"},
      {"surf", "surfaces are a proxy of their own: write the test in PTX"},
      {"__shfl", "warp shuffles exchange registers: use shared memory and __syncwarp()"},
      {"__ballot", "warp votes exchange registers: use shared memory and __syncwarp()"},
      {"__any", "warp votes exchange registers: use shared memory and __syncwarp()"},
      {"__all", "warp votes exchange registers: use shared memory and __syncwarp()"},
      {"__match", "warp votes exchange registers: use shared memory and __syncwarp()"},
      {"__reduce", "warp reductions exchange registers: use shared memory and __syncwarp()"},
      {"__activemask", "which lanes run together is not modelled"},
      {"__syncthreads_", "a barrier that also counts or votes is not modelled: use __syncthreads() and shared memory"},
      {"clock", "time is not modelled"},
      {"globaltimer", "time is not modelled"},
      {"malloc", "memory is what the launch and the declarations give"},
      {"free", "memory is what the launch and the declarations give"},
      {"memcpy", "copy element by element"},
      {"memset", "write element by element"},
      {"__pipeline", "asynchronous copies are a proxy of their own: write the test in PTX"},
      {"cuda::pipeline", "asynchronous copies are a proxy of their own: write the test in PTX"},
      {"cooperative_groups::", "of cooperative groups there are this_thread_block(), this_cluster() and this_grid()"},
  }};
  for (const auto& [prefix, why] : kFamilies) {
    if (name.starts_with(prefix)) return why;
  }
  return {};
}

}  // namespace

const std::map<std::string_view, ThreadLowering::Builtin>& ThreadLowering::builtins() {
  using L = ThreadLowering;
  static const std::map<std::string_view, Builtin> kBuiltins = {
      {"load", &L::atomic_load},
      {"store", &L::atomic_store},
      {"exchange", &L::atomic_rmw},
      {"fetch_add", &L::atomic_rmw},
      {"fetch_sub", &L::atomic_rmw},
      {"fetch_and", &L::atomic_rmw},
      {"fetch_or", &L::atomic_rmw},
      {"fetch_xor", &L::atomic_rmw},
      {"fetch_min", &L::atomic_rmw},
      {"fetch_max", &L::atomic_rmw},
      {"compare_exchange", &L::atomic_compare_exchange},
      {"fence", &L::fence},
      {"cuda::atomic_thread_fence", &L::thread_fence},
      {"cuda::std::atomic_thread_fence", &L::thread_fence},
      {"std::atomic_thread_fence", &L::thread_fence},
      {"atomic_thread_fence", &L::thread_fence},
      {"__threadfence", &L::cuda_fence},
      {"__threadfence_block", &L::cuda_fence},
      {"__threadfence_system", &L::cuda_fence},
      {"lock", &L::lock},
      {"unlock", &L::unlock},
      {"__syncthreads", &L::sync_threads},
      {"__syncwarp", &L::sync_warp},
      {"__barrier", &L::named_barrier},
      {"__barrier_arrive", &L::named_barrier},
      {"cluster_sync", &L::wide_barrier},
      {"grid_sync", &L::wide_barrier},
      {"assert", &L::assertion},
      {"assume", &L::assertion},
      {"min", &L::minimum_maximum},
      {"max", &L::minimum_maximum},
      {"__nanosleep", &L::nanosleep},
      {"printf", &L::print},
      {"cooperative_groups::this_thread_block", &L::group_value},
      {"cooperative_groups::this_cluster", &L::group_value},
      {"cooperative_groups::this_grid", &L::group_value},
      {"cooperative_groups::sync", &L::group_value},
  };
  return kBuiltins;
}

Operand ThreadLowering::call(const ExprNode& node, bool discarded) {
  if (!spend(node.span)) return erroneous();
  const ExprNode& callee = node.children.front();
  if (callee.kind == ExprKind::Member) return member_call(node, discarded);
  if (callee.kind != ExprKind::Name) {
    error(callee.span, "this is not a function");
    return erroneous();
  }
  const CallArguments call{node, callee.name, std::span(node.children).subspan(1), discarded};
  if (const std::optional<Place> object = self()) {  // a member function calls another one of its struct
    const std::string member = fmt::format("{}::{}", object->type.structure->name.text, callee.name);
    if (const FunctionNode* function = functions_.find(member)) return inline_call(*function, call, object);
  }
  if (const FunctionNode* function = functions_.find(callee.name)) {
    if (function->is_kernel) {
      error(callee.span, fmt::format("'{}' is a kernel: it is launched, not called", callee.name));
      return erroneous();
    }
    return inline_call(*function, call);
  }
  if (std::optional<Operand> done = cuda_atomic(call)) return *std::move(done);
  const auto builtin = builtins().find(callee.name);
  if (builtin != builtins().end()) return (this->*builtin->second)(call);
  return unknown_function(callee);
}

Operand ThreadLowering::unknown_function(const ExprNode& callee) {
  if (const std::string_view why = why_unsupported(callee.name); !why.empty()) {
    error(callee.span, fmt::format("'{}' is not supported", callee.name), std::string(why));
    return erroneous();
  }
  std::vector<std::string_view> candidates = functions_.names(false);
  for (const auto& [name, lower] : builtins()) candidates.push_back(name);
  for (const std::string_view name : {"atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax", "atomicInc",
                                      "atomicDec", "atomicAnd", "atomicOr", "atomicXor", "atomicCAS"}) {
    candidates.push_back(name);
  }
  error(callee.span, fmt::format("unknown function '{}'", callee.name), did_you_mean(callee.name, candidates));
  return erroneous();
}

bool ThreadLowering::expect_count(const CallArguments& call, std::size_t least, std::size_t most,
                                  std::string_view form) {
  const std::size_t count = call.arguments.size();
  if (count >= least && count <= most) return true;
  const std::string wanted = least == most ? fmt::format("{} argument{}", least, least == 1 ? "" : "s")
                                           : fmt::format("{} to {} arguments", least, most);
  error(call.node.span, fmt::format("'{}' takes {}, not {}", call.name, wanted, count),
        form.empty() ? "" : fmt::format("write {}", form));
  return false;
}

std::optional<Value> ThreadLowering::constant_argument(const CallArguments& call, std::size_t index, Value least,
                                                       Value most, std::string_view what) {
  const ExprNode& node = call.arguments[index];
  const Operand operand = value(node);
  if (operand.erroneous) return std::nullopt;
  if (!operand.expr.is_constant()) {
    if (values_matter()) error(node.span, fmt::format("the {} must be a constant", what));
    return std::nullopt;
  }
  if (operand.expr.constant >= least && operand.expr.constant <= most) return operand.expr.constant;
  if (values_matter()) {
    error(node.span,
          fmt::format("the {} is {}; it must be between {} and {}", what, operand.expr.constant, least, most));
  }
  return std::nullopt;
}

Operand ThreadLowering::assertion(const CallArguments& call) {
  if (!expect_count(call, 1, 1, fmt::format("{}(condition)", call.name))) return erroneous();
  Operand condition = value(call.arguments.front());
  if (condition.erroneous) return condition;
  Expr holds = to_boolean(std::move(condition.expr));
  if (call.name == "assert") {
    code_.emit(Assert{std::move(holds)}, call.node.span);
  } else {
    code_.emit(Assume{std::move(holds)}, call.node.span);
  }
  return nothing();
}

Operand ThreadLowering::minimum_maximum(const CallArguments& call) {
  if (!expect_count(call, 2, 2, fmt::format("{}(a, b)", call.name))) return erroneous();
  Operand a = value(call.arguments[0]);
  Operand b = value(call.arguments[1]);
  if (a.erroneous || b.erroneous) return erroneous();
  if (a.type.is_pointer || b.type.is_pointer) {
    error(call.node.span, fmt::format("'{}' needs integers, not pointers", call.name));
    return erroneous();
  }
  return integer(make_binary(call.name == "min" ? Op::Min : Op::Max, std::move(a.expr), std::move(b.expr)));
}

/// What is printed is read; printing itself is no memory action.
Operand ThreadLowering::print(const CallArguments& call) {
  for (const ExprNode& argument : call.arguments) {
    if (argument.kind != ExprKind::Text) value(argument);
  }
  return integer(Expr::make_constant(0));
}

/// A pause: it has no meaning for which executions there are.
Operand ThreadLowering::nanosleep(const CallArguments& call) {
  if (!expect_count(call, 1, 1, "__nanosleep(nanoseconds)")) return erroneous();
  value(call.arguments.front());
  return nothing();
}

/// lock(l): a spin of relaxed compare-exchanges 0 -> 1, then a seq_cst fence, both at the lock's scope.
Operand ThreadLowering::lock(const CallArguments& call) {
  if (!expect_count(call, 1, 2, "lock(l) or lock(l, SCOPE)")) return erroneous();
  const std::optional<Place> word = memory_argument(call, 0, false);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? scope_argument(call, 1) : Scope::Device;
  if (!word || !scope) return erroneous();
  const SourceSpan span = call.node.span;
  const Label head = code_.new_label();
  code_.bind(head);
  const Operand old = rmw(*word, RmwOp::CompareExchange, {Order::Relaxed, *scope}, integer(Expr::make_constant(1)),
                          integer(Expr::make_constant(0)), span, false, LockRole::Acquire);
  code_.branch(to_boolean(old.expr), head, span);
  code_.emit(Fence{Order::SeqCst, *scope}, span);
  return nothing();
}

/// unlock(l): a seq_cst fence, then a relaxed exchange with 0, both at the lock's scope.
Operand ThreadLowering::unlock(const CallArguments& call) {
  if (!expect_count(call, 1, 2, "unlock(l) or unlock(l, SCOPE)")) return erroneous();
  const std::optional<Place> word = memory_argument(call, 0, false);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? scope_argument(call, 1) : Scope::Device;
  if (!word || !scope) return erroneous();
  code_.emit(Fence{Order::SeqCst, *scope}, call.node.span);
  rmw(*word, RmwOp::Exchange, {Order::Relaxed, *scope}, integer(Expr::make_constant(0)), std::nullopt, call.node.span,
      true, LockRole::Release);
  return nothing();
}

}  // namespace ambit::parser::litmus
