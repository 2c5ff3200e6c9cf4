#include "parser/litmus/atomic_lowering.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "parser/litmus/cuda_atomics.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

char type_code(ScalarType type) {
  switch (type.bits) {
    case 32: return type.is_signed ? 'i' : 'u';
    case 64: return type.is_signed ? 'l' : 'L';
    case 16: return type.is_signed ? 'x' : 's';
    default: return 'x';
  }
}

/// Returns whether the function can operate on the cell. Integer functions may also access floating-point memory, as
/// integers of the same size (is_view_of_opaque).
bool takes(const CudaAtomic& function, const Type& cell) {
  if (cell.is_bool) return false;
  if (!cell.is_opaque) return function.types.find(type_code(cell.scalar)) != std::string_view::npos;
  const std::string_view codes = cell.scalar.bits == 64 ? "dlL" : cell.scalar.bits == 32 ? "fiu" : "hs";
  return function.types.find_first_of(codes) != std::string_view::npos;
}

std::string list_types(std::string_view codes) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "int", "unsigned int", "long long", "unsigned long long", "unsigned short", "float", "double", "half"};
  std::vector<std::string_view> names;
  for (const char code : codes) names.push_back(kNames[std::string_view("iulLsfdh").find(code)]);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns whether the compiler emits the PTX instruction red instead of atom. red can only be relaxed or release
/// (definitions 2.1).
bool is_reduction(const RmwRequest& request) {
  return request.use == Use::Effects && request.op != RmwOp::Exchange && request.op != RmwOp::CompareExchange &&
         (request.at.order == Order::Relaxed || request.at.order == Order::Release);
}

}  // namespace

Operand AtomicLowering::cuda_atomic(const Call& call) {
  const CudaAtomic& function = *find_cuda_atomic(call.name);
  const bool compares = function.op == RmwOp::CompareExchange;
  const std::size_t count = compares ? 3 : 2;
  if (!thread_.expect_count(call, count, count,
                            fmt::format("{}(&x, {})", call.name, compares ? "compare, value" : "value"))) {
    return std::nullopt;
  }
  const std::optional<Place> cell = places_.memory_argument(call, 0, MemoryForm::Pointer);
  if (!cell) return std::nullopt;
  const SourceSpan at = call.arguments[0].span;
  if (cell->type.atomic_scope) {
    return thread_.error(at, fmt::format("'{}' does not take a {}", call.name, to_string(cell->type)),
                         "use the members of the atomic, for example .fetch_add(1)");
  }
  if (cell->type.target) {
    return thread_.error(
        at, fmt::format("CUDA has no '{}' for pointers", call.name),
        fmt::format("write {0}((unsigned long long*)&x, {1}(unsigned long long)p), or use cuda::atomic_ref<{2}, "
                    "cuda::thread_scope_device>",
                    call.name, compares ? "(unsigned long long)old, " : "", to_string(cell_type(cell->type))));
  }
  if (!takes(function, cell->type)) {
    return thread_.error(at, fmt::format("CUDA has no '{}' for {}", call.name, to_string(cell_type(cell->type))),
                         fmt::format("CUDA has this function for {}", list_types(function.types)));
  }
  std::optional<Operand> compare;
  if (compares) compare = thread_.value(call.arguments[1]);
  return rmw({.place = *cell,
              .op = function.op,
              .at = {Order::Relaxed, scope_of_suffix(call.name)},
              .operand = thread_.value(call.arguments[count - 1]),
              .compare = std::move(compare),
              .span = call.node.span,
              .use = call.use});
}

Operand AtomicLowering::rmw(RmwRequest request) {
  const Type cell = cell_type(request.place.type);
  if (!places_.is_writable(request.place, request.span)) return std::nullopt;
  if (cell.is_pointer && request.op != RmwOp::Exchange && request.op != RmwOp::CompareExchange) {
    return thread_.error(request.span,
                         fmt::format("'{}' of a pointer in memory is not supported", to_string(request.op)),
                         "use exchange or compare_exchange_strong");
  }
  const Operand operand = thread_.convert(std::move(request.operand), cell, request.span);
  Rmw made;
  if (request.compare) {
    const Operand compare = thread_.convert(*std::move(request.compare), cell, request.span);
    if (compare.erroneous) return std::nullopt;
    made.compare = compare.expr;
  }
  if (operand.erroneous) return std::nullopt;
  made.op = request.op;
  made.access = atomic_access(request.place, request.at);
  made.operand = operand.expr;
  made.is_reduction = is_reduction(request);
  made.lock = request.lock;
  const ScalarType scalar = register_type(cell);
  if (request.use == Use::Value) made.target = thread_.code.temporary(scalar);
  const std::optional<RegisterId> target = made.target;
  thread_.code.emit(std::move(made), request.span);
  return target ? Operand(Expr::make_register(*target, scalar), cell) : Operand::nothing();
}

std::optional<Scope> AtomicLowering::scope_argument(const Call& call, std::size_t index) {
  const ExprNode& node = call.arguments[index];
  const std::string hint = fmt::format("the scopes are {}", kScopeList);
  if (node.kind != ExprKind::Name) return thread_.error(node.span, "expected a scope", hint);
  if (const std::optional<Scope> scope = read_scope(node.name)) return scope;
  return thread_.error(node.span, fmt::format("'{}' is not a scope", node.name),
                       did_you_mean(node.name, scope_names(), hint));
}

/// Lowers __threadfence and its variants, which are seq_cst fences (definitions 2.1).
Operand AtomicLowering::cuda_fence(const Call& call) {
  thread_.code.emit(Fence{Order::SeqCst, scope_of_suffix(call.name)}, call.node.span);
  return Operand::nothing();
}

/// Lowers lock(l): a loop of relaxed compare-exchanges 0 -> 1, then a seq_cst fence. The compare-exchanges and the
/// fence have the lock's scope.
Operand AtomicLowering::lock(const Call& call) {
  const std::optional<Place> word = places_.memory_argument(call, 0, MemoryForm::CellOrPointer);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? scope_argument(call, 1) : Scope::Device;
  if (!word || !scope) return std::nullopt;
  const SourceSpan span = call.node.span;
  const Label head = thread_.code.new_label();
  thread_.code.bind(head);
  const Operand old = rmw({.place = *word,
                           .op = RmwOp::CompareExchange,
                           .at = {Order::Relaxed, *scope},
                           .operand = Operand::constant(1),
                           .compare = Operand::constant(0),
                           .span = span,
                           .use = Use::Value,
                           .lock = LockRole::Acquire});
  thread_.code.branch(to_boolean(old.expr), head, span);
  thread_.code.emit(Fence{Order::SeqCst, *scope}, span);
  return Operand::nothing();
}

/// Lowers unlock(l): a seq_cst fence, then a relaxed exchange with 0. The fence and the exchange have the lock's scope.
Operand AtomicLowering::unlock(const Call& call) {
  const std::optional<Place> word = places_.memory_argument(call, 0, MemoryForm::CellOrPointer);
  const std::optional<Scope> scope = call.arguments.size() > 1 ? scope_argument(call, 1) : Scope::Device;
  if (!word || !scope) return std::nullopt;
  thread_.code.emit(Fence{Order::SeqCst, *scope}, call.node.span);
  return rmw({.place = *word,
              .op = RmwOp::Exchange,
              .at = {Order::Relaxed, *scope},
              .operand = Operand::constant(0),
              .span = call.node.span,
              .use = Use::Effects,
              .lock = LockRole::Release});
}

}  // namespace ambit::parser::litmus
