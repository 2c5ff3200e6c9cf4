#include "parser/litmus/call_lowering.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>

#include "core/bit_expressions.h"
#include "parser/litmus/cuda_atomics.h"
#include "parser/litmus/foreign_names.h"
#include "parser/litmus/math_functions.h"
#include "parser/text/keywords.h"

namespace ambit::parser::litmus {

namespace {

/// Lowers __popc, __ffs, __clz and their 64-bit forms (CUDA Math API, "Integer Intrinsics"). Returns nothing for a call
/// of a different function.
std::optional<Expr> counted_bits(ThreadContext& thread, const Call& call, const Expr& argument) {
  const bool is_long = call.name.ends_with("ll");
  const std::string_view base = call.name.substr(0, call.name.size() - (is_long ? 2 : 0));
  using Count = Expr (*)(const Expr&);
  const Count count = base == "__popc"  ? count_ones
                      : base == "__ffs" ? find_first_set
                      : base == "__clz" ? count_leading_zeros
                                        : nullptr;
  if (count == nullptr) return std::nullopt;
  const ScalarType type = is_long ? kUnsignedLongLong : kUnsigned;
  return Expr::make_cast(count(thread.code.stable(Expr::make_cast(argument, type), call.node.span)), kInt);
}

/// Returns the reason why Ambit does not support a CUDA function; an empty string for other names.
std::string_view why_unsupported(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kFamilies = {{
      {"tex", "textures use another proxy: write the test in PTX"},
      {"surf", "surfaces use another proxy: write the test in PTX"},
      {"malloc", "only launches and declarations allocate memory"},
      {"free", "only launches and declarations allocate memory"},
      {"__mbarrier", "Ambit reads cuda::barrier and cuda::ptx"},
      {"cudaGridDependencySynchronize", "PTX litmus files can have grids that depend on each other"},
      {"cudaTriggerProgrammaticLaunchCompletion", "PTX litmus files can have grids that depend on each other"},
      {"cuda::pipeline", "Ambit reads cuda::make_pipeline, its pipelines, and pipeline_producer_commit"},
      {"cooperative_groups::",
       "Ambit reads this_thread_block(), this_cluster(), this_grid(), sync, memcpy_async, wait and wait_prior"},
  }};
  for (const auto& [prefix, why] : kFamilies) {
    if (name.starts_with(prefix)) return why;
  }
  return {};
}

}  // namespace

/// The built-in functions of the language.
struct CallLowering::Builtins {
  struct Builtin {
    Operand (*lower)(CallLowering& calls, const Call& call);
    std::size_t least_arguments = 0;
    std::size_t most_arguments = std::numeric_limits<std::size_t>::max();
    std::string_view form = {};  ///< the syntax of the call, for hints
  };

  /// Each of these functions calls `Method`. own() calls it on the CallLowering itself; the other functions call it on
  /// the member `Part` of the CallLowering.
  template <auto Method>
  static Operand own(CallLowering& calls, const Call& call) {
    return (calls.*Method)(call);
  }
  template <auto Part, auto Method>
  static Operand of(CallLowering& calls, const Call& call) {
    return (calls.*Part.*Method)(call);
  }
  template <auto Method>
  static constexpr auto cuda = of<&CallLowering::atomics_, Method>;
  template <auto Method>
  static constexpr auto libcu = of<&CallLowering::libcu_atomics_, Method>;
  template <auto Method>
  static constexpr auto barrier = of<&CallLowering::barriers_, Method>;

  static const std::map<std::string_view, Builtin>& table() {
    using Atomics = AtomicLowering;
    using Barriers = BarrierLowering;
    using Libcu = LibcuAtomicLowering;
    constexpr std::string_view kThreadFence =
        "cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device)";
    static const std::map<std::string_view, Builtin> kTable = {
        {"load", {libcu<&Libcu::load>}},
        {"store", {libcu<&Libcu::store>}},
        {"exchange", {libcu<&Libcu::rmw>}},
        {"fetch_add", {libcu<&Libcu::rmw>}},
        {"fetch_sub", {libcu<&Libcu::rmw>}},
        {"fetch_and", {libcu<&Libcu::rmw>}},
        {"fetch_or", {libcu<&Libcu::rmw>}},
        {"fetch_xor", {libcu<&Libcu::rmw>}},
        {"fetch_min", {libcu<&Libcu::rmw>}},
        {"fetch_max", {libcu<&Libcu::rmw>}},
        {"compare_exchange", {libcu<&Libcu::rmw>}},
        {"fence", {libcu<&Libcu::fence>}},
        {"cuda::atomic_thread_fence", {libcu<&Libcu::thread_fence>, 1, 2, kThreadFence}},
        {"cuda::std::atomic_thread_fence", {libcu<&Libcu::thread_fence>, 1, 2, kThreadFence}},
        {"std::atomic_thread_fence", {libcu<&Libcu::thread_fence>, 1, 2, kThreadFence}},
        {"atomic_thread_fence", {libcu<&Libcu::thread_fence>, 1, 2, kThreadFence}},
        {"__threadfence", {cuda<&Atomics::cuda_fence>, 0, 0, "__threadfence()"}},
        {"__threadfence_block", {cuda<&Atomics::cuda_fence>, 0, 0, "__threadfence_block()"}},
        {"__threadfence_system", {cuda<&Atomics::cuda_fence>, 0, 0, "__threadfence_system()"}},
        {"lock", {cuda<&Atomics::lock>, 1, 2, "lock(l) or lock(l, SCOPE)"}},
        {"unlock", {cuda<&Atomics::unlock>, 1, 2, "unlock(l) or unlock(l, SCOPE)"}},
        {"__syncthreads", {barrier<&Barriers::sync>, 0, 0, "__syncthreads()"}},
        {"__syncwarp", {barrier<&Barriers::sync_warp>, 0, 1, "__syncwarp() or __syncwarp(mask)"}},
        {"__barrier", {barrier<&Barriers::named_barrier>, 1, 2, "__barrier(id) or __barrier(id, count)"}},
        {"__barrier_sync", {barrier<&Barriers::named_barrier>, 1, 1, "__barrier_sync(id)"}},
        {"__barrier_sync_count", {barrier<&Barriers::named_barrier>, 2, 2, "__barrier_sync_count(id, count)"}},
        {"__barrier_arrive", {barrier<&Barriers::named_barrier>, 2, 2, "__barrier_arrive(id, count)"}},
        {"cluster_sync", {barrier<&Barriers::sync>, 0, 0, "cluster_sync()"}},
        {"grid_sync", {barrier<&Barriers::sync>, 0, 0, "grid_sync()"}},
        {"cooperative_groups::this_thread_block",
         {barrier<&Barriers::group_value>, 0, 0, "cooperative_groups::this_thread_block()"}},
        {"cooperative_groups::this_cluster",
         {barrier<&Barriers::group_value>, 0, 0, "cooperative_groups::this_cluster()"}},
        {"cooperative_groups::this_grid", {barrier<&Barriers::group_value>, 0, 0, "cooperative_groups::this_grid()"}},
        {"cooperative_groups::sync", {barrier<&Barriers::group_sync>}},
        {"assert", {own<&CallLowering::assertion>, 1, 1, "assert(condition)"}},
        {"assume", {own<&CallLowering::assertion>, 1, 1, "assume(condition)"}},
        {"min", {own<&CallLowering::minimum_maximum>, 2, 2, "min(a, b)"}},
        {"max", {own<&CallLowering::minimum_maximum>, 2, 2, "max(a, b)"}},
        {"__nanosleep", {own<&CallLowering::nanosleep>, 1, 1, "__nanosleep(nanoseconds)"}},
        {"printf", {own<&CallLowering::print>}},
        {"memcpy", {own<&CallLowering::memory_copy>, 3, 3, "memcpy(to, from, bytes)"}},
        {"memmove", {own<&CallLowering::memory_copy>, 3, 3, "memmove(to, from, bytes)"}},
        {"__ldg", {own<&CallLowering::hinted_load>, 1, 1, "__ldg(p)"}},
        {"__ldca", {own<&CallLowering::hinted_load>, 1, 1, "__ldca(p)"}},
        {"__ldcg", {own<&CallLowering::hinted_load>, 1, 1, "__ldcg(p)"}},
        {"__ldcs", {own<&CallLowering::hinted_load>, 1, 1, "__ldcs(p)"}},
        {"__ldcv", {own<&CallLowering::hinted_load>, 1, 1, "__ldcv(p)"}},
        {"__ldlu", {own<&CallLowering::hinted_load>, 1, 1, "__ldlu(p)"}},
        {"__stcg", {own<&CallLowering::hinted_store>, 2, 2, "__stcg(p, value)"}},
        {"__stcs", {own<&CallLowering::hinted_store>, 2, 2, "__stcs(p, value)"}},
        {"__stwb", {own<&CallLowering::hinted_store>, 2, 2, "__stwb(p, value)"}},
        {"__stwt", {own<&CallLowering::hinted_store>, 2, 2, "__stwt(p, value)"}},
        {"memset", {own<&CallLowering::memory_set>, 3, 3, "memset(to, value, bytes)"}},
    };
    return kTable;
  }
};

Operand CallLowering::call(const ExprNode& node, Use use) {
  if (!thread_.spend(node.span)) return std::nullopt;
  const ExprNode& callee = node.children.front();
  const Call call = Call::of(node, use);
  if (callee.kind == ExprKind::Member) return member_call(call);
  if (callee.kind == ExprKind::Lambda) {
    const Operand lambda = thread_.value(callee);
    return lambda.closure != nullptr ? inlined_lambda(*lambda.closure, call) : std::nullopt;
  }
  if (callee.kind != ExprKind::Name) return thread_.error(callee.span, "this is not a function");
  if (const Variable* variable = thread_.variables.find(callee.name); variable != nullptr && variable->closure) {
    return inlined_lambda(*std::shared_ptr(variable->closure), call);
  }
  if (const std::optional<Place>& self = thread_.frame->self) {  // a member function calls other members by plain names
    const std::string member = fmt::format("{}::{}", self->type.structure->name.text, callee.name);
    if (const auto& overloads = thread_.functions.overloads(member); !overloads.empty()) {
      const FunctionNode* function = chosen(overloads, call);
      return function != nullptr ? inlined(*function, call, self) : std::nullopt;
    }
  }
  if (const auto& overloads = thread_.functions.overloads(callee.name); !overloads.empty()) {
    if (!overloads.front()->is_kernel) {
      const FunctionNode* function = chosen(overloads, call);
      return function != nullptr ? inlined(*function, call) : std::nullopt;
    }
    return thread_.error(callee.span, fmt::format("'{}' is a kernel: launch it instead of calling it", callee.name));
  }
  if (find_cuda_atomic(callee.name) != nullptr) return atomics_.cuda_atomic(call);
  const auto found = Builtins::table().find(callee.name);
  if (found == Builtins::table().end()) {
    if (LibcuAsyncLowering::is_lowered_call(callee.name)) return libcu_async_.call(call);
    if (callee.name == AsmLowering::kFunction) return assembly_.assembly(call);
    if (exchanges_values(callee.name)) return barriers_.exchange(call);
    if (const std::optional<Type> vector = made_vector(callee.name)) return make_vector(*vector, call);
    if (const std::optional<MathFunction> function = math_function(callee.name)) return mathematics(*function, call);
    return unknown_function(callee);
  }
  const Builtins::Builtin& builtin = found->second;
  if (!thread_.expect_count(call, builtin.least_arguments, builtin.most_arguments, builtin.form)) return std::nullopt;
  return builtin.lower(*this, call);
}

Operand CallLowering::unknown_function(const ExprNode& callee) {
  if (const std::string_view why = why_unsupported(callee.name); !why.empty()) {
    return thread_.error(callee.span, fmt::format("'{}' is not supported", callee.name), std::string(why));
  }
  const std::string_view instead = instead_of_function(callee.name);
  if (const std::string_view base = name_without_device(callee.name);
      base != callee.name && find_cuda_atomic(base) != nullptr) {
    return thread_.error(callee.span, fmt::format("unknown function '{}'", callee.name),
                         fmt::format("write {}, which has device scope", base));
  }
  std::vector<std::string_view> candidates = thread_.functions.names(false);
  for (const auto& [name, builtin] : Builtins::table()) candidates.push_back(name);
  const std::vector<std::string_view> atomics = cuda_atomic_names();
  candidates.insert(candidates.end(), atomics.begin(), atomics.end());
  const std::vector<std::string_view> asynchronous = LibcuAsyncLowering::names();
  candidates.insert(candidates.end(), asynchronous.begin(), asynchronous.end());
  return thread_.error(callee.span, fmt::format("unknown function '{}'", callee.name),
                       instead.empty() ? did_you_mean(callee.name, candidates) : std::string(instead));
}

Operand CallLowering::member_call(const Call& call) {
  const ExprNode& member = call.node.children.front();
  const ExprNode& object_node = member.children.front();
  if (const std::optional<BarrierKind> group = barriers_.group_of(object_node)) {
    return barriers_.group_member(*group, call);
  }
  std::optional<Place> object = places_.object_of(member);
  if (!object) return std::nullopt;
  object->span = call.node.span;
  if (is_struct_value(object->type)) {
    const std::string_view structure = object->type.structure->name.text;
    const auto& overloads = thread_.functions.overloads(fmt::format("{}::{}", structure, call.name));
    if (!overloads.empty()) {
      const FunctionNode* function = chosen(overloads, call);
      if (function == nullptr) return std::nullopt;
      if (!object->variable) object->address = thread_.code.stable(std::move(object->address), call.node.span);
      return inlined(*function, call, std::move(object));
    }
    return thread_.error(call.node.span,
                         fmt::format("the struct '{}' has no __device__ function '{}'", structure, call.name));
  }
  if (!object->variable && object->type.is_barrier) return libcu_async_.barrier_member(*object, call);
  if (!object->variable && object->type.atomic_scope) return libcu_atomics_.member(*object, call);
  return thread_.error(
      object_node.span,
      fmt::format("'.{}' needs a cuda::atomic or cuda::atomic_ref, but this is {}", call.name, to_string(object->type)),
      fmt::format("declare one: cuda::atomic_ref<{}, cuda::thread_scope_device> a(x);",
                  to_string(object->type.is_pointer ? object->type : cell_type(object->type))));
}

Operand CallLowering::assertion(const Call& call) {
  Operand condition = thread_.value(call.arguments.front());
  if (condition.erroneous) return condition;
  Expr holds = to_boolean(std::move(condition.expr));
  const bool asserts = call.name == "assert";
  thread_.code.emit(asserts ? Operation(Assert{std::move(holds)}) : Assume{std::move(holds)}, call.node.span);
  return Operand::nothing();
}

Operand CallLowering::minimum_maximum(const Call& call) {
  Operand a = thread_.value(call.arguments[0]);
  Operand b = thread_.value(call.arguments[1]);
  if (a.erroneous || b.erroneous) return std::nullopt;
  if (a.type.is_pointer || b.type.is_pointer) {
    return thread_.error(call.node.span, fmt::format("'{}' needs integers, not pointers", call.name));
  }
  return arithmetic(call.name == "min" ? Op::Min : Op::Max, std::move(a), std::move(b));
}

/// Lowers make_float4(a, b, c, d).
Operand CallLowering::make_vector(const Type& type, const Call& call) {
  const std::size_t length = thread_.memory.layout(*type.structure).fields.size();
  if (!thread_.expect_count(call, length, length, "")) return std::nullopt;
  return expressions_.construct(type, {call.arguments.begin(), call.arguments.end()}, call.node.span);
}

std::optional<Type> CallLowering::made_vector(std::string_view name) const {
  if (!name.starts_with("make_")) return std::nullopt;
  for (const StructNode& structure : thread_.assembly.file.structs) {
    const std::string_view made = structure.name.text;
    if (made == name.substr(5) || (made.starts_with("__") && made.substr(2) == name.substr(5)))
      return Type{.structure = &structure};
  }
  return std::nullopt;
}

/// Lowers a mathematical function. Ambit computes only abs and functions that count bits; other results are opaque.
Operand CallLowering::mathematics(const MathFunction& function, const Call& call) {
  if (!thread_.expect_count(call, function.arguments, function.arguments, "")) return std::nullopt;
  std::vector<Operand> arguments;
  Type type = function.result;
  for (const ExprNode& node : call.arguments) {
    Operand argument = thread_.value(node);
    if (argument.erroneous) return std::nullopt;
    if (argument.type.is_pointer || is_struct_value(argument.type)) {
      return thread_.error(node.span, fmt::format("'{}' needs numbers, not {}", call.name, to_string(argument.type)));
    }
    if (function.is_overloaded && argument.type.is_opaque) type = floating_type(argument.type, type);
    arguments.push_back(std::move(argument));
  }
  if (arguments.size() == 1 && !arguments.front().type.is_opaque) {
    if (auto bits = counted_bits(thread_, call, arguments.front().expr)) return Operand::integer(*std::move(bits));
  }
  if (function.takes_integers && !type.is_opaque) {  // abs of an integer is an integer
    const Expr& argument = arguments.front().expr;
    const ScalarType scalar = promote(argument.result_type());
    return Operand::integer(Expr::make(Op::Select, scalar,
                                       {make_binary(Op::Less, argument, Expr::make_constant(0)),
                                        make_unary(UnaryOp::Negate, argument), Expr::make_cast(argument, scalar)}));
  }
  // sqrt(2) is a double
  if (function.is_overloaded && !type.is_opaque) type = Type{.scalar = kLongLong, .is_opaque = true};
  return Operand::opaque(type, arguments);
}

/// Converts the size argument of memcpy or memset, a constant number of bytes, to a number of elements.
std::optional<std::size_t> CallLowering::element_count(const Call& call, const Operand& pointer) {
  constexpr std::uint64_t kMostElements = 1024;
  const SourceSpan span = call.arguments[2].span;
  const Operand bytes = thread_.value(call.arguments[2]);
  if (pointer.erroneous || bytes.erroneous) return std::nullopt;
  if (!pointer.type.is_pointer || pointer.type.is_void) {
    return thread_.error(call.arguments[0].span,
                         fmt::format("'{}' needs a pointer, but this is {}", call.name, to_string(pointer.type)));
  }
  if (!bytes.expr.is_constant()) {
    if (!thread_.values_matter()) return std::nullopt;
    return thread_.error(span, fmt::format("the size of '{}' must be a constant", call.name), "write a loop");
  }
  Type element = pointer.type;
  element.is_pointer = false;
  element.inner = {};
  const std::uint64_t size = thread_.memory.size_of(element);
  const auto wanted = static_cast<std::uint64_t>(bytes.expr.constant);
  if (wanted % size != 0 || wanted / size > kMostElements) {
    return thread_.error(
        span, wanted % size != 0
                  ? fmt::format("{} bytes are not a multiple of {}, the size of {}", wanted, size, to_string(element))
                  : fmt::format("'{}' of more than {} elements is not supported", call.name, kMostElements));
  }
  return static_cast<std::size_t>(wanted / size);
}

/// Returns the element at `pointer` + `index`.
std::optional<Place> CallLowering::element_at(Operand pointer, std::size_t index, SourceSpan span) {
  pointer.type.inner = {};
  return places_.dereference(
      places_.move_pointer(std::move(pointer), Op::Add, Operand::constant(static_cast<Value>(index), kLongLong), span),
      span);
}

/// Lowers memcpy to one read and one write for each element.
Operand CallLowering::memory_copy(const Call& call) {
  const SourceSpan span = call.node.span;
  Operand to = thread_.value(call.arguments[0]);
  Operand from = thread_.value(call.arguments[1]);
  const std::optional<std::size_t> count = element_count(call, to);
  if (!count || from.erroneous) return std::nullopt;
  if (!from.type.is_pointer ||
      thread_.memory.size_of(cell_type(from.type)) != thread_.memory.size_of(cell_type(to.type)) ||
      from.type.structure != to.type.structure) {
    return thread_.error(call.arguments[1].span, fmt::format("'{}' copies elements of one type: expected {}, found {}",
                                                             call.name, to_string(to.type), to_string(from.type)));
  }
  if (!to.local) to.expr = thread_.code.stable(std::move(to.expr), span);
  if (!from.local) from.expr = thread_.code.stable(std::move(from.expr), span);
  std::vector<Operand> values;
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<Place> source = element_at(from, i, span);
    if (!source) return std::nullopt;
    values.push_back(places_.read(*source));
  }
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<Place> target = element_at(to, i, span);
    if (!target) return std::nullopt;
    places_.write(*target, std::move(values[i]), span);
  }
  return call.use == Use::Value ? to : Operand::nothing();
}

/// Lowers memset to one write for each element.
Operand CallLowering::memory_set(const Call& call) {
  const SourceSpan span = call.node.span;
  Operand to = thread_.value(call.arguments[0]);
  const Operand byte = thread_.value(call.arguments[1]);
  const std::optional<std::size_t> count = element_count(call, to);
  if (!count || byte.erroneous) return std::nullopt;
  if (!byte.expr.is_constant() || to.type.structure != nullptr) {
    if (!thread_.values_matter()) return std::nullopt;
    return thread_.error(
        call.arguments[byte.expr.is_constant() ? 0 : 1].span,
        byte.expr.is_constant() ? "memset of structs is not supported" : "the value of 'memset' must be a constant",
        "write element by element");
  }
  if (!to.local) to.expr = thread_.code.stable(std::move(to.expr), span);
  const Value whole = (byte.expr.constant & 0xff) * static_cast<Value>(0x0101010101010101LL);
  for (std::size_t i = 0; i < *count; ++i) {
    const std::optional<Place> target = element_at(to, i, span);
    if (!target) return std::nullopt;
    places_.write(*target, Operand::constant(whole, kLongLong), span);
  }
  return call.use == Use::Value ? to : Operand::nothing();
}

/// Lowers printf: evaluates the arguments. Printing itself is not a memory event.
Operand CallLowering::print(const Call& call) {
  for (const ExprNode& argument : call.arguments) {
    if (argument.kind != ExprKind::Text) thread_.value(argument);
  }
  return Operand::constant(0);
}

/// Lowers __ldg (ld.global.nc), and loads with a cache operator, such as __ldcg. Loads with a cache operator are weak:
/// "the operator does not change the memory consistency behavior of a program" (PTX ISA, Cache Operators).
Operand CallLowering::hinted_load(const Call& call) {
  std::optional<Place> place = places_.memory_argument(call, 0, MemoryForm::Pointer);
  if (!place) return std::nullopt;
  place->is_read_only = call.name == "__ldg";
  return places_.read(*place);
}

Operand CallLowering::hinted_store(const Call& call) {
  const std::optional<Place> place = places_.memory_argument(call, 0, MemoryForm::Pointer);
  Operand value = thread_.value(call.arguments[1]);
  if (!place || value.erroneous) return std::nullopt;
  places_.write(*place, std::move(value), call.node.span);
  return Operand::nothing();
}

/// Lowers __nanosleep, which has no effect on the set of executions.
Operand CallLowering::nanosleep(const Call& call) {
  thread_.value(call.arguments.front());
  return Operand::nothing();
}

}  // namespace ambit::parser::litmus
