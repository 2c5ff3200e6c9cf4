// Emits core instructions for the reachable code of a thread.

#include <fmt/format.h>

#include <algorithm>

#include "core/idle_branches.h"
#include "parser/compiled/compiled_thread.h"

namespace ambit::parser::compiled {

using assembly::Effect;
using assembly::kNone;
using assembly::MemoryMeaning;
using assembly::Modifier;
using assembly::Opcode;
using assembly::Operand;

void CompiledThread::fail(const FlatInstruction& flat, std::string message, std::string hint) {
  if (!is_surveying_) reporter_.error(flat.span, std::move(message), std::move(hint));
}

void CompiledThread::refuse(const FlatInstruction& flat) {
  const std::string_view text = flat.function->file->text;
  const assembly::TextSpan spelling = flat.instruction->spelling;
  fail(flat, fmt::format("the instruction '{}' of the compiled kernel (line {} of its PTX) is not supported",
                         text.substr(spelling.offset, spelling.length), flat.instruction->place.line));
}

RegisterId CompiledThread::core_register(Variable variable) {
  core_registers_.resize(definitions_.size());
  std::optional<RegisterId>& id = core_registers_[variable];
  if (!id) {
    id = static_cast<RegisterId>(thread_.registers.size());
    const bool is_register = variable < flat_.registers.size();
    Register made;
    made.name = is_register ? flat_.registers[variable].name : fmt::format("%local{}", variable);
    made.type = type_of(variable);
    thread_.registers.push_back(std::move(made));
  }
  return *id;
}

/// Returns the register that holds the byte offset of a pointer in an element (Kind::has_offset).
RegisterId CompiledThread::offset_register(Variable variable) {
  const auto [entry, is_new] = offset_registers_.emplace(variable, 0);
  if (is_new) {
    const std::string& name = thread_.registers[core_register(variable)].name;
    entry->second = static_cast<RegisterId>(thread_.registers.size());
    thread_.registers.push_back({name + ".bytes", kBits64});
  }
  return entry->second;
}

/// Returns the register that holds the index of a pointer's layout (Kind::layouts).
RegisterId CompiledThread::layout_register(Variable variable) {
  const auto [entry, is_new] = layout_registers_.emplace(variable, 0);
  if (is_new) {
    const std::string& name = thread_.registers[core_register(variable)].name;
    entry->second = static_cast<RegisterId>(thread_.registers.size());
    thread_.registers.push_back({name + ".layout", kInt});
  }
  return entry->second;
}

/// Returns the register that holds the offset of an address in a local variable. The offset has 64 bits, even if the
/// PTX register has 32 bits.
RegisterId CompiledThread::local_register(Variable variable) {
  const RegisterId id = core_register(variable);
  thread_.registers[id].type = kBits64;
  return id;
}

void CompiledThread::emit(Operation operation) { thread_.code.push_back({std::move(operation), span_}); }

void CompiledThread::emit_all() {
  begin_grid();
  positions_.assign(flat_.code.size() + 1, 0);
  for (std::uint32_t at = 0; at < flat_.code.size(); ++at) {
    positions_[at] = thread_.code.size();
    if (!reached_[at] || guards_[at] == Value{0}) continue;
    span_ = flat_.code[at].span;
    emit_instruction(at);
  }
  positions_[flat_.code.size()] = thread_.code.size();
  for (const Pending& pending : pending_) {
    Operation& operation = thread_.code[pending.instruction].operation;
    if (auto* branch = std::get_if<Branch>(&operation)) branch->target = positions_[pending.target];
    if (auto* jump = std::get_if<Jump>(&operation)) jump->target = positions_[pending.target];
  }
  end_grid();
  if (!flat_.code.empty()) thread_.span = flat_.code.front().span;
}

void CompiledThread::emit_jump(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const std::uint32_t target = flat.targets.empty() ? static_cast<std::uint32_t>(flat_.code.size()) : flat.targets[0];
  if (target == at + 1) return;
  pending_.push_back({thread_.code.size(), target});
  if (guards_[at]) return emit(Jump{});
  emit(Branch{condition(flat), 0});
}

void CompiledThread::emit_choice(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  if (!guards_[at]) return refuse(flat);
  const Symbol index = operand(flat, flat.instruction->operands[0], assembly::Type::U32);
  if (!index.is_number()) return refuse(flat);
  for (std::size_t i = 0; i < flat.targets.size(); ++i) {
    const Expr chosen =
        Expr::make(Op::Equal, kUnsigned, {index.value, Expr::make_constant(static_cast<Value>(i), kUnsigned)});
    if (chosen.is_constant() && chosen.constant == 0) continue;
    pending_.push_back({thread_.code.size(), flat.targets[i]});
    if (chosen.is_constant()) return emit(Jump{});
    emit(Branch{chosen, 0});
  }
}

void CompiledThread::emit_instruction(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  if (flat.kind == FlatInstruction::Kind::Jump) return emit_jump(at);
  if (flat.kind == FlatInstruction::Kind::Choice) return emit_choice(at);
  if (flat.kind == FlatInstruction::Kind::AssertFail) {
    emit(Assert{Expr::make_constant(0), flat.is_of_library ? std::string(kLibraryAssertion) : ""});
    pending_.push_back({thread_.code.size(), static_cast<std::uint32_t>(flat_.code.size())});
    return emit(Jump{});
  }
  if (flat.kind == FlatInstruction::Kind::Refused) return fail(flat, flat.refusal, flat.hint);
  const Opcode opcode = flat.instruction->opcode;
  if (opcode == Opcode::Unknown) return refuse(flat);
  if (opcode == Opcode::Exit) return emit_jump(at);
  if (is_pure(at)) return emit_definitions(at);
  // If the instruction has a predicate, a branch skips the instruction while the predicate is false.
  std::optional<std::size_t> skip;
  if (!guards_[at]) {
    skip = thread_.code.size();
    emit(Branch{Expr::make(Op::Equal, kInt, {condition(flat), Expr::make_constant(0)}), 0});
  }
  emit_memory(at);
  if (skip) std::get<Branch>(thread_.code[*skip].operation).target = thread_.code.size();
}

/// Assigns the registers that an instruction computes. Registers that are replaced by expressions need no assignment.
void CompiledThread::emit_definitions(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  emit_local_bounds(at);
  std::vector<Variable> written = targets(at);
  const auto uses = slot_uses_.find(at);
  if (uses != slot_uses_.end() && flat.instruction->opcode == Opcode::St) {
    for (const SlotUse& use : uses->second) written.push_back(use.slot);
  }
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    if (written[i] == kNone) continue;
    if (is_single(written[i])) value_of(written[i]);
    if (is_single(written[i]) && !is_materialised_[written[i]]) continue;
    const std::optional<Expr> guard = guards_[at] ? std::nullopt : std::optional(condition(flat));
    assign(flat, written[i], evaluate({at, i}), guard);
  }
}

RegisterId CompiledThread::temporary(ScalarType type) {
  const auto id = static_cast<RegisterId>(thread_.registers.size());
  thread_.registers.push_back({fmt::format("%t{}", id), type});
  return id;
}

void CompiledThread::assign_register(RegisterId target, Expr value, const std::optional<Expr>& guard) {
  const ScalarType type = thread_.registers[target].type;
  if (guard) value = Expr::make(Op::Select, type, {*guard, std::move(value), Expr::make_register(target, type)});
  emit(Assign{target, std::move(value)});
}

/// Assigns `symbol` to the register of `variable`. If `guard` is given, the assignment has an effect only if the guard
/// is not 0.
void CompiledThread::assign(const FlatInstruction& flat, Variable variable, const Symbol& symbol,
                            const std::optional<Expr>& guard) {
  const Kind kind = is_single(variable) ? kind_of(symbol) : kinds_[variable];
  if (kind.local) {
    if (symbol.base != Symbol::Base::Local || symbol.local != *kind.local) {
      return fail(flat, "a register holds a local variable's address in one place and a different value elsewhere");
    }
    return assign_register(local_register(variable), symbol.value, guard);
  }
  if (kind.layout == nullptr) {
    if (kind.values == Kind::Values::One) return;  // uses of the register contain its constant value instead
    if (symbol.base == Symbol::Base::Unknown) {
      return assign_register(core_register(variable), opaque(type_of(variable), {}).value, guard);
    }
    if (!symbol.is_number()) {
      return fail(flat, "a register holds an address in one place and a number or a local address elsewhere");
    }
    return assign_register(core_register(variable), as(symbol.value, type_of(variable)), guard);
  }
  ElementPointer pointer = {Expr::make_constant(0, kBits64), Expr::make_constant(0, kBits64)};
  std::optional<Expr> number_of_layout = Expr::make_constant(0, kInt);
  const std::vector<const Layout*> layouts = kind.layouts.empty() ? std::vector{kind.layout} : kind.layouts;
  if (!(symbol.is_constant() && symbol.value.constant == 0)) {
    const std::optional<ElementPointer> element = element_of(symbol);
    if (!element) {
      return fail(flat, "a register holds an address in one place and a number or a local address elsewhere");
    }
    const bool has_its_bytes = kind.has_offset || element->constant_bytes() == kind.bytes;
    number_of_layout = layout_number_in(symbol, layouts);
    if (!number_of_layout || !has_its_bytes) {
      return fail(flat, "a register that holds addresses of variables of different types is not supported",
                  "give one type to all variables that the pointer can point to");
    }
    pointer = *element;
  }
  const RegisterId target = core_register(variable);
  thread_.registers[target].type = kind.object ? kInt : kBits64;
  if (kind.object) pointer.address = as(moved_address(pointer.address, -make_address(*kind.object, 0)), kInt);
  assign_register(target, std::move(pointer.address), guard);
  if (kind.has_offset) assign_register(offset_register(variable), std::move(pointer.bytes), guard);
  if (!kind.layouts.empty()) assign_register(layout_register(variable), *std::move(number_of_layout), guard);
}

void CompiledThread::emit_memory(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  if (is_decoded(*flat.instruction)) return emit_decoded(at);
  const assembly::OpcodeRow& row = assembly::row_of(flat.instruction->opcode);
  const MemoryMeaning meaning = assembly::memory_meaning(*flat.instruction);
  switch (row.effect) {
    case Effect::Read:
      if (row.opcode != Opcode::Ld && row.opcode != Opcode::Ldu) return refuse(flat);
      return emit_load(at, meaning);
    case Effect::Write:
      if (row.opcode != Opcode::St) return refuse(flat);
      return emit_store(at, meaning);
    case Effect::ReadModifyWrite:
      if (row.opcode != Opcode::Atom && row.opcode != Opcode::Red) return refuse(flat);
      return emit_atomic(at, meaning);
    case Effect::Fence: return emit_fence(flat);
    case Effect::Barrier: return emit_barrier(at);
    case Effect::WarpExchange: return emit_warp_exchange(at);
    case Effect::Control:
      if (row.opcode == Opcode::Nanosleep) return;
      if (row.opcode == Opcode::Trap) {
        emit(Assert{Expr::make_constant(0)});
        pending_.push_back({thread_.code.size(), static_cast<std::uint32_t>(flat_.code.size())});
        return emit(Jump{});
      }
      return refuse(flat);
    default: return refuse(flat);
  }
}

/// Returns one access for each cell that a PTX access reaches, in the order of the bytes; an empty list after an error.
std::vector<CompiledThread::Piece> CompiledThread::accesses(const FlatInstruction& flat, const Symbol& pointer,
                                                            const MemoryMeaning& meaning) {
  if (assembly::bytes_of(meaning.type) == 0) {
    fail(flat, "memory cannot have values of this access's type");
    return {};
  }
  if (pointer.base != Symbol::Base::Memory) {
    if (pointer.base == Symbol::Base::Unknown) {
      fail(flat, fmt::format("the test has no variable '{}'", pointer.name));
    } else if (pointer.base == Symbol::Base::Local) {
      fail(flat, "Ambit does not know which bytes of a local variable this access reaches",
           "use local arrays of at most 256 elements, and elements of one size in each array");
    } else if (pointer.is_constant()) {
      fail(flat, "this access goes through a null pointer or a constant address");
    } else {
      fail(flat, "the address of this access is computed in a way that is not supported");
    }
    return {};
  }
  if (memory_.record(pointer, meaning, flat.span)) return {};
  std::string error;
  const std::optional<std::vector<CellAccess>> cells = cells_at(pointer, assembly::bytes_of(meaning.type), error);
  if (!cells) {
    fail(flat, std::move(error));
    return {};
  }
  const bool is_weak = meaning.order == Order::Weak && !meaning.is_volatile;
  if (cells->size() > 1 && !is_weak) {
    fail(flat,
         fmt::format("this strong access of {} bytes cannot be split, but the variable has elements of {} bytes",
                     assembly::bytes_of(meaning.type), cells->front().type.scalar.bits / 8),
         "models do not support strong accesses of different sizes: access the variable with one size only");
    return {};
  }
  std::vector<Piece> pieces;
  for (const CellAccess& cell : *cells) {
    MemoryAccess access;
    access.address = cell.address;
    access.type = cell.type.scalar;
    access.order = meaning.order;
    access.scope = meaning.scope;
    access.is_volatile = meaning.is_volatile;
    access.is_atomic = !meaning.is_volatile && meaning.order != Order::Weak;
    access.is_opaque = cell.type.is_opaque;
    access.is_read_only = flat.instruction->modifiers.has(Modifier::Nc);
    pieces.push_back({std::move(access), cell.type});
  }
  return pieces;
}

std::optional<CompiledThread::Piece> CompiledThread::access(const FlatInstruction& flat, const Symbol& pointer,
                                                            const MemoryMeaning& meaning) {
  std::vector<Piece> pieces = accesses(flat, pointer, meaning);
  return pieces.size() == 1 ? std::optional(std::move(pieces.front())) : std::nullopt;
}

namespace {

Symbol moved(Symbol pointer, unsigned bytes) {
  if (bytes == 0 || !pointer.is_pointer()) return pointer;
  pointer.value =
      Expr::make(Op::Add, kBits64, {pointer.value, Expr::make_constant(static_cast<Value>(bytes), kBits64)});
  return pointer;
}

}  // namespace

/// Loads all cells of an access and joins their values. The first cell has the lowest bits.
Symbol CompiledThread::load(const std::vector<Piece>& pieces, assembly::Type type) {
  const Type& first = pieces.front().cell;
  const ScalarType whole_type = {scalar_of(type).bits, assembly::is_signed(type)};
  std::vector<Symbol> parts;
  for (const Piece& piece : pieces) {
    const Layout* layout = pieces.size() == 1 ? memory_.layouts().of_target(first) : nullptr;
    const RegisterId target = temporary(layout != nullptr ? kBits64 : piece.access.type);
    emit(Load{target, piece.access});
    Symbol part = number(Expr::make_register(target, thread_.registers[target].type));
    part.is_opaque = piece.access.is_opaque;
    if (layout != nullptr) {
      part.base = Symbol::Base::Memory;
      part.layout = layout;
      part.pointer = std::move(part.value);
      part.value = Expr::make_constant(0, kBits64);
    }
    parts.push_back(std::move(part));
  }
  if (parts.size() == 1) {
    if (parts[0].is_number()) parts[0].value = as(parts[0].value, whole_type);
    return parts[0];
  }
  if (std::ranges::any_of(parts, &Symbol::is_opaque)) return opaque(whole_type, parts);
  Expr whole = Expr::make_constant(0, whole_type);
  unsigned shift = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ScalarType bits = {pieces[i].access.type.bits, false};
    const Expr part = as(as(parts[i].value, bits), whole_type);
    const Expr moved_up = Expr::make(Op::ShiftLeft, whole_type, {part, Expr::make_constant(shift, whole_type)});
    whole = i == 0 ? part : Expr::make(Op::BitOr, whole_type, {std::move(whole), moved_up});
    shift += bits.bits;
  }
  return number(std::move(whole));
}

/// Returns the register of `variable` if the register can receive the value of `piece` without a conversion.
std::optional<RegisterId> CompiledThread::direct_target(Variable variable, const Piece& piece) {
  const Layout* layout = memory_.layouts().of_target(piece.cell);
  const Kind& kind = kinds_[variable];
  const bool is_pointer_to =
      kind.layout == layout && kind.layouts.empty() && !kind.has_offset && kind.bytes == 0 && !kind.object;
  const bool holds_same = is_single(variable) || is_pointer_to;
  if (!holds_same || (layout == nullptr && piece.access.type.bits != type_of(variable).bits)) return std::nullopt;
  const RegisterId target = core_register(variable);
  if (layout != nullptr) thread_.registers[target].type = kBits64;
  return target;
}

void CompiledThread::emit_load(std::uint32_t at, const MemoryMeaning& meaning) {
  const FlatInstruction& flat = flat_.code[at];
  const Symbol pointer = address(flat, flat.instruction->operands[1]);
  const std::vector<Variable> written = targets(at);
  std::vector<Symbol> values;
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    const Symbol element = moved(pointer, i * assembly::bytes_of(meaning.type));
    if (const auto known =
            shadowed_constant(pointer, std::uint64_t{i} * assembly::bytes_of(meaning.type), meaning.type)) {
      values.push_back(*known);
      continue;
    }
    const std::vector<Piece> pieces = accesses(flat, element, meaning);
    if (pieces.empty()) return;
    const bool is_alone = written.size() == 1 && written[0] != kNone && pieces.size() == 1;
    if (const auto target = is_alone ? direct_target(written[0], pieces[0]) : std::nullopt) {
      return emit(Load{*target, pieces[0].access});
    }
    values.push_back(load(pieces, meaning.type));
  }
  // All elements of a vector are loaded before the first register is assigned, because the address may be in one of
  // these registers.
  for (std::uint32_t i = 0; i < written.size(); ++i) {
    if (written[i] != kNone) assign(flat, written[i], values[i], std::nullopt);
  }
}

/// Converts the value of a symbol to the representation of the cell.
Expr CompiledThread::stored(const Symbol& symbol, const Type& cell) {
  const Layout* target = memory_.layouts().of_target(cell);
  if (symbol.is_number()) return as(symbol.value, cell.scalar);
  const std::optional<ElementPointer> element = element_of(symbol);
  const bool has_its_layout = symbol.layouts.empty() && symbol.layout == target;
  if (target != nullptr && element && has_its_layout && element->constant_bytes() == 0) {
    return element->address;
  }
  if (target != nullptr && target->cells.size() == 1 && symbol.base == Symbol::Base::Memory) {
    std::string error;
    const auto reached = cells_at(symbol, target->cells[0].bytes, error);
    if (reached && reached->size() == 1) return reached->front().address;
  }
  reporter_.error(span_, "storing this address is not supported: the variable does not hold pointers to its type");
  return Expr::make_constant(0, cell.scalar);
}

void CompiledThread::emit_store(std::uint32_t at, const MemoryMeaning& meaning) {
  const FlatInstruction& flat = flat_.code[at];
  const Symbol pointer = address(flat, flat.instruction->operands[0]);
  const Operand& value = flat.instruction->operands[1];
  const bool is_vector = value.kind == Operand::Kind::Vector;
  const std::uint32_t count = is_vector ? value.count : 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<Piece> pieces = accesses(flat, moved(pointer, i * assembly::bytes_of(meaning.type)), meaning);
    if (pieces.empty()) return;
    const Operand& element = is_vector ? flat.instruction->elements(value)[i] : value;
    const Symbol symbol = operand(flat, element, meaning.type);
    if (pieces.size() == 1) {
      Expr expr = stored(symbol, pieces[0].cell);
      emit(Store{std::move(pieces[0].access), std::move(expr)});
      continue;
    }
    if (!symbol.is_number()) return fail(flat, "storing an address in several cells is not supported");
    const ScalarType whole = {scalar_of(meaning.type).bits, false};
    unsigned shift = 0;
    for (Piece& piece : pieces) {
      const ScalarType type = piece.access.type;
      const Expr count_of_bits = Expr::make_constant(shift, whole);
      Expr part = symbol.is_opaque
                      ? opaque(type, {symbol}).value
                      : as(Expr::make(Op::ShiftRight, whole, {as(symbol.value, whole), count_of_bits}), type);
      emit(Store{std::move(piece.access), std::move(part)});
      shift += type.bits;
    }
  }
}

void CompiledThread::emit_atomic(std::uint32_t at, const MemoryMeaning& meaning) {
  const FlatInstruction& flat = flat_.code[at];
  const bool is_reduction = flat.instruction->opcode == Opcode::Red;
  const std::size_t first = is_reduction ? 0 : 1;
  if (meaning.elements != 1 || assembly::bits_of(meaning.type) > 64) return refuse(flat);
  const Symbol pointer = address(flat, flat.instruction->operands[first]);
  std::optional<Piece> piece = access(flat, pointer, meaning);
  if (!piece) return;
  MemoryAccess& made = piece->access;
  Rmw rmw;
  rmw.op = meaning.operation;
  rmw.is_reduction = is_reduction;
  // Minimum, maximum and the wrapping operations compare values, so their operands need the instruction's signedness.
  const bool is_ordered =
      rmw.op == RmwOp::Min || rmw.op == RmwOp::Max || rmw.op == RmwOp::IncrementWrap || rmw.op == RmwOp::DecrementWrap;
  if (is_ordered && !assembly::is_float(meaning.type)) made.type.is_signed = assembly::is_signed(meaning.type);
  const auto value = [&](std::size_t operand_number) {
    return stored(operand(flat, flat.instruction->operands[operand_number], meaning.type), piece->cell);
  };
  if (rmw.op == RmwOp::CompareExchange) {
    rmw.compare = value(first + 1);
    rmw.operand = value(first + 2);
  } else {
    rmw.operand = value(first + 1);
  }
  const Variable written = is_reduction ? kNone : targets(at)[0];
  if (written != kNone) rmw.target = direct_target(written, *piece);
  rmw.access = std::move(made);
  if (written == kNone || rmw.target) return emit(std::move(rmw));
  const Layout* layout = memory_.layouts().of_target(piece->cell);
  const RegisterId target = temporary(layout != nullptr ? kBits64 : rmw.access.type);
  rmw.target = target;
  Symbol old = number(Expr::make_register(target, thread_.registers[target].type));
  old.is_opaque = rmw.access.is_opaque;
  emit(std::move(rmw));
  if (layout != nullptr) {
    old.base = Symbol::Base::Memory;
    old.layout = layout;
    old.pointer = std::move(old.value);
    old.value = Expr::make_constant(0, kBits64);
  }
  assign(flat, written, old, std::nullopt);
}

void CompiledThread::emit_fence(const FlatInstruction& flat) {
  const MemoryMeaning meaning = assembly::memory_meaning(*flat.instruction);
  if (flat.instruction->has_other_modifier) return refuse(flat);
  if (flat.instruction->opcode != Opcode::Fence && flat.instruction->opcode != Opcode::Membar) return refuse(flat);
  emit(Fence{meaning.order, meaning.scope});
}

std::optional<Expr> CompiledThread::thread_count(const FlatInstruction& flat, std::size_t operand_number) {
  if (operand_number >= flat.instruction->operand_count) return std::nullopt;
  const Symbol symbol = operand(flat, flat.instruction->operands[operand_number], assembly::Type::U32);
  return symbol.is_number() ? std::optional(as(symbol.value, kInt)) : std::nullopt;
}

void CompiledThread::emit_barrier(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const Opcode opcode = flat.instruction->opcode;
  Barrier barrier;
  if (opcode == Opcode::BarrierSync || opcode == Opcode::BarrierArrive || opcode == Opcode::BarrierReduce) {
    const std::size_t first = opcode == Opcode::BarrierReduce ? 1 : 0;
    const auto id = constant(operand(flat, flat.instruction->operands[first], assembly::Type::U32));
    if (!id || *id < 0 || *id > 15) return fail(flat, "the number of this barrier is not a constant from 0 to 15");
    barrier.id = static_cast<std::uint32_t>(*id);
    const bool has_count = flat.instruction->operand_count > (opcode == Opcode::BarrierReduce ? 3U : 1U);
    if (has_count) barrier.count = thread_count(flat, first + 1);
    barrier.arrive_only = opcode == Opcode::BarrierArrive;
    if (opcode == Opcode::BarrierReduce) return emit_exchange(at, std::move(barrier));
    return emit(std::move(barrier));
  }
  if (opcode == Opcode::BarrierWarpSync) {
    const auto mask = constant(operand(flat, flat.instruction->operands[0], assembly::Type::U32));
    if (!mask) return fail(flat, "the mask of this barrier is not a constant");
    barrier.kind = BarrierKind::Warp;
    barrier.mask = static_cast<std::uint32_t>(*mask);
    if (((barrier.mask >> static_cast<unsigned>(setting_.place.lane)) & 1U) == 0) {
      return fail(
          flat, fmt::format("the mask does not include lane {}, in which {} runs", setting_.place.lane, setting_.name));
    }
    return emit(std::move(barrier));
  }
  if (opcode == Opcode::BarrierClusterArrive || opcode == Opcode::BarrierClusterWait) {
    barrier.kind = BarrierKind::Cluster;
    barrier.arrive_only = opcode == Opcode::BarrierClusterArrive;
    barrier.wait_only = opcode == Opcode::BarrierClusterWait;
    barrier.is_relaxed = flat.instruction->modifiers.has(Modifier::Relaxed);
    return emit(std::move(barrier));
  }
  refuse(flat);
}

}  // namespace ambit::parser::compiled
