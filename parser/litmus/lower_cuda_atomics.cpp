#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

/// The types that CUDA has an atomic function for (CUDA C++ Programming Guide, "Atomic Functions").
struct CudaAtomic {
  std::string_view name;
  RmwOp op;
  std::string_view types;  ///< i int, u unsigned, l long long, L unsigned long long, s unsigned short
};
constexpr std::array<CudaAtomic, 11> kCudaAtomics = {{{"atomicAdd", RmwOp::Add, "iuL"},
                                                      {"atomicSub", RmwOp::Subtract, "iu"},
                                                      {"atomicExch", RmwOp::Exchange, "iuL"},
                                                      {"atomicMin", RmwOp::Min, "iulL"},
                                                      {"atomicMax", RmwOp::Max, "iulL"},
                                                      {"atomicInc", RmwOp::IncrementWrap, "u"},
                                                      {"atomicDec", RmwOp::DecrementWrap, "u"},
                                                      {"atomicAnd", RmwOp::And, "iuL"},
                                                      {"atomicOr", RmwOp::Or, "iuL"},
                                                      {"atomicXor", RmwOp::Xor, "iuL"},
                                                      {"atomicCAS", RmwOp::CompareExchange, "iuLs"}}};

char type_code(ScalarType type) {
  switch (type.bits) {
    case 32: return type.is_signed ? 'i' : 'u';
    case 64: return type.is_signed ? 'l' : 'L';
    case 16: return type.is_signed ? 'x' : 's';
    default: return 'x';
  }
}

std::string list_types(std::string_view codes) {
  std::string result;
  for (const char code : codes) {
    if (!result.empty()) result += ", ";
    result += code == 'i'   ? "int"
              : code == 'u' ? "unsigned int"
              : code == 'l' ? "long long"
              : code == 'L' ? "unsigned long long"
                            : "unsigned short";
  }
  return result;
}

bool can_be_reduction(RmwOp op) { return op != RmwOp::Exchange && op != RmwOp::CompareExchange; }

}  // namespace

/// atomicX, atomicX_block, atomicX_system: relaxed, at device, block, system scope. Nothing when it is none of these.
std::optional<Operand> ThreadLowering::cuda_atomic(const CallArguments& call) {
  std::string_view base = call.name;
  Scope scope = Scope::Device;
  if (base.ends_with("_block")) {
    scope = Scope::Block;
    base.remove_suffix(6);
  } else if (base.ends_with("_system")) {
    scope = Scope::System;
    base.remove_suffix(7);
  }
  const auto* found =
      std::find_if(kCudaAtomics.begin(), kCudaAtomics.end(), [&](const CudaAtomic& a) { return a.name == base; });
  if (found == kCudaAtomics.end()) return std::nullopt;
  const bool compares = found->op == RmwOp::CompareExchange;
  const std::size_t count = compares ? 3 : 2;
  if (!expect_count(call, count, count, fmt::format("{}(&x, {})", call.name, compares ? "compare, value" : "value"))) {
    return erroneous();
  }
  const std::optional<Place> cell = memory_argument(call, 0, true);
  if (!cell) return erroneous();
  if (cell->type.atomic_scope) {
    error(call.arguments[0].span, fmt::format("'{}' does not take a {}", call.name, to_string(cell->type)),
          "use its members, for example .fetch_add(1)");
    return erroneous();
  }
  if (found->types.find(type_code(cell->type.scalar)) == std::string_view::npos || cell->type.is_bool) {
    error(call.arguments[0].span,
          fmt::format("CUDA has no '{}' on {}", call.name,
                      to_string(Type{.scalar = cell->type.scalar, .is_bool = cell->type.is_bool})),
          fmt::format("it exists for {}", list_types(found->types)));
    return erroneous();
  }
  std::optional<Operand> compare;
  if (compares) compare = value(call.arguments[1]);
  Operand operand = value(call.arguments[count - 1]);
  return rmw(*cell, found->op, {Order::Relaxed, scope}, std::move(operand), std::move(compare), call.node.span,
             call.discarded);
}

Operand ThreadLowering::rmw(const Place& place, RmwOp op, OrderAndScope at, Operand operand,
                            std::optional<Operand> compare, SourceSpan span, bool discarded, LockRole lock) {
  const Type cell{.scalar = place.type.scalar, .is_bool = place.type.is_bool};
  operand = convert(std::move(operand), cell, span);
  if (compare) compare = convert(*std::move(compare), cell, span);
  if (operand.erroneous || (compare && compare->erroneous)) return erroneous();
  Rmw made;
  made.op = op;
  made.access.address = place.address;
  made.access.type = cell.scalar;
  made.access.order = at.order;
  made.access.scope = at.scope;
  made.access.is_atomic = true;
  made.operand = std::move(operand.expr);
  if (compare) made.compare = std::move(compare->expr);
  // PTX's red is relaxed or release only: with another order the compiler keeps the atom (definitions 2.1).
  made.is_reduction = discarded && can_be_reduction(op) && (at.order == Order::Relaxed || at.order == Order::Release);
  made.lock = lock;
  Operand old;
  old.type = cell;
  old.expr = Expr::make_constant(0, cell.scalar);
  if (!discarded) {
    made.target = code_.temporary(cell.scalar);
    old.expr = Expr::make_register(*made.target, cell.scalar);
  }
  code_.emit(std::move(made), span);
  return discarded ? nothing() : old;
}

/// ++, += and their like on a cuda::atomic: seq_cst read-modify-writes at its scope.
Operand ThreadLowering::atomic_update(const Place& place, Op op, Operand operand, SourceSpan span, bool discarded,
                                      bool old_value) {
  std::optional<RmwOp> rmw_op;
  switch (op) {
    case Op::Add: rmw_op = RmwOp::Add; break;
    case Op::Subtract: rmw_op = RmwOp::Subtract; break;
    case Op::BitAnd: rmw_op = RmwOp::And; break;
    case Op::BitOr: rmw_op = RmwOp::Or; break;
    case Op::BitXor: rmw_op = RmwOp::Xor; break;
    default: break;
  }
  if (!rmw_op) {
    error(span, fmt::format("cuda::atomic has no '{}='", ambit::to_string(op)), "it has +=, -=, &=, |= and ^=");
    return erroneous();
  }
  operand = convert(std::move(operand), Type{.scalar = place.type.scalar}, span);
  if (operand.erroneous) return operand;
  if (!discarded) operand.expr = stable(std::move(operand.expr), span);
  Operand old = rmw(place, *rmw_op, {Order::SeqCst, *place.type.atomic_scope}, operand, std::nullopt, span, discarded);
  if (discarded || old_value || old.erroneous) return old;
  return convert(integer(make_binary(op, std::move(old.expr), std::move(operand.expr))),
                 Type{.scalar = place.type.scalar}, span);
}

/// The memory that an operation works on: `x`, `data[1]`, `*p`, or a pointer to it: `&x`, `p`, `data`. CUDA's own
/// functions take pointers only.
std::optional<Place> ThreadLowering::memory_argument(const CallArguments& call, std::size_t index, bool pointer_only) {
  const ExprNode& node = call.arguments[index];
  const bool lvalue = node.kind == ExprKind::Index || node.kind == ExprKind::AtomicRef ||
                      (node.kind == ExprKind::Unary && node.unary == UnaryOp::Dereference);
  bool is_cell = lvalue;
  if (node.kind == ExprKind::Member) {
    std::optional<FieldPlace> found = field(node);
    if (!found) return std::nullopt;
    found->place.span = call.node.span;
    if (found->is_array || !pointer_only) return found->place;
    error(node.span, fmt::format("'{}' needs the address of what it changes", call.name), "write & before it");
    return std::nullopt;
  }
  if (node.kind == ExprKind::Name) {
    const Variable* variable = find_variable(node.name);
    const MemoryEntry* entry = variable == nullptr ? memory_.find(node.name) : nullptr;
    is_cell = variable != nullptr ? !variable->type.is_pointer : entry != nullptr && !entry->is_array;
  }
  if (is_cell && !pointer_only) {
    std::optional<Place> cell = place(node);
    if (cell && cell->variable) {
      error(node.span, fmt::format("'{}' is a variable of the thread, not memory", variables_[*cell->variable].name));
      return std::nullopt;
    }
    if (cell) cell->span = call.node.span;
    return cell;
  }
  if (is_cell && node.kind != ExprKind::AtomicRef) {
    std::optional<Place> cell = place(node);
    if (!cell) return std::nullopt;
    const std::string_view text = node.kind == ExprKind::Name ? node.name : std::string_view{};
    error(node.span, fmt::format("'{}' needs the address of what it changes", call.name),
          cell->variable ? "a variable of the thread is not memory"
          : text.empty() ? "write & before it"
                         : fmt::format("write &{}", text));
    return std::nullopt;
  }
  Operand pointer = value(node);
  if (pointer.erroneous) return std::nullopt;
  if (!pointer.type.is_pointer) {
    error(node.span, fmt::format("'{}' needs memory to work on, but this is a value", call.name));
    return std::nullopt;
  }
  std::optional<Place> cell = dereference(std::move(pointer), node.span);
  if (cell) cell->span = call.node.span;
  return cell;
}

/// __threadfence and its variants are seq_cst fences (definitions 2.1).
Operand ThreadLowering::cuda_fence(const CallArguments& call) {
  if (!expect_count(call, 0, 0, fmt::format("{}()", call.name))) return erroneous();
  const Scope scope = call.name.ends_with("_block")    ? Scope::Block
                      : call.name.ends_with("_system") ? Scope::System
                                                       : Scope::Device;
  code_.emit(Fence{Order::SeqCst, scope}, call.node.span);
  return nothing();
}

}  // namespace ambit::parser::litmus
