#include "parser/litmus/async_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/opaque.h"

namespace ambit::parser::litmus {
namespace {

constexpr std::uint64_t kMostElements = 16384;
// If a test uses mbarrier.pending_count, an mbarrier state contains two numbers: the phase in the low 32 bits, and the
// number of pending arrivals in the high bits.
constexpr Value kStateBits = 32;
constexpr Value kStateMask = (Value{1} << kStateBits) - 1;
constexpr Value kNoCompleteBit = Value{1} << 62;

}  // namespace

std::optional<Value> AsyncLowering::constant(const Operand& operand, Value least, Value most, SourceSpan span,
                                             std::string_view what) {
  if (operand.erroneous) return std::nullopt;
  const bool is_constant = operand.expr.is_constant() && !operand.type.is_pointer;
  if (is_constant && operand.expr.constant >= least && operand.expr.constant <= most) return operand.expr.constant;
  if (!thread_.values_matter()) return std::nullopt;
  return thread_.error(span, is_constant ? fmt::format("the {} is {}; it must be between {} and {}", what,
                                                       operand.expr.constant, least, most)
                                         : fmt::format("the {} must be a constant", what));
}

std::optional<ObjectId> AsyncLowering::object_of(const Operand& pointer) const {
  const std::optional<Value> base = constant_part(pointer.expr);
  if (!base) return std::nullopt;
  const Value object = ambit::object_of(*base);
  const auto count = static_cast<Value>(thread_.assembly.program.objects.size());
  return object >= 0 && object < count ? std::optional(static_cast<ObjectId>(object)) : std::nullopt;
}

std::optional<MemorySpace> AsyncLowering::space_of(const Operand& pointer) const {
  const std::optional<ObjectId> object = object_of(pointer);
  if (!object || pointer.local) return std::nullopt;
  return thread_.assembly.program.objects[*object].space;
}

bool AsyncLowering::is_in(const Operand& pointer, MemorySpace space, SourceSpan span, std::string_view what) {
  if (pointer.erroneous) return false;
  if (!pointer.type.is_pointer) {
    thread_.error(span, fmt::format("the {} must be an address, but this is {}", what, to_string(pointer.type)));
    return false;
  }
  if (!thread_.values_matter()) return true;
  const std::optional<MemorySpace> found = space_of(pointer);
  if (found == space) return true;
  const std::string_view wanted = space == MemorySpace::Shared ? "shared" : "global";
  thread_.error(span, found ? fmt::format("the {} must be in {} memory", what, wanted)
                            : fmt::format("Ambit does not know which memory the {} is in", what));
  return false;
}

std::optional<BlockId> AsyncLowering::block_of(const Operand& pointer) const {
  const std::optional<ObjectId> object = object_of(pointer);
  if (!object || pointer.local) return std::nullopt;
  const std::string_view name = thread_.assembly.program.objects[*object].name;
  const int blocks = thread_.setting.kernel ? static_cast<int>(thread_.setting.kernel->cluster_blocks) : 1;
  for (int block = std::max(0, thread_.block().block - blocks); block <= thread_.block().block + blocks; ++block) {
    const BlockId candidate{thread_.block().gpu, block};
    if (name.starts_with(MemoryTable::shared_name("", candidate))) return candidate;
  }
  return std::nullopt;
}

// ---- mbarrier objects ----

std::optional<AsyncLowering::Object> AsyncLowering::object(const Operand& barrier, OrderAndScope at, SourceSpan span) {
  if (!is_in(barrier, MemorySpace::Shared, span, "mbarrier") || !thread_.values_matter()) return std::nullopt;
  const ObjectId id = *object_of(barrier);
  const MemoryObject& declared = thread_.assembly.program.objects[id];
  if (declared.type.bits != 64 || declared.is_opaque) {
    return thread_.error(span, fmt::format("'{}' is not an mbarrier: an mbarrier has 64 bits", declared.name),
                         "declare it as cuda::barrier<cuda::thread_scope_block> or as uint64_t");
  }
  MemoryAccess access;
  access.address = thread_.code.stable(barrier.expr, span);
  access.type = declared.type;
  access.order = at.order;
  access.scope = at.scope;
  access.is_atomic = at.order != Order::Weak;
  const ptx::MbarrierLayout& layout = thread_.assembly.mbarriers.layout(id);
  access.phase_size = layout.phase_size();
  return Object{id, layout, std::move(access)};
}

void AsyncLowering::check_misuse(std::vector<Assert> rules, SourceSpan span) {
  for (Assert& rule : rules) thread_.code.emit(std::move(rule), span);
}

void AsyncLowering::init(const Operand& barrier, Value count, SourceSpan span) {
  std::optional<Object> at = object(barrier, {Order::Weak, Scope::System}, span);
  if (!at) return;
  if (count < 1 || count > kMostArrivals) {
    thread_.error(span, fmt::format("an mbarrier for {} arrivals: expected 1 to {}", count, kMostArrivals));
    return;
  }
  thread_.assembly.mbarriers.note_init(at->id, count, span);
  const ScalarType type = at->access.type;
  if (at->layout.is_packed()) {
    const RegisterId old = thread_.code.temporary(type);
    thread_.code.emit(Load{old, at->access}, span);
    check_misuse(ptx::mbarrier_init_rules(at->layout, Expr::make_register(old, type)), span);
  }
  const Value state = at->layout.initialised(count);
  thread_.code.emit(Store{std::move(at->access), Expr::make_constant(state, type), LockRole::None}, span);
}

void AsyncLowering::note_unknown_count(const Operand& barrier, SourceSpan span) {
  const std::optional<Object> at = object(barrier, {Order::Weak, Scope::System}, span);
  if (at) thread_.assembly.mbarriers.note(at->id, {.is_packed = true, .has_drop = true}, span);
}

void AsyncLowering::invalidate(const Operand& barrier, SourceSpan span) {
  std::optional<Object> at = object(barrier, {Order::Weak, Scope::System}, span);
  if (!at) return;
  thread_.assembly.mbarriers.note(at->id, {.is_packed = true, .is_invalidated = true}, span);
  const ScalarType type = at->access.type;
  const RegisterId old = thread_.code.temporary(type);
  thread_.code.emit(Load{old, at->access}, span);
  check_misuse(ptx::mbarrier_live_rules(at->layout, Expr::make_register(old, type)), span);
  thread_.code.emit(Store{std::move(at->access), Expr::make_constant(0, type), LockRole::None}, span);
}

Operand AsyncLowering::arrive(const Operand& barrier, const MbarrierArrival& arrival, SourceSpan span) {
  std::optional<Object> at = object(barrier, arrival.at, span);
  if (!at) return barrier.erroneous ? std::nullopt : Operand::constant(0, kUnsignedLongLong);
  const bool is_packed = arrival.drops || arrival.expects || arrival.no_complete;
  thread_.assembly.mbarriers.note(
      at->id, {.unit = arrival.bytes, .bytes = arrival.bytes, .is_packed = is_packed, .has_drop = arrival.drops}, span);
  const ptx::MbarrierLayout& layout = at->layout;
  const RegisterId old = thread_.code.temporary(at->access.type);
  const Expr state = Expr::make_register(old, at->access.type);
  const ptx::MbarrierChange change{arrival.count, arrival.bytes, arrival.drops, arrival.no_complete};
  thread_.code.emit(ptx::mbarrier_update(layout, std::move(at->access), old, change), span);
  check_misuse(ptx::mbarrier_rules(layout, state, change), span);
  if (!thread_.assembly.mbarriers.counts_pending()) return Operand::integer(layout.phase(state));
  const auto wide = [](Expr part) { return Expr::make_cast(std::move(part), kUnsignedLongLong); };
  Expr pending = Expr::make(Op::ShiftLeft, kUnsignedLongLong,
                            {wide(layout.pending_count(state)), wide(Expr::make_constant(kStateBits))});
  Expr phase = Expr::make(Op::BitAnd, kUnsignedLongLong,
                          {wide(layout.phase(state)), wide(Expr::make_constant(kStateMask, kLongLong))});
  Expr both = Expr::make(Op::BitOr, kUnsignedLongLong, {std::move(pending), std::move(phase)});
  const Value mark = arrival.no_complete ? kNoCompleteBit : 0;
  return Operand::integer(
      Expr::make(Op::BitOr, kUnsignedLongLong, {std::move(both), Expr::make_constant(mark, kUnsignedLongLong)}));
}

Operand AsyncLowering::pending_count(const Operand& state, SourceSpan span) {
  thread_.assembly.mbarriers.note_pending_count();
  const Expr number = thread_.code.stable(Expr::make_cast(state.expr, kUnsignedLongLong), span);
  const auto part = [&](Op op, Value value) {
    return Expr::make(op, kUnsignedLongLong, {number, Expr::make_constant(value, kUnsignedLongLong)});
  };
  check_misuse({Assert{to_boolean(part(Op::BitAnd, kNoCompleteBit)),
                       "mbarrier.pending_count takes the state of an arrival with .noComplete"}},
               span);
  const Expr count =
      Expr::make(Op::BitAnd, kUnsignedLongLong,
                 {part(Op::ShiftRight, kStateBits), Expr::make_constant(kMostArrivals, kUnsignedLongLong)});
  return Operand::integer(Expr::make_cast(count, kUnsigned));
}

void AsyncLowering::expect(const Operand& barrier, Value bytes, OrderAndScope at, SourceSpan span) {
  std::optional<Object> found = object(barrier, at, span);
  if (!found) return;
  const Value size = bytes < 0 ? -bytes : bytes;
  thread_.assembly.mbarriers.note(found->id, {.unit = size, .bytes = size, .is_packed = true}, span);
  const RegisterId old = thread_.code.temporary(found->access.type);
  const Expr state = Expr::make_register(old, found->access.type);
  const ptx::MbarrierChange change{.bytes = bytes};
  thread_.code.emit(ptx::mbarrier_update(found->layout, std::move(found->access), old, change), span);
  check_misuse(ptx::mbarrier_rules(found->layout, state, change), span);
}

Operand AsyncLowering::test(const Operand& barrier, const MbarrierWait& wait, SourceSpan span) {
  std::optional<Object> at = object(barrier, wait.at, span);
  if (barrier.erroneous || wait.awaited.erroneous) return std::nullopt;
  if (!at) return Operand::constant(1);
  const std::string& name = thread_.assembly.program.objects[at->id].name;
  if (!name.starts_with(MemoryTable::shared_name("", thread_.block()))) {
    return thread_.error(span,
                         fmt::format("'{}' is an mbarrier of another block: only its own block can wait for it", name));
  }
  thread_.assembly.mbarriers.note(at->id, {}, span);
  const ScalarType type = at->access.type;
  const RegisterId read = thread_.code.temporary(type);
  Expr awaited = Expr::make_cast(wait.awaited.expr, type);
  if (thread_.assembly.mbarriers.counts_pending() && !wait.by_parity) {
    awaited = Expr::make(Op::BitAnd, type, {std::move(awaited), Expr::make_constant(kStateMask, type)});
  }
  Expr is_over =
      ptx::phase_is_over(at->layout, Expr::make_register(read, type), std::move(awaited), wait.by_parity, type);
  thread_.code.emit(Load{read, std::move(at->access), is_over}, span);
  check_misuse(ptx::mbarrier_live_rules(at->layout, Expr::make_register(read, type)), span);
  return Operand::integer(std::move(is_over));
}

// ---- operations ----

std::optional<std::vector<AsyncCell>> AsyncLowering::cells(const Operand& pointer, Value bytes, SourceSpan span) {
  if (pointer.erroneous || !thread_.values_matter()) return std::nullopt;
  if (!pointer.type.is_pointer || pointer.type.is_void || pointer.local) {
    return thread_.error(span, fmt::format("expected an address in memory, but this is {}", to_string(pointer.type)));
  }
  Operand first = pointer;
  first.type.inner = {};
  Type element = first.type;
  element.is_pointer = false;
  const auto size = static_cast<Value>(thread_.memory.size_of(element));
  if (bytes % size != 0 || static_cast<std::uint64_t>(bytes / size) > kMostElements) {
    return thread_.error(
        span, bytes % size != 0
                  ? fmt::format("{} bytes are not a multiple of {}, the size of {}", bytes, size, to_string(element))
                  : fmt::format("an operation on more than {} elements is not supported", kMostElements));
  }
  first.expr = thread_.code.stable(std::move(first.expr), span);
  std::vector<AsyncCell> found;
  for (Value i = 0; i < bytes / size; ++i) {
    const std::optional<Place> place =
        places_.dereference(places_.move_pointer(first, Op::Add, Operand::constant(i, kLongLong), span), span);
    if (!place) return std::nullopt;
    Value offset = i * size;
    places_.for_each_cell(*place, [&](const Place& cell) {
      found.push_back({cell, offset});
      offset += cell.type.scalar.bits / 8;
    });
  }
  return found;
}

MemoryAccess AsyncLowering::access(const AsyncCell& cell, Proxy proxy, OrderAndScope at) {
  MemoryAccess access;
  access.address = cell.place.address;
  access.type = cell.place.type.scalar;
  access.is_opaque = cell.place.type.is_opaque;
  access.order = at.order;
  access.scope = at.scope;
  access.is_atomic = at.order != Order::Weak;
  access.proxy = proxy;
  return access;
}

std::optional<std::vector<AsyncElement>> AsyncLowering::copied(const std::vector<AsyncCell>& targets,
                                                               const std::vector<AsyncCell>& sources, Proxy proxy,
                                                               SourceSpan span) {
  std::vector<AsyncElement> elements;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i >= sources.size() || targets[i].place.type.scalar.bits != sources[i].place.type.scalar.bits) {
      return thread_.error(span, "the source and the destination of the copy have elements of different sizes",
                           "declare both with the same element type");
    }
    elements.push_back({access(sources[i], proxy), access(targets[i], proxy), {}, std::nullopt});
  }
  return elements;
}

bool AsyncLowering::complete(AsyncStep& operation, const Operand& barrier, Value bytes, SourceSpan span) {
  std::optional<Object> at = object(barrier, {Order::Release, Scope::Cluster}, span);
  if (!at) return false;
  thread_.assembly.mbarriers.note(at->id, {.unit = bytes, .bytes = bytes, .is_packed = true}, span);
  const RegisterId old = thread_.code.temporary(at->access.type);
  const ptx::MbarrierChange change{.bytes = -bytes};
  ptx::add_completion(operation, at->layout, ptx::mbarrier_update(at->layout, std::move(at->access), old, change),
                      change);
  return true;
}

void AsyncLowering::issue(AsyncStep operation, SourceSpan span) { thread_.code.emit(std::move(operation), span); }

void AsyncLowering::commit(AsyncGroup group, std::string name, SourceSpan span) {
  AsyncStep step;
  step.kind = AsyncStep::Kind::Commit;
  step.group = group;
  step.name = std::move(name);
  thread_.code.emit(std::move(step), span);
}

void AsyncLowering::wait_group(AsyncStep wait, SourceSpan span) {
  wait.kind = AsyncStep::Kind::Wait;
  thread_.code.emit(std::move(wait), span);
}

void AsyncLowering::arrive_when_complete(const Operand& barrier, AsyncGroup group, bool joins, std::string name,
                                         SourceSpan span) {
  std::optional<Object> at = object(barrier, {Order::Relaxed, Scope::Block}, span);
  if (!at) return;
  thread_.assembly.mbarriers.note(at->id, {.later = joins ? 1 : 0, .is_packed = true}, span);
  if (joins) {
    const RegisterId old = thread_.code.temporary(at->access.type);
    thread_.code.emit(ptx::mbarrier_join(at->layout, at->access, old), span);
  }
  const RegisterId old = thread_.code.temporary(at->access.type);
  at->access.order = Order::Release;
  at->access.scope = Scope::Cluster;
  const ptx::MbarrierChange change{.arrivals = 1};
  Rmw done = ptx::mbarrier_update(at->layout, std::move(at->access), old, change);
  AsyncStep operation;
  operation.name = std::move(name);
  operation.group = group;
  operation.tracks_earlier = true;
  ptx::add_completion(operation, at->layout, std::move(done), change);
  thread_.code.emit(std::move(operation), span);
}

}  // namespace ambit::parser::litmus
