#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "parser/litmus/thread_lowering.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

std::optional<RmwOp> rmw_operation(std::string_view name) {
  static const std::map<std::string_view, RmwOp> kOperations = {
      {"exchange", RmwOp::Exchange}, {"fetch_add", RmwOp::Add}, {"fetch_sub", RmwOp::Subtract},
      {"fetch_and", RmwOp::And},     {"fetch_or", RmwOp::Or},   {"fetch_xor", RmwOp::Xor},
      {"fetch_min", RmwOp::Min},     {"fetch_max", RmwOp::Max}};
  const auto found = kOperations.find(name);
  return found == kOperations.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string_view>& member_names() {
  static const std::vector<std::string_view> kNames = {"load",
                                                       "store",
                                                       "exchange",
                                                       "fetch_add",
                                                       "fetch_sub",
                                                       "fetch_and",
                                                       "fetch_or",
                                                       "fetch_xor",
                                                       "fetch_min",
                                                       "fetch_max",
                                                       "compare_exchange_strong",
                                                       "compare_exchange_weak"};
  return kNames;
}

/// The order of a failed compare-exchange where only one order is written [atomics.ref.ops].
Order failure_order(Order success) {
  if (success == Order::AcqRel) return Order::Acquire;
  return success == Order::Release ? Order::Relaxed : success;
}

}  // namespace

std::optional<Order> ThreadLowering::order_argument(const CallArguments& call, std::size_t index, Access kind) {
  const ExprNode& node = call.arguments[index];
  const std::optional<Order> order = node.kind == ExprKind::Name ? read_order(node.name) : std::nullopt;
  if (!order) {
    if (node.kind == ExprKind::Name && read_scope(node.name)) {
      error(node.span, fmt::format("'{}' needs a memory order before the scope", call.name),
            fmt::format("the orders are {}", kOrderList));
      return std::nullopt;
    }
    const std::string near = node.kind == ExprKind::Name ? did_you_mean(node.name, order_names()) : "";
    error(node.span,
          node.kind == ExprKind::Name ? fmt::format("'{}' is not a memory order", node.name)
                                      : "expected a memory order here",
          near.empty() ? fmt::format("the orders are {}", kOrderList) : near);
    return std::nullopt;
  }
  const bool releases = *order == Order::Release || *order == Order::AcqRel;
  const bool acquires = *order == Order::Acquire || *order == Order::AcqRel;
  if (kind == Access::Load && releases) {
    error(node.span, fmt::format("a load cannot have the order {}", ambit::to_string(*order)),
          "a load is relaxed, acquire or seq_cst");
  } else if (kind == Access::Store && acquires) {
    error(node.span, fmt::format("a store cannot have the order {}", ambit::to_string(*order)),
          "a store is relaxed, release or seq_cst");
  } else if (kind == Access::Fence && *order == Order::Relaxed) {
    error(node.span, "a relaxed fence does nothing", "a fence is acquire, release, acq_rel or seq_cst");
  } else {
    return order;
  }
  return std::nullopt;
}

std::optional<Scope> ThreadLowering::scope_argument(const CallArguments& call, std::size_t index) {
  const ExprNode& node = call.arguments[index];
  if (node.kind == ExprKind::Name) {
    if (const std::optional<Scope> scope = read_scope(node.name)) return scope;
  }
  const std::string near = node.kind == ExprKind::Name ? did_you_mean(node.name, scope_names()) : "";
  error(node.span,
        node.kind == ExprKind::Name ? fmt::format("'{}' is not a scope", node.name) : "expected a scope here",
        near.empty() ? fmt::format("the scopes are {}", kScopeList) : near);
  return std::nullopt;
}

/// ORDER, SCOPE as the last two arguments of the short forms: both must be written.
std::optional<ThreadLowering::OrderAndScope> ThreadLowering::order_and_scope(const CallArguments& call,
                                                                             std::size_t first, Access kind) {
  const std::string form = fmt::format("{}({}ORDER, SCOPE)", call.name,
                                       first == 0             ? ""
                                       : kind == Access::Load ? "x, "
                                       : first == 2           ? "x, value, "
                                                              : "x, expected, desired, ");
  const std::size_t count = call.arguments.size();
  if (count == first + 1 && call.arguments[first].kind == ExprKind::Name) {
    const bool has_order = read_order(call.arguments[first].name).has_value();
    const bool has_scope = read_scope(call.arguments[first].name).has_value();
    if (has_order || has_scope) {
      error(call.node.span,
            fmt::format("the {} of '{}' is missing: write {}", has_order ? "scope" : "memory order", call.name, form),
            has_order ? fmt::format("the scopes are {}", kScopeList) : fmt::format("the orders are {}", kOrderList));
      return std::nullopt;
    }
  }
  if (count == first) {
    error(call.node.span, fmt::format("the memory order and the scope of '{}' are missing: write {}", call.name, form),
          fmt::format("the orders are {}; the scopes are {}", kOrderList, kScopeList));
    return std::nullopt;
  }
  if (!expect_count(call, first + 2, first + 2, form)) return std::nullopt;
  const std::optional<Order> order = order_argument(call, first, kind);
  const std::optional<Scope> scope = scope_argument(call, first + 1);
  if (!order || !scope) return std::nullopt;
  return OrderAndScope{*order, *scope};
}

Operand ThreadLowering::atomic_load(const CallArguments& call) {
  const std::optional<OrderAndScope> at = order_and_scope(call, 1, Access::Load);
  const std::optional<Place> cell = at ? memory_argument(call, 0, false) : std::nullopt;
  if (!cell) return erroneous();
  MemoryAccess access{cell->address, cell->type.scalar, at->order, at->scope, true, false};
  return load(*cell, access, call.node.span);
}

Operand ThreadLowering::atomic_store(const CallArguments& call) {
  const std::optional<OrderAndScope> at = order_and_scope(call, 2, Access::Store);
  const std::optional<Place> cell = at ? memory_argument(call, 0, false) : std::nullopt;
  if (!cell) return erroneous();
  Operand stored = convert(value(call.arguments[1]), Type{.scalar = cell->type.scalar, .is_bool = cell->type.is_bool},
                           call.arguments[1].span);
  if (stored.erroneous) return stored;
  MemoryAccess access{cell->address, cell->type.scalar, at->order, at->scope, true, false};
  code_.emit(Store{std::move(access), std::move(stored.expr), LockRole::None}, call.node.span);
  return nothing();
}

Operand ThreadLowering::atomic_rmw(const CallArguments& call) {
  const std::optional<OrderAndScope> at = order_and_scope(call, 2, Access::ReadModifyWrite);
  const std::optional<Place> cell = at ? memory_argument(call, 0, false) : std::nullopt;
  if (!cell) return erroneous();
  Operand operand = value(call.arguments[1]);
  return rmw(*cell, *rmw_operation(call.name), *at, std::move(operand), std::nullopt, call.node.span, call.discarded);
}

/// compare_exchange(x, expected, desired, ORDER, SCOPE) yields the OLD VALUE of x, as atomicCAS does: it succeeded
/// where that equals `expected`. (The member of cuda::atomic yields a bool and updates `expected`.)
Operand ThreadLowering::atomic_compare_exchange(const CallArguments& call) {
  const std::optional<OrderAndScope> at = order_and_scope(call, 3, Access::ReadModifyWrite);
  const std::optional<Place> cell = at ? memory_argument(call, 0, false) : std::nullopt;
  if (!cell) return erroneous();
  Operand expected = value(call.arguments[1]);
  Operand desired = value(call.arguments[2]);
  return rmw(*cell, RmwOp::CompareExchange, *at, std::move(desired), std::move(expected), call.node.span,
             call.discarded);
}

Operand ThreadLowering::fence(const CallArguments& call) {
  const std::optional<OrderAndScope> at = order_and_scope(call, 0, Access::Fence);
  if (!at) return erroneous();
  code_.emit(Fence{at->order, at->scope}, call.node.span);
  return nothing();
}

/// cuda::atomic_thread_fence(order[, scope]); the default scope is the system.
Operand ThreadLowering::thread_fence(const CallArguments& call) {
  if (!expect_count(call, 1, 2, "cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device)")) {
    return erroneous();
  }
  const std::optional<Order> order = order_argument(call, 0, Access::Fence);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? scope_argument(call, 1) : Scope::System;
  if (!order || !scope) return erroneous();
  code_.emit(Fence{*order, *scope}, call.node.span);
  return nothing();
}

/// The order of a member's operation; seq_cst where none is written.
std::optional<Order> ThreadLowering::member_order(const CallArguments& call, std::size_t index, Access kind) {
  return call.arguments.size() > index ? order_argument(call, index, kind) : Order::SeqCst;
}

Operand ThreadLowering::member_call(const ExprNode& node, bool discarded) {
  const ExprNode& member = node.children.front();
  const ExprNode& object_node = member.children.front();
  const CallArguments call{node, member.name, std::span(node.children).subspan(1), discarded};
  if (const std::optional<BarrierKind> group = group_of(object_node)) return group_call(*group, call);
  std::optional<Place> object =
      member.is_arrow && object_node.kind == ExprKind::Name && object_node.name == "this" && self() ? self()
      : member.is_arrow ? dereference(value(object_node), object_node.span)
                        : place(object_node);
  if (!object) return erroneous();
  object->span = node.span;
  if (object->type.structure != nullptr && !object->variable) return struct_call(*object, call);
  if (object->variable || !object->type.atomic_scope) {
    error(object_node.span,
          fmt::format("'.{}' needs a cuda::atomic or cuda::atomic_ref, but this is {}", member.name,
                      to_string(object->type)),
          fmt::format("make one: cuda::atomic_ref<{}, cuda::thread_scope_device> a(x);",
                      to_string(Type{.scalar = object->type.scalar})));
    return erroneous();
  }
  const Scope scope = *object->type.atomic_scope;
  if (call.name == "load") {
    if (!expect_count(call, 0, 1, "load(order)")) return erroneous();
    const std::optional<Order> order = member_order(call, 0, Access::Load);
    if (!order) return erroneous();
    return load(*object, {object->address, object->type.scalar, *order, scope, true, false}, node.span);
  }
  if (call.name == "store") {
    if (!expect_count(call, 1, 2, "store(value, order)")) return erroneous();
    const std::optional<Order> order = member_order(call, 1, Access::Store);
    Operand stored = convert(value(call.arguments[0]), Type{.scalar = object->type.scalar}, call.arguments[0].span);
    if (!order || stored.erroneous) return erroneous();
    code_.emit(
        Store{
            {object->address, object->type.scalar, *order, scope, true, false}, std::move(stored.expr), LockRole::None},
        node.span);
    return nothing();
  }
  if (const std::optional<RmwOp> op = rmw_operation(call.name)) {
    if (!expect_count(call, 1, 2, fmt::format("{}(value, order)", call.name))) return erroneous();
    const std::optional<Order> order = member_order(call, 1, Access::ReadModifyWrite);
    Operand operand = value(call.arguments[0]);
    if (!order) return erroneous();
    return rmw(*object, *op, {*order, scope}, std::move(operand), std::nullopt, node.span, discarded);
  }
  if (call.name == "compare_exchange_strong" || call.name == "compare_exchange_weak") {
    return member_compare_exchange(*object, call);
  }
  const std::string near = did_you_mean(call.name, member_names());
  error(member.span, fmt::format("cuda::atomic has no member '{}'", call.name),
        near.empty() ? fmt::format("its members are {}", fmt::join(member_names(), ", ")) : near);
  return erroneous();
}

/// bool compare_exchange_strong(T& expected, T desired, order[, failure order]). The weak form may also fail for no
/// reason; it is read as the strong one, since a spurious failure is an execution that a retry loop has anyway.
Operand ThreadLowering::member_compare_exchange(const Place& object, const CallArguments& call) {
  if (!expect_count(call, 2, 4, fmt::format("{}(expected, desired, order)", call.name))) return erroneous();
  const std::optional<Order> order = member_order(call, 2, Access::ReadModifyWrite);
  const std::optional<Order> failure = call.arguments.size() > 3
                                           ? order_argument(call, 3, Access::Load)
                                           : std::optional(failure_order(order.value_or(Order::SeqCst)));
  std::optional<Place> expected = place(call.arguments[0]);
  if (!order || !failure || !expected) return erroneous();
  if (*failure != failure_order(*order)) {
    error(call.arguments[3].span,
          fmt::format("the failure order {} differs from {}, which {} implies; this is not supported",
                      ambit::to_string(*failure), ambit::to_string(failure_order(*order)), ambit::to_string(*order)),
          "leave the failure order out");
    return erroneous();
  }
  if (expected->type.is_pointer || expected->type.scalar != object.type.scalar) {
    error(call.arguments[0].span,
          fmt::format("'expected' must be a variable of type {}, but this is {}",
                      to_string(Type{.scalar = object.type.scalar}), to_string(expected->type)));
    return erroneous();
  }
  const SourceSpan span = call.node.span;
  Operand before = read(*expected);
  if (before.erroneous) return before;
  before.expr = stable(std::move(before.expr), span);
  const Operand desired = value(call.arguments[1]);
  const Operand old =
      rmw(object, RmwOp::CompareExchange, {*order, *object.type.atomic_scope}, desired, before, span, false);
  if (old.erroneous) return erroneous();
  // Both are in registers that nothing else writes, so the result can be computed when it is used. Writing the old
  // value on success too changes nothing for a variable; for memory the write happens on failure only.
  Operand result = integer(make_binary(Op::Equal, old.expr, before.expr));
  if (expected->variable) {
    Variable& variable = variables_[*expected->variable];
    variable.known.reset();
    code_.emit(Assign{variable.reg, old.expr}, span);
    return result;
  }
  const Label done = code_.new_label();
  code_.branch(result.expr, done, span);
  write(*expected, old, span);
  code_.bind(done);
  return result;
}

}  // namespace ambit::parser::litmus
