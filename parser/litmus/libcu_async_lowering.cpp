#include "parser/litmus/libcu_async_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "parser/text/keywords.h"

namespace ambit::parser::litmus {
namespace {

constexpr Value kLargestChunk = 16;  // size in bytes of the largest cp.async, load or store that the library uses

PtxOperand address_of(const Operand& pointer, SourceSpan span) { return {PtxOperand::Kind::Address, pointer, span}; }
PtxOperand number(Value value, SourceSpan span) {
  return {PtxOperand::Kind::Value, Operand::constant(value, kLongLong), span};
}

}  // namespace

struct LibcuAsyncLowering::Functions {
  struct Function {
    Operand (LibcuAsyncLowering::*lower)(const Call&);
    std::size_t least = 0;
    std::size_t most = 0;
    std::string_view form = {};
  };

  static const std::map<std::string_view, Function>& table() {
    using L = LibcuAsyncLowering;
    static const std::map<std::string_view, Function> kTable = {
        {"init", {&L::init, 2, 2, "init(&bar, COUNT)"}},
        {"cuda::device::barrier_native_handle", {&L::native_handle, 1, 1, "cuda::device::barrier_native_handle(bar)"}},
        {"cuda::device::barrier_arrive_tx", {&L::arrive_tx, 3, 3, "cuda::device::barrier_arrive_tx(bar, 1, BYTES)"}},
        {"cuda::device::barrier_expect_tx", {&L::expect_tx, 2, 2, "cuda::device::barrier_expect_tx(bar, BYTES)"}},
        {"cuda::device::memcpy_async_tx",
         {&L::memcpy_async_tx, 4, 4, "cuda::device::memcpy_async_tx(to, from, cuda::aligned_size_t<16>(BYTES), bar)"}},
        {"cuda::memcpy_async", {&L::memcpy_async, 4, 5, "cuda::memcpy_async([group,] to, from, BYTES, bar)"}},
        {"cooperative_groups::memcpy_async",
         {&L::group_memcpy_async, 4, 5, "cooperative_groups::memcpy_async(group, to, from, BYTES)"}},
        {"cooperative_groups::wait", {&L::group_wait, 1, 1, "cooperative_groups::wait(group)"}},
        {"cooperative_groups::wait_prior", {&L::group_wait, 2, 2, "cooperative_groups::wait_prior<N>(group)"}},
        {"__pipeline_memcpy_async", {&L::pipeline_memcpy, 3, 3, "__pipeline_memcpy_async(to, from, 4)"}},
        {"__pipeline_commit", {&L::pipeline_commit, 0, 0, "__pipeline_commit()"}},
        {"__pipeline_wait_prior", {&L::pipeline_wait_prior, 1, 1, "__pipeline_wait_prior(0)"}},
        {"__pipeline_arrive_on", {&L::arrive_on, 1, 1, "__pipeline_arrive_on(&bar)"}},
        {"cuda::make_pipeline", {&L::make_pipeline, 0, 3, "cuda::make_pipeline(block, &state)"}},
        {"cuda::pipeline_producer_commit", {&L::arrive_on, 2, 2, "cuda::pipeline_producer_commit(pipe, bar)"}},
        {"__pipeline_wait_parity", {&L::wait_parity, 2, 2, ""}},
        {"__pipeline_arrive", {&L::arrive_at, 1, 1, ""}},
        {"cuda::aligned_size_t", {&L::aligned_size, 2, 2, "cuda::aligned_size_t<16>(BYTES)"}},
        {"std::move", {&L::move, 1, 1, "std::move(token)"}},
        {"cuda::std::move", {&L::move, 1, 1, "cuda::std::move(token)"}},
        {"cudaGridDependencySynchronize", {&L::wait_for_grid, 0, 0, "cudaGridDependencySynchronize()"}},
        {"cudaTriggerProgrammaticLaunchCompletion",
         {&L::launch_dependents, 0, 0, "cudaTriggerProgrammaticLaunchCompletion()"}},
        {"__cvta_generic_to_shared", {&L::to_shared, 1, 1, "__cvta_generic_to_shared(p)"}},
    };
    return kTable;
  }
};

bool LibcuAsyncLowering::is_lowered_call(std::string_view name) {
  return Functions::table().contains(name) || name.starts_with("cuda::ptx::") ||
         name.starts_with("cuda::device::experimental::");
}

std::vector<std::string_view> LibcuAsyncLowering::names() {
  std::vector<std::string_view> names;
  for (const auto& [name, function] : Functions::table()) names.push_back(name);
  return names;
}

Operand LibcuAsyncLowering::call(const Call& call) {
  if (call.name.starts_with("cuda::ptx::")) return ptx_function(call);
  if (call.name.starts_with("cuda::device::experimental::")) return experimental_function(call);
  const Functions::Function& function = Functions::table().at(call.name);
  if (!thread_.expect_count(call, function.least, function.most, function.form)) return std::nullopt;
  return (this->*function.lower)(call);
}

// ---- values ----

/// Lowers __cvta_generic_to_shared(p). Ambit keeps the address as a pointer, although the result has an integer type.
Operand LibcuAsyncLowering::to_shared(const Call& call) {
  Operand pointer = thread_.value(call.arguments[0]);
  if (pointer.erroneous) return pointer;
  if (!pointer.type.is_pointer || pointer.local) {
    return thread_.error(call.arguments[0].span,
                         fmt::format("expected the address of shared memory, found {}", to_string(pointer.type)));
  }
  pointer.type.is_shared_address = true;
  return pointer;
}

Operand LibcuAsyncLowering::move(const Call& call) { return thread_.value(call.arguments[0]); }

/// Lowers cuda::aligned_size_t<N>(bytes). The CUDA reader has rewritten the expression as a call whose first argument
/// is N.
Operand LibcuAsyncLowering::aligned_size(const Call& call) {
  const Operand alignment = thread_.value(call.arguments[0]);
  Operand size = thread_.value(call.arguments[1]);
  if (alignment.erroneous || size.erroneous) return std::nullopt;
  const Value bytes = alignment.expr.is_constant() ? alignment.expr.constant : 0;
  if (bytes < 1 || bytes > 1024 || (bytes & (bytes - 1)) != 0) {
    return thread_.error(call.arguments[0].span, "the alignment must be a constant power of two");
  }
  size.type.alignment = static_cast<std::uint32_t>(bytes);
  return size;
}

// ---- dependent grids (<cuda_device_runtime_api.h>) ----

Operand LibcuAsyncLowering::wait_for_grid(const Call& call) {
  return ptx_.execute("griddepcontrol.wait", {}, call.node.span);
}

Operand LibcuAsyncLowering::launch_dependents(const Call& call) {
  return ptx_.execute("griddepcontrol.launch_dependents", {}, call.node.span);
}

// ---- cuda::barrier ----

std::optional<Operand> LibcuAsyncLowering::barrier_argument(const ExprNode& node) {
  std::optional<Place> place = places_.place(node);
  if (!place) return std::nullopt;
  if (!place->type.is_barrier || place->variable != nullptr) {
    return thread_.error(node.span, fmt::format("expected a cuda::barrier, found {}", to_string(place->type)));
  }
  return pointer_to(*place);
}

Operand LibcuAsyncLowering::init(const Call& call) {
  const Operand barrier = thread_.value(call.arguments[0]);
  const Operand count = thread_.value(call.arguments[1]);
  if (barrier.erroneous) return std::nullopt;
  if (!barrier.type.is_pointer || !barrier.type.is_barrier) {
    return thread_.error(call.arguments[0].span,
                         fmt::format("init needs the address of a cuda::barrier, found {}", to_string(barrier.type)),
                         "write init(&bar, COUNT)");
  }
  const auto arrivals = async_.constant(count, 1, kMostArrivals, call.arguments[1].span, "number of expected arrivals");
  if (arrivals) initialise(barrier, *arrivals, call.node.span);
  return Operand::nothing();
}

void LibcuAsyncLowering::initialise(const Operand& barrier, Value count, SourceSpan span) {
  ptx_.execute("mbarrier.init.shared.b64", {address_of(barrier, span), number(count, span)}, span);
}

void LibcuAsyncLowering::expect(const Operand& barrier, Value bytes, SourceSpan span) {
  ptx_.execute("mbarrier.expect_tx.relaxed.cta.shared::cta.b64", {address_of(barrier, span), number(bytes, span)},
               span);
}

/// Emits an arrival with the instruction `opcode`. If `given` is set, `given` is an operand of the instruction. If the
/// token is not used, the result operand is a sink.
Operand LibcuAsyncLowering::arrive(std::string_view opcode, const Operand& barrier, std::optional<Value> given,
                                   const Call& call) {
  const SourceSpan span = call.node.span;
  const bool is_used = call.use == Use::Value;
  std::vector<PtxOperand> operands = {
      {.kind = is_used ? PtxOperand::Kind::Result : PtxOperand::Kind::Sink, .span = span}, address_of(barrier, span)};
  if (given) operands.push_back(number(*given, span));
  return ptx_.execute(opcode, operands, span);
}

Operand LibcuAsyncLowering::native_handle(const Call& call) {
  std::optional<Operand> barrier = barrier_argument(call.arguments[0]);
  if (!barrier) return std::nullopt;
  barrier->type.is_barrier = false;
  return *std::move(barrier);
}

/// Lowers cuda::device::barrier_arrive_tx. If the arrival count is 1, emits one instruction; otherwise, emits
/// mbarrier.expect_tx and mbarrier.arrive.
Operand LibcuAsyncLowering::arrive_tx(const Call& call) {
  const std::optional<Operand> barrier = barrier_argument(call.arguments[0]);
  const auto count =
      async_.constant(thread_.value(call.arguments[1]), 1, kMostArrivals, call.arguments[1].span, "number of arrivals");
  const auto bytes = async_.constant(thread_.value(call.arguments[2]), 0, kMostTransactionBytes, call.arguments[2].span,
                                     "number of bytes");
  if (!barrier) return std::nullopt;
  if (!count || !bytes) return Operand::constant(0, kUnsignedLongLong);
  if (*count == 1) return arrive("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64", *barrier, *bytes, call);
  expect(*barrier, *bytes, call.node.span);
  return arrive("mbarrier.arrive.release.cta.shared::cta.b64", *barrier, *count, call);
}

Operand LibcuAsyncLowering::expect_tx(const Call& call) {
  const std::optional<Operand> barrier = barrier_argument(call.arguments[0]);
  const auto bytes = async_.constant(thread_.value(call.arguments[1]), 0, kMostTransactionBytes, call.arguments[1].span,
                                     "number of bytes");
  if (barrier && bytes) expect(*barrier, *bytes, call.node.span);
  return Operand::nothing();
}

/// Emits mbarrier.try_wait. `awaited` is a token or a parity. Returns whether the phase that `awaited` identifies has
/// completed.
Operand LibcuAsyncLowering::try_wait(const Operand& barrier, Operand awaited, bool by_parity, SourceSpan span) {
  if (awaited.erroneous) return std::nullopt;
  if (by_parity) awaited.expr = to_boolean(std::move(awaited.expr));
  return ptx_.execute(by_parity ? "mbarrier.try_wait.parity.shared.b64" : "mbarrier.try_wait.shared.b64",
                      {{.kind = PtxOperand::Kind::Result, .span = span},
                       address_of(barrier, span),
                       {PtxOperand::Kind::Value, std::move(awaited), span}},
                      span);
}

/// Emits a loop that repeats try_wait() until the phase has completed.
Operand LibcuAsyncLowering::wait(const Operand& barrier, Operand awaited, bool by_parity, SourceSpan span) {
  if (awaited.erroneous) return std::nullopt;
  CodeBuilder& code = thread_.code;
  Operand at = barrier;
  at.expr = code.stable(barrier.expr, span);
  awaited.expr = code.stable(std::move(awaited.expr), span);
  const Label again = code.new_label();
  const Label over = code.new_label();
  code.bind(again);
  const Operand done = try_wait(at, std::move(awaited), by_parity, span);
  if (!done.erroneous) code.branch(to_boolean(done.expr), over, span);
  code.jump(again, span);
  code.bind(over);
  return Operand::nothing();
}

Operand LibcuAsyncLowering::barrier_member(const Place& barrier, const Call& call) {
  const Operand at = pointer_to(barrier);
  const SourceSpan span = call.node.span;
  const bool arrives = call.name == "arrive" || call.name == "arrive_and_wait" || call.name == "arrive_and_drop";
  const bool waits = call.name == "wait" || call.name == "wait_parity";
  const bool tries = call.name == "try_wait" || call.name == "try_wait_parity";
  if (!arrives && !waits && !tries) {
    return thread_.error(call.node.children.front().span,
                         fmt::format("Ambit does not read the member '{}' of cuda::barrier", call.name),
                         "it reads arrive, wait, arrive_and_wait, arrive_and_drop, wait_parity, try_wait and "
                         "try_wait_parity");
  }
  const std::size_t least = arrives ? 0 : 1;
  if (!thread_.expect_count(call, least, call.name == "arrive" ? 1 : least, "")) return std::nullopt;
  if (arrives) {
    std::optional<Value> number_of_arrivals;
    if (!call.arguments.empty()) {
      const auto count = async_.constant(thread_.value(call.arguments[0]), 1, kMostArrivals, call.arguments[0].span,
                                         "number of arrivals");
      if (!count) return Operand::constant(0, kUnsignedLongLong);
      if (*count != 1) number_of_arrivals = *count;
    }
    if (call.name == "arrive") return arrive("mbarrier.arrive.shared.b64", at, number_of_arrivals, call);
    const bool drops = call.name == "arrive_and_drop";
    Call within = call;
    within.use = drops ? Use::Effects : Use::Value;
    Operand token = arrive(drops ? "mbarrier.arrive_drop.shared.b64" : "mbarrier.arrive.shared.b64", at, {}, within);
    return drops ? Operand::nothing() : wait(at, std::move(token), false, span);
  }
  Operand awaited = thread_.value(call.arguments[0]);
  const bool by_parity = call.name.ends_with("parity");
  return waits ? wait(at, std::move(awaited), by_parity, span) : try_wait(at, std::move(awaited), by_parity, span);
}

// ---- copies ----

std::optional<LibcuAsyncLowering::Group> LibcuAsyncLowering::group_argument(const ExprNode& node) {
  const std::optional<BarrierKind> group = barriers_.group_of(node);
  const auto position = group == BarrierKind::Block ? barriers_.position_in(*group) : std::nullopt;
  if (position) return Group{position->rank, position->size};
  return thread_.error(node.span, "Ambit supports only copies by a block: the group must be this_thread_block()",
                       "leave out the group for a copy by one thread");
}

Value LibcuAsyncLowering::alignment_of(const Type& type) {
  if (type.structure != nullptr) return static_cast<Value>(thread_.memory.layout(*type.structure).alignment);
  return type.scalar.bits / 8;
}

bool LibcuAsyncLowering::read_size(const ExprNode& node, Copy& copy) {
  const Operand size = thread_.value(node);
  const auto bytes = async_.constant(size, 0, kMostTransactionBytes, node.span, "size of the copy");
  if (!bytes) return false;
  copy.bytes = *bytes;
  copy.alignment = std::max<Value>(size.type.alignment, alignment_of(copy.target.type));
  if (size.type.alignment > 0 && copy.bytes % size.type.alignment != 0) {
    thread_.error(node.span,
                  fmt::format("{} bytes are not a multiple of the alignment of {}", copy.bytes, size.type.alignment));
    return false;
  }
  return true;
}

/// Reads the arguments (to, from, size) of a copy, which begin at argument number `first` of the call.
std::optional<LibcuAsyncLowering::Copy> LibcuAsyncLowering::copy_arguments(const Call& call, std::size_t first,
                                                                           std::optional<Group> group) {
  Copy copy;
  if (group) copy.group = *group;
  copy.span = call.node.span;
  copy.target = thread_.value(call.arguments[first]);
  copy.source = thread_.value(call.arguments[first + 1]);
  if (copy.target.erroneous || copy.source.erroneous) return std::nullopt;
  for (const std::size_t i : {first, first + 1}) {
    const Operand& pointer = i == first ? copy.target : copy.source;
    if (pointer.type.is_pointer && !pointer.local) continue;
    return thread_.error(call.arguments[i].span,
                         fmt::format("expected the address of memory, found {}", to_string(pointer.type)));
  }
  if (!thread_.values_matter()) {
    thread_.value(call.arguments[first + 2]);
    return std::nullopt;
  }
  return read_size(call.arguments[first + 2], copy) ? std::optional(copy) : std::nullopt;
}

bool LibcuAsyncLowering::goes_to_shared(const Copy& copy) const {
  return async_.space_of(copy.target) == MemorySpace::Shared && async_.space_of(copy.source) == MemorySpace::Global;
}

/// Emits a bulk copy for the whole group in thread 0 of the group, and no code in the other threads.
bool LibcuAsyncLowering::bulk_copy(const Copy& copy, const Operand& barrier) {
  if (copy.group.rank != 0) return true;
  const Operand issued = ptx_.execute("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
                                      {address_of(copy.target, copy.span), address_of(copy.source, copy.span),
                                       number(copy.bytes, copy.span), address_of(barrier, copy.span)},
                                      copy.span);
  return !issued.erroneous;
}

/// Emits the thread's share of a copy as cp.async instructions of up to 16 bytes. Consecutive threads of the group copy
/// consecutive chunks.
bool LibcuAsyncLowering::copy_by_thread(const Copy& copy) {
  const auto targets = async_.cells(copy.target, copy.bytes, copy.span);
  const auto sources = targets ? async_.cells(copy.source, copy.bytes, copy.span) : std::nullopt;
  if (!sources) return false;
  auto elements = async_.copied(*targets, *sources, Proxy::Generic, copy.span);
  if (!elements) return false;
  const Value chunk = std::min(copy.alignment, kLargestChunk);
  for (std::size_t i = 0; i < elements->size();) {
    const Value turn = (*targets)[i].offset / chunk;
    AsyncStep operation;
    operation.name = "cp.async";
    operation.group = AsyncGroup::Copy;
    const std::size_t first = i;
    for (; i < elements->size() && (*targets)[i].offset / chunk == turn; ++i) {
      operation.elements.push_back(std::move((*elements)[i]));
    }
    if (turn % copy.group.size != copy.group.rank) continue;
    const bool is_in_one_piece = copy.target.type.structure == nullptr && copy.source.type.structure == nullptr;
    const std::size_t number_of_issue = thread_.code.size();
    async_.issue(std::move(operation), copy.span);
    if (is_in_one_piece) {
      thread_.code.attach(number_of_issue, copy_instruction((*targets)[first].place, (*sources)[first].place, chunk));
    }
  }
  return true;
}

/// Returns the instruction that the library's inline assembly executes for one chunk.
std::shared_ptr<const MachineInstruction> LibcuAsyncLowering::copy_instruction(const Place& to, const Place& from,
                                                                               Value bytes) {
  using Kind = MachineInstruction::Operand::Kind;
  auto machine = std::make_shared<MachineInstruction>();
  machine->name = bytes == kLargestChunk ? "cp.async.cg.shared.global" : "cp.async.ca.shared.global";
  machine->operands = {
      {Kind::Address, to.address}, {Kind::Address, from.address}, {Kind::Value, Expr::make_constant(bytes, kLongLong)}};
  return machine;
}

/// Emits the thread's share of a copy as loads and stores.
bool LibcuAsyncLowering::plain_copy(const Copy& copy) {
  const auto targets = async_.cells(copy.target, copy.bytes, copy.span);
  const auto sources = targets ? async_.cells(copy.source, copy.bytes, copy.span) : std::nullopt;
  if (!sources || !async_.copied(*targets, *sources, Proxy::Generic, copy.span)) return false;
  const Value chunk = std::min(copy.alignment, kLargestChunk);
  for (std::size_t i = 0; i < targets->size(); ++i) {
    const bool is_own = (*targets)[i].offset / chunk % copy.group.size == copy.group.rank;
    if (is_own) places_.write((*targets)[i].place, places_.read((*sources)[i].place), copy.span);
  }
  return true;
}

/// Returns whether the expression is a cuda::pipeline. The type of a cuda::pipeline is a struct in
/// parser/cuda/library/pipeline_text.h.
bool LibcuAsyncLowering::is_pipeline(const ExprNode& node) {
  const Variable* variable = places_.part_of_variable(node);
  return variable != nullptr && variable->kind == Variable::Kind::Struct &&
         variable->type.structure->name.text.starts_with("__pipeline_");
}

/// Lowers cuda::memcpy_async like libcu++ (<cuda/__memcpy_async/dispatch_memcpy_async.h>). A copy from global to shared
/// memory uses cp.async.bulk if the copy is aligned to 16 bytes and the barrier supports transactions. Any other copy
/// from global to shared memory uses cp.async if aligned to 4 bytes. All remaining copies use loads and stores.
Operand LibcuAsyncLowering::memcpy_async(const Call& call) {
  const bool has_group = call.arguments.size() == 5;
  std::optional<Group> group;
  if (has_group) group = group_argument(call.arguments[0]);
  if (has_group && !group) return std::nullopt;
  const ExprNode& tells = call.arguments.back();
  const bool by_pipeline = is_pipeline(tells);
  const std::optional<Operand> barrier = by_pipeline ? std::optional(Operand()) : barrier_argument(tells);
  const std::optional<Copy> copy = copy_arguments(call, has_group ? 1 : 0, group);
  if (!barrier || !copy) return Operand::nothing();
  if (!goes_to_shared(*copy) || copy->alignment < 4) {
    plain_copy(*copy);
  } else if (!by_pipeline && copy->alignment >= kLargestChunk) {
    if (bulk_copy(*copy, *barrier) && copy->group.rank == 0) {
      expect(*barrier, copy->bytes, copy->span);
    }
  } else if (copy_by_thread(*copy) && !by_pipeline) {
    arrive_after_copies(*barrier, copy->span);
  }
  return Operand::nothing();
}

Operand LibcuAsyncLowering::memcpy_async_tx(const Call& call) {
  const std::optional<Operand> barrier = barrier_argument(call.arguments[3]);
  const std::optional<Copy> copy = copy_arguments(call, 0, std::nullopt);
  if (!barrier || !copy) return Operand::nothing();
  if (copy->alignment < kLargestChunk) {
    return thread_.error(call.arguments[2].span, "memcpy_async_tx needs a copy that is aligned to 16 bytes",
                         "write cuda::aligned_size_t<16>(BYTES)");
  }
  bulk_copy(*copy, *barrier);
  return Operand::nothing();
}

/// Lowers cooperative_groups::memcpy_async(group, to, from, bytes): each thread copies its share, and commits.
Operand LibcuAsyncLowering::group_memcpy_async(const Call& call) {
  const std::optional<Group> group = group_argument(call.arguments[0]);
  if (!group) return std::nullopt;
  if (call.arguments.size() == 5) {
    return thread_.error(call.node.span, "Ambit supports cooperative_groups::memcpy_async only with a size in bytes");
  }
  const std::optional<Copy> copy = copy_arguments(call, 1, group);
  if (!copy) return Operand::nothing();
  goes_to_shared(*copy) && copy->alignment >= 4 ? copy_by_thread(*copy) : plain_copy(*copy);
  return pipeline_commit(call);
}

bool LibcuAsyncLowering::wait_prior(const ExprNode& node) {
  constexpr Value kMostStages = 8;  // a larger number has the same effect as 8 (cuda_pipeline_primitives.h)
  const auto prior = async_.constant(thread_.value(node), 0, kMostArrivals, node.span, "number of stages");
  if (!prior) return false;
  wait_group(std::min(*prior, kMostStages), node.span);
  return true;
}

void LibcuAsyncLowering::wait_group(Value pending, SourceSpan span) {
  ptx_.execute("cp.async.wait_group", {number(pending, span)}, span);
}

/// Lowers cooperative_groups::wait(group) and wait_prior<N>(group).
Operand LibcuAsyncLowering::group_wait(const Call& call) {
  const std::optional<BarrierKind> group = barriers_.group_of(call.arguments.back());
  if (!group) return thread_.error(call.arguments.back().span, "expected a group: this_thread_block()");
  if (call.arguments.size() == 2) {
    wait_prior(call.arguments[0]);
  } else {
    wait_group(0, call.node.span);
  }
  barriers_.meet(*group, call.node.span);
  return Operand::nothing();
}

Operand LibcuAsyncLowering::pipeline_memcpy(const Call& call) {
  std::optional<Copy> copy = copy_arguments(call, 0, std::nullopt);
  if (!copy) return Operand::nothing();
  if (copy->bytes != 4 && copy->bytes != 8 && copy->bytes != 16) {
    return thread_.error(call.arguments[2].span,
                         fmt::format("__pipeline_memcpy_async copies 4, 8 or 16 bytes, not {}", copy->bytes));
  }
  if (!async_.is_in(copy->target, MemorySpace::Shared, call.arguments[0].span, "destination") ||
      !async_.is_in(copy->source, MemorySpace::Global, call.arguments[1].span, "source")) {
    return std::nullopt;
  }
  copy_by_thread(*copy);
  return Operand::nothing();
}

Operand LibcuAsyncLowering::pipeline_commit(const Call& call) {
  return ptx_.execute("cp.async.commit_group", {}, call.node.span);
}

Operand LibcuAsyncLowering::pipeline_wait_prior(const Call& call) {
  wait_prior(call.arguments[0]);
  return Operand::nothing();
}

void LibcuAsyncLowering::arrive_after_copies(const Operand& barrier, SourceSpan span) {
  ptx_.execute("cp.async.mbarrier.arrive.shared.b64", {address_of(barrier, span)}, span);
}

/// Lowers __pipeline_arrive_on(&bar) and cuda::pipeline_producer_commit(pipe, bar).
Operand LibcuAsyncLowering::arrive_on(const Call& call) {
  const bool by_pointer = call.arguments.size() == 1;
  const std::optional<Operand> barrier =
      by_pointer ? std::optional(thread_.value(call.arguments[0])) : barrier_argument(call.arguments[1]);
  if (!barrier || barrier->erroneous) return std::nullopt;
  arrive_after_copies(*barrier, call.node.span);
  return Operand::nothing();
}

}  // namespace ambit::parser::litmus
