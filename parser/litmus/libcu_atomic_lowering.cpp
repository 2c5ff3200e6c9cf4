#include "parser/litmus/libcu_atomic_lowering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>

#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::array<std::pair<std::string_view, RmwOp>, 8> kOperations = {{{"exchange", RmwOp::Exchange},
                                                                            {"fetch_add", RmwOp::Add},
                                                                            {"fetch_sub", RmwOp::Subtract},
                                                                            {"fetch_and", RmwOp::And},
                                                                            {"fetch_or", RmwOp::Or},
                                                                            {"fetch_xor", RmwOp::Xor},
                                                                            {"fetch_min", RmwOp::Min},
                                                                            {"fetch_max", RmwOp::Max}}};

std::optional<RmwOp> rmw_operation(std::string_view name) {
  for (const auto& [known, op] : kOperations) {
    if (known == name) return op;
  }
  return std::nullopt;
}

/// Returns the weakest order that includes the success order and the failure order of a compare-exchange, like
/// __stronger_order_cuda of libcu++. The failure order is relaxed, acquire or seq_cst.
Order joined_order(Order success, Order failure) {
  if (success == Order::SeqCst || failure == Order::SeqCst) return Order::SeqCst;
  if (failure == Order::Relaxed) return success;
  if (success == Order::Relaxed) return failure;
  return success == Order::Release ? Order::AcqRel : success;
}

}  // namespace

std::optional<Order> LibcuAtomicLowering::order_argument(const Call& call, std::size_t index, Access kind) {
  const ExprNode& node = call.arguments[index];
  const std::string orders = fmt::format("the orders are {}", kOrderList);
  if (node.kind != ExprKind::Name) return thread_.error(node.span, "expected a memory order", orders);
  const std::optional<Order> order = read_order(node.name);
  if (!order) {
    if (read_scope(node.name)) {
      return thread_.error(node.span, fmt::format("'{}' needs a memory order before the scope", call.name), orders);
    }
    static const std::map<std::string_view, std::string_view> kShort = {
        {"acq", "acquire"}, {"rel", "release"}, {"rlx", "relaxed"}, {"acqrel", "acq_rel"}, {"seqcst", "seq_cst"}};
    const auto meant = kShort.find(node.name);
    return thread_.error(node.span, fmt::format("'{}' is not a memory order", node.name),
                         meant != kShort.end() ? fmt::format("did you mean '{}'?", meant->second)
                                               : did_you_mean(node.name, order_names(), orders));
  }
  const bool only_reads = kind == Access::Load || kind == Access::FailedExchange;
  const Order excluded = only_reads ? Order::Release : Order::Acquire;
  if ((only_reads || kind == Access::Store) && (*order == excluded || *order == Order::AcqRel)) {
    const std::string_view access = kind == Access::Load    ? "load"
                                    : kind == Access::Store ? "store"
                                                            : "failed compare-exchange";
    return thread_.error(node.span, fmt::format("a {} cannot have the order {}", access, ambit::to_string(*order)),
                         fmt::format("a {} is relaxed, {} or seq_cst", access, only_reads ? "acquire" : "release"));
  }
  if (kind == Access::Fence && *order == Order::Relaxed) {
    return thread_.error(node.span, "a fence cannot be relaxed", "a fence is acquire, release, acq_rel or seq_cst");
  }
  return order;
}

/// Reads the cell, the order and the scope of a short form, such as load(x, ORDER, SCOPE). ORDER and SCOPE are
/// mandatory. A fence has no cell.
std::optional<LibcuAtomicLowering::Target> LibcuAtomicLowering::target(const Call& call, std::size_t first,
                                                                       Access kind) {
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
      return thread_.error(
          call.node.span,
          fmt::format("the {} of '{}' is missing: write {}", has_order ? "scope" : "memory order", call.name, form),
          has_order              ? fmt::format("the scopes are {}", kScopeList)
          : call.name == "fence" ? std::string("the orders are acquire, release, acq_rel, seq_cst")
                                 : fmt::format("the orders are {}", kOrderList));
    }
  }
  if (count == first) {
    return thread_.error(call.node.span,
                         fmt::format("the memory order and the scope of '{}' are missing: write {}", call.name, form),
                         fmt::format("the orders are {}; the scopes are {}", kOrderList, kScopeList));
  }
  if (!thread_.expect_count(call, first + 2, first + 2, form)) return std::nullopt;
  const std::optional<Order> order = order_argument(call, first, kind);
  const std::optional<Scope> scope = atomics_.scope_argument(call, first + 1);
  if (!order || !scope) return std::nullopt;
  if (kind == Access::Fence) return Target{{}, {*order, *scope}};
  std::optional<Place> cell = places_.memory_argument(call, 0, MemoryForm::CellOrPointer);
  if (!cell) return std::nullopt;
  return Target{*std::move(cell), {*order, *scope}};
}

Operand LibcuAtomicLowering::emit_store(const Target& to, Operand stored, SourceSpan span) {
  if (stored.erroneous) return stored;
  thread_.code.emit(Store{atomic_access(to.cell, to.at), std::move(stored.expr), LockRole::None}, span);
  return Operand::nothing();
}

Operand LibcuAtomicLowering::load(const Call& call) {
  const std::optional<Target> to = target(call, 1, Access::Load);
  if (!to) return std::nullopt;
  return places_.load(to->cell, atomic_access(to->cell, to->at), call.node.span);
}

Operand LibcuAtomicLowering::store(const Call& call) {
  const std::optional<Target> to = target(call, 2, Access::Store);
  if (!to) return std::nullopt;
  return emit_store(*to,
                    thread_.convert(thread_.value(call.arguments[1]), cell_type(to->cell.type), call.arguments[1].span),
                    call.node.span);
}

/// Lowers the short forms of read-modify-writes. compare_exchange(x, expected, desired, ORDER, SCOPE) returns the OLD
/// VALUE of x, like atomicCAS. The exchange succeeds if the old value equals `expected`. The member function of
/// cuda::atomic is different: the member function returns a bool and updates `expected`.
Operand LibcuAtomicLowering::rmw(const Call& call) {
  const std::optional<RmwOp> op = rmw_operation(call.name);
  const std::optional<Target> to = target(call, op ? 2 : 3, Access::ReadModifyWrite);
  if (!to) return std::nullopt;
  std::optional<Operand> expected;
  if (!op) expected = thread_.value(call.arguments[1]);
  return atomics_.rmw({.place = to->cell,
                       .op = op.value_or(RmwOp::CompareExchange),
                       .at = to->at,
                       .operand = thread_.value(call.arguments[op ? 1 : 2]),
                       .compare = std::move(expected),
                       .span = call.node.span,
                       .use = call.use});
}

Operand LibcuAtomicLowering::fence(const Call& call) {
  const std::optional<Target> to = target(call, 0, Access::Fence);
  if (!to) return std::nullopt;
  thread_.code.emit(Fence{to->at.order, to->at.scope}, call.node.span);
  return Operand::nothing();
}

Operand LibcuAtomicLowering::thread_fence(const Call& call) {
  const std::optional<Order> order = order_argument(call, 0, Access::Fence);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? atomics_.scope_argument(call, 1) : Scope::System;
  if (!order || !scope) return std::nullopt;
  thread_.code.emit(Fence{*order, *scope}, call.node.span);
  return Operand::nothing();
}

/// Returns the memory order argument of a member function; the default is seq_cst.
std::optional<Order> LibcuAtomicLowering::member_order(const Call& call, std::size_t index, Access kind) {
  return call.arguments.size() > index ? order_argument(call, index, kind) : Order::SeqCst;
}

Operand LibcuAtomicLowering::member(const Place& object, const Call& call) {
  if (call.name == "compare_exchange_strong" || call.name == "compare_exchange_weak") {
    return member_compare_exchange(object, call);
  }
  const bool is_load = call.name == "load";
  const bool is_store = call.name == "store";
  const std::optional<RmwOp> op = rmw_operation(call.name);
  if (!is_load && !is_store && !op) return unknown_member(call);
  const std::size_t values = is_load ? 0 : 1;
  if (!thread_.expect_count(call, values, values + 1,
                            fmt::format("{}({}order)", call.name, is_load ? "" : "value, "))) {
    return std::nullopt;
  }
  const std::optional<Order> order = member_order(call, values,
                                                  is_load    ? Access::Load
                                                  : is_store ? Access::Store
                                                             : Access::ReadModifyWrite);
  Operand operand;
  if (!is_load) operand = thread_.value(call.arguments[0]);
  if (is_store) operand = thread_.convert(std::move(operand), cell_type(object.type), call.arguments[0].span);
  if (!order) return std::nullopt;
  const OrderAndScope at{*order, *object.type.atomic_scope};
  if (is_load) return places_.load(object, atomic_access(object, at), call.node.span);
  if (is_store) return emit_store({object, at}, std::move(operand), call.node.span);
  return atomics_.rmw(
      {.place = object, .op = *op, .at = at, .operand = std::move(operand), .span = call.node.span, .use = call.use});
}

Operand LibcuAtomicLowering::unknown_member(const Call& call) {
  std::vector<std::string_view> names = {"load", "store"};
  for (const auto& [name, op] : kOperations) names.push_back(name);
  names.insert(names.end(), {"compare_exchange_strong", "compare_exchange_weak"});
  return thread_.error(call.node.children.front().span, fmt::format("cuda::atomic has no member '{}'", call.name),
                       did_you_mean(call.name, names, fmt::format("its members are {}", fmt::join(names, ", "))));
}

/// Lowers bool compare_exchange_strong(T& expected, T desired, order[, failure order]). compare_exchange_weak is
/// lowered in the same way, without spurious failures: a spurious failure only adds an iteration to a retry loop. PTX
/// has one order for success and failure.
Operand LibcuAtomicLowering::member_compare_exchange(const Place& object, const Call& call) {
  if (!thread_.expect_count(call, 2, 4, fmt::format("{}(expected, desired, order)", call.name))) return std::nullopt;
  const std::optional<Order> order = member_order(call, 2, Access::ReadModifyWrite);
  const std::optional<Order> failure =
      call.arguments.size() > 3 ? order_argument(call, 3, Access::FailedExchange) : std::optional(Order::Relaxed);
  const std::optional<Place> expected = places_.place(call.arguments[0]);
  if (!order || !failure || !expected) return std::nullopt;
  const Type wanted = cell_type(object.type);
  const Type given = expected->variable ? expected->type : cell_type(expected->type);
  const bool is_same = wanted.is_pointer ? given.is_pointer && is_same_object_type(given, wanted)
                                         : !given.is_pointer && given.scalar == wanted.scalar;
  if (!is_same) {
    return thread_.error(call.arguments[0].span, fmt::format("'expected' must be a variable of type {}, but this is {}",
                                                             to_string(wanted), to_string(expected->type)));
  }
  const SourceSpan span = call.node.span;
  Operand before = places_.read(*expected);
  if (before.erroneous) return before;
  before.expr = thread_.code.stable(std::move(before.expr), span);
  const Operand old = atomics_.rmw({.place = object,
                                    .op = RmwOp::CompareExchange,
                                    .at = {joined_order(*order, *failure), *object.type.atomic_scope},
                                    .operand = thread_.value(call.arguments[1]),
                                    .compare = before,
                                    .span = span,
                                    .use = Use::Value});
  if (old.erroneous) return std::nullopt;
  // No other instruction writes the registers of the old value and the expected value, so each use of the result can
  // compare these registers. If `expected` is a variable, the variable receives the old value even on success, because
  // the old value then equals the expected value. If `expected` is in memory, the memory is written only on failure.
  Operand result = Operand::integer(make_binary(Op::Equal, old.expr, before.expr));
  if (expected->variable) {
    expected->variable->known.reset();
    thread_.code.emit(Assign{expected->variable->reg, old.expr}, span);
    return result;
  }
  const Label done = thread_.code.new_label();
  thread_.code.branch(result.expr, done, span);
  places_.write(*expected, old, span);
  thread_.code.bind(done);
  return result;
}

}  // namespace ambit::parser::litmus
