// Lowers instructions whose semantics parser/ptx and parser/litmus define: mbarrier operations, asynchronous
// operations, proxy fences, dependent grids, matrix fragments, elect.sync.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "parser/compiled/compiled_thread.h"
#include "parser/litmus/fragment_lowering.h"
#include "parser/litmus/grid_lowering.h"
#include "parser/litmus/ptx_lowering.h"
#include "parser/ptx/async_forms.h"

namespace ambit::parser::compiled {

using assembly::Effect;
using assembly::kNone;
using assembly::Modifier;
using assembly::Opcode;
using assembly::Operand;
using litmus::AsyncCell;
using litmus::PtxOperand;
using litmus::ThreadContext;

namespace {

constexpr std::array<unsigned, 4> kCellSizes = {8, 4, 2, 1};
/// An access to an mbarrier object covers all 64 bits of the object.
constexpr assembly::MemoryMeaning kMbarrierAccess = {.order = Order::Relaxed, .type = assembly::Type::U64};

std::string_view spelling(const FlatInstruction& flat) {
  return assembly::Module::text_of(*flat.function, flat.instruction->spelling);
}

bool is_mbarrier(Opcode opcode) {
  return assembly::row_of(opcode).effect == Effect::Barrier && assembly::first_word(opcode) == "mbarrier";
}

bool is_fragment(Opcode opcode) { return opcode == Opcode::Ldmatrix || opcode == Opcode::Stmatrix; }

litmus::Operand operand_of(const Symbol& symbol) {
  Type type{.scalar = symbol.value.result_type(), .is_opaque = symbol.is_opaque};
  return {symbol.value, type};
}

Symbol advanced(Symbol pointer, Value bytes) {
  if (bytes == 0) return pointer;
  pointer.value = Expr::make(Op::Add, kBits64, {pointer.value, Expr::make_constant(bytes, kBits64)});
  return pointer;
}

/// Returns the cells that contain the `bytes` bytes at `pointer`. The cells may have different sizes.
std::optional<std::vector<AsyncCell>> cells_of(const Symbol& pointer, Value bytes, const SourceSpan& span,
                                               std::string& error) {
  std::vector<AsyncCell> cells;
  for (Value offset = 0; offset < bytes;) {
    std::optional<std::vector<CellAccess>> found;
    for (const unsigned size : kCellSizes) {
      std::string flaw;
      if (offset + size > bytes) continue;
      found = cells_at(advanced(pointer, offset), size, flaw);
      if (found) break;
      if (error.empty()) error = std::move(flaw);
    }
    if (!found) return std::nullopt;
    for (CellAccess& cell : *found) {
      cells.push_back({{nullptr, std::move(cell.address), cell.type, span}, offset});
      offset += cell.type.scalar.bits / 8;
    }
  }
  error.clear();
  return cells;
}

}  // namespace

bool CompiledThread::is_decoded(const assembly::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::ElectSync:
    case Opcode::FenceProxy:
    case Opcode::FenceMbarrierInit:
    case Opcode::Griddepcontrol: return true;
    case Opcode::Fence:
      return instruction.modifiers.has(Modifier::SyncRestrict) ||
             instruction.modifiers.has(Modifier::SyncRestrictCluster);
    default: break;
  }
  return is_mbarrier(instruction.opcode) || is_fragment(instruction.opcode) ||
         assembly::row_of(instruction.opcode).effect == Effect::Asynchronous;
}

/// Returns a symbol for the value that a decoded instruction writes. Callers use only the symbol's kind.
Symbol CompiledThread::decoded_result(const assembly::Instruction& instruction) {
  return is_fragment(instruction.opcode) ? opaque(kUnsigned, {}) : number(Expr::make_register(0, kUnsigned));
}

LitmusSteps& CompiledThread::steps() {
  if (!steps_) steps_ = std::make_unique<LitmusSteps>(memory_.assembly(), setting_, thread_);
  return *steps_;
}

/// Returns the tensor map if the symbol is the address of a kernel parameter that is a tensor map; null otherwise.
const litmus::Operand* CompiledThread::tensor_map(const Symbol& symbol) const {
  if (symbol.base != Symbol::Base::Local || !symbol.value.is_constant() || symbol.value.constant != 0) return nullptr;
  for (std::size_t i = 0; i < flat_.kernel->parameters.size(); ++i) {
    if (flat_.kernel->parameters[i].index != symbol.local.variable) continue;
    return arguments_[i].type.is_tensor_map ? &arguments_[i] : nullptr;
  }
  return nullptr;
}

std::optional<PtxOperand> CompiledThread::litmus_address(const FlatInstruction& flat, const Symbol& pointer) {
  PtxOperand made{.kind = PtxOperand::Kind::Address, .span = flat.span};
  if (const litmus::Operand* map = tensor_map(pointer)) {
    made.operand = *map;
    made.operand.type.is_pointer = true;
    return made;
  }
  if (pointer.base != Symbol::Base::Memory) {
    fail(flat, pointer.base == Symbol::Base::Unknown ? fmt::format("the test has no variable '{}'", pointer.name)
                                                     : "the address of this operand is computed in a way that is not "
                                                       "supported");
    return std::nullopt;
  }
  std::string error;
  for (const unsigned size : kCellSizes) {
    auto cells = cells_of(pointer, size, flat.span, error);
    if (!cells) continue;
    Type type = cells->front().place.type;
    type.is_pointer = true;
    made.operand = {std::move(cells->front().place.address), type};
    made.cells = [this, &flat, pointer](Value bytes) {
      std::string flaw;
      auto found = cells_of(pointer, bytes, flat.span, flaw);
      if (!found) fail(flat, std::move(flaw));
      return found;
    };
    return made;
  }
  fail(flat, std::move(error));
  return std::nullopt;
}

/// Returns the constant that a register holds before the instruction at `at`; nothing if paths to the instruction may
/// assign different values.
std::optional<Value> CompiledThread::constant_before(std::uint32_t at, Variable variable) {
  if (predecessors_.empty()) {
    predecessors_.resize(flat_.code.size() + 1);
    for (std::uint32_t from = 0; from < flat_.code.size(); ++from) {
      if (!reached_[from]) continue;
      for (const std::uint32_t to : successors(from)) predecessors_[to].push_back(from);
    }
  }
  std::optional<Value> found;
  std::vector<bool> known(predecessors_.size(), false);
  std::vector<std::uint32_t> open = predecessors_[at];
  if (at == 0) return std::nullopt;
  while (!open.empty()) {
    const std::uint32_t from = open.back();
    open.pop_back();
    if (known[from]) continue;
    known[from] = true;
    const auto written = std::ranges::find_if(definitions_[variable],
                                              [&](const Definition& definition) { return definition.at == from; });
    if (written == definitions_[variable].end()) {
      if (from == 0) return std::nullopt;  // no instruction on this path writes the register
      open.insert(open.end(), predecessors_[from].begin(), predecessors_[from].end());
      continue;
    }
    const std::optional<Value> value = is_pure(from) && guards_[from] ? constant(evaluate(*written)) : std::nullopt;
    if (!value || (found && *found != *value)) return std::nullopt;
    found = value;
  }
  return found;
}

litmus::Operand CompiledThread::litmus_value(const FlatInstruction& flat, const Operand& operand_,
                                             assembly::Type type) {
  const Symbol symbol = operand(flat, operand_, type);
  if (symbol.is_number() && symbol.varies && operand_.kind == Operand::Kind::Register) {
    const auto at = static_cast<std::uint32_t>(&flat - flat_.code.data());
    if (const auto known = constant_before(at, flat.reg(operand_.index))) {
      return operand_of(number(*known, symbol.value.result_type()));
    }
  }
  return operand_of(symbol);
}

std::optional<PtxOperand> CompiledThread::litmus_operand(const FlatInstruction& flat, const Operand& operand_,
                                                         bool is_target) {
  const assembly::Instruction& instruction = *flat.instruction;
  PtxOperand made{.span = flat.span};
  const auto add_values = [&](std::span<const Operand> elements) {
    for (const Operand& element : elements) {
      made.coordinates.push_back(litmus_value(flat, element, assembly::Type::B32));
    }
  };
  switch (operand_.kind) {
    case Operand::Kind::Discard: made.kind = PtxOperand::Kind::Sink; return made;
    case Operand::Kind::Vector:
      made.kind = PtxOperand::Kind::Vector;
      add_values(instruction.elements(operand_));
      return made;
    case Operand::Kind::Address: {
      std::optional<PtxOperand> found = litmus_address(flat, address(flat, operand_));
      if (!found || operand_.count == 0) return found;
      made.kind = PtxOperand::Kind::Tensor;
      made.operand = found->operand;
      const Operand& coordinates = instruction.elements(operand_)[0];
      add_values(coordinates.kind == Operand::Kind::Vector ? instruction.elements(coordinates)
                                                           : instruction.elements(operand_));
      return made;
    }
    default: break;
  }
  if (is_target) {
    made.kind = PtxOperand::Kind::Result;
    return made;
  }
  const Symbol symbol = operand(flat, operand_, assembly::Type::B64);
  if (symbol.is_pointer()) {  // the operand is the new address that a tensor map receives
    std::optional<PtxOperand> found = litmus_address(flat, symbol);
    if (found) found->kind = PtxOperand::Kind::Value;
    return found;
  }
  made.operand = litmus_value(flat, operand_, assembly::Type::B64);
  made.is_predicate = operand_.kind == Operand::Kind::Register &&
                      flat_.registers[flat.reg(operand_.index)].type == assembly::Type::Pred;
  return made;
}

void CompiledThread::emit_decoded(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const Opcode opcode = flat.instruction->opcode;
  if (opcode == Opcode::CpAsyncBulkPrefetch) return;
  if (opcode == Opcode::ElectSync) return emit_election(at);
  if (memory_.is_recording()) return record_decoded(flat);
  if (is_fragment(opcode)) return emit_fragment(at);
  const bool has_target = assembly::row_of(opcode).operands.starts_with('d');
  std::vector<PtxOperand> operands;
  for (const Operand& one : flat.instruction->top_operands()) {
    std::optional<PtxOperand> made = litmus_operand(flat, one, has_target && operands.empty());
    if (!made) return;
    operands.push_back(*std::move(made));
  }
  const litmus::Operand result = steps().run([&](ThreadContext& context) {
    return litmus::PtxLowering(context).execute(spelling(flat), operands, flat.span);
  });
  const std::vector<Variable> written = targets(at);
  if (result.erroneous || result.type.is_void || written.empty() || written[0] == kNone) return;
  assign(flat, written[0], number(result.expr), std::nullopt);
}

/// Emits elect.sync d|p, mask.
void CompiledThread::emit_election(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const std::optional<Value> mask = mask_of(at);
  const int lane = setting_.place.lane;
  if (!mask) return fail(flat, "the mask of elect.sync is not a constant");
  const auto lanes = static_cast<std::uint32_t>(*mask);
  if (((lanes >> static_cast<unsigned>(lane)) & 1U) == 0) {
    return fail(flat, fmt::format("the mask does not include lane {}, in which {} runs", lane, setting_.name));
  }
  emit(litmus::warp_meeting(lanes));
  const int leader = litmus::elected_lane(lanes);
  const std::array<Value, 2> results = {leader, lane == leader ? 1 : 0};
  const std::vector<Variable> written = targets(at);
  for (std::size_t i = 0; i < std::min(written.size(), results.size()); ++i) {
    if (written[i] == kNone) continue;
    assign(flat, written[i], number(results[i], kUnsigned), std::nullopt);
  }
}

void CompiledThread::emit_fragment(std::uint32_t at) {
  const FlatInstruction& flat = flat_.code[at];
  const assembly::Instruction& instruction = *flat.instruction;
  const std::optional<litmus::FragmentForm> form = litmus::fragment_form(spelling(flat));
  if (!form) return refuse(flat);
  std::vector<AsyncCell> row;
  if (setting_.place.lane < form->rows) {
    const auto pointer = litmus_address(flat, address(flat, instruction.operands[form->is_load ? 1 : 0]));
    auto cells = pointer && pointer->cells ? pointer->cells(litmus::kRowBytes) : std::nullopt;
    if (!cells) return;
    row = *std::move(cells);
  }
  if (!form->is_load) {
    const std::optional<PtxOperand> values = litmus_operand(flat, instruction.operands[1], false);
    if (!values) return;
    steps().run([&](ThreadContext& context) {
      const bool is_vector = values->kind == PtxOperand::Kind::Vector;
      litmus::FragmentLowering(context).store(row, is_vector ? values->coordinates : std::vector{values->operand},
                                              flat.span);
      return true;
    });
    return;
  }
  const litmus::Operand loaded = steps().run(
      [&](ThreadContext& context) { return litmus::FragmentLowering(context).load(*form, row, flat.span); });
  for (const Variable written : targets(at)) {
    Symbol value = number(loaded.expr);
    value.is_opaque = true;
    if (written != kNone) assign(flat, written, value, std::nullopt);
  }
}

/// Evaluates mapa: returns the same address in the shared memory of another block of the cluster.
Symbol CompiledThread::mapped(const FlatInstruction& flat) {
  const Symbol pointer = operand(flat, flat.instruction->operands[1], flat.instruction->type());
  const Symbol rank = operand(flat, flat.instruction->operands[2], assembly::Type::U32);
  if (pointer.base == Symbol::Base::Undetermined) return pointer;
  if (rank.base == Symbol::Base::Undetermined) return rank;
  const std::optional<Value> known = constant(rank);
  const auto blocks = static_cast<Value>(setting_.kernel ? setting_.kernel->cluster_blocks : 1);
  const bool is_known =
      pointer.base == Symbol::Base::Memory && pointer.pointer.is_constant() && known && *known >= 0 && *known < blocks;
  if (!is_known) return opaque(scalar_of(flat.instruction->type()), {pointer, rank});
  const BlockId own{setting_.place.gpu, setting_.place.block};
  const auto own_rank = setting_.kernel ? static_cast<Value>(setting_.kernel->block[0]) % blocks : 0;
  return memory_.in_block(pointer, own, {own.gpu, own.block + static_cast<int>(*known - own_rank)});
}

/// Returns the state space that a pointer into the test's memory points to; nothing if the space is unknown.
std::optional<MemorySpace> CompiledThread::space_of(const Symbol& pointer) const {
  const std::vector<MemoryObject>& objects = memory_.assembly().program.objects;
  if (pointer.pointer.is_constant()) {
    return objects[static_cast<std::size_t>(object_of(pointer.pointer.constant))].space;
  }
  const MemorySpace first = objects.front().space;
  const bool is_one =
      std::ranges::all_of(objects, [first](const MemoryObject& object) { return object.space == first; });
  return is_one ? std::optional(first) : std::nullopt;
}

/// Evaluates isspacep. In a cluster of several blocks, the result of isspacep.shared for an address in shared memory is
/// unknown.
Symbol CompiledThread::is_in_space(const FlatInstruction& flat) {
  const Symbol pointer = operand(flat, flat.instruction->operands[1], assembly::Type::U64);
  if (pointer.base == Symbol::Base::Undetermined) return pointer;
  const assembly::Modifiers& modifiers = flat.instruction->modifiers;
  const bool queries_shared =
      modifiers.has(Modifier::Shared) || modifiers.has(Modifier::SharedBlock) || modifiers.has(Modifier::SharedCluster);
  const bool queries_local = modifiers.has(Modifier::Local);
  const bool queries_global = modifiers.has(Modifier::Global);
  const auto answer = [](bool is_there) { return number(Value{is_there ? 1 : 0}, kInt); };
  if (pointer.base == Symbol::Base::Local) {
    const assembly::Space space = flat_.module->variables[pointer.local.variable].space;
    if (space == assembly::Space::Local || queries_shared || queries_global) return answer(queries_local);
  } else if (pointer.base == Symbol::Base::Memory && queries_local) {
    return answer(false);
  } else if (pointer.base == Symbol::Base::Memory && (queries_shared || queries_global)) {
    const std::optional<MemorySpace> space = space_of(pointer);
    const bool is_shared = space == MemorySpace::Shared;
    const bool has_others = setting_.kernel && setting_.kernel->cluster_blocks > 1;
    const bool is_known = !is_shared || queries_global || modifiers.has(Modifier::SharedCluster) || !has_others;
    if (space && is_known) return answer(is_shared == queries_shared);
  } else if (pointer.base == Symbol::Base::Unknown || (pointer.is_constant() && pointer.value.constant == 0)) {
    if (queries_shared || queries_local) return answer(false);
  }
  return opaque(kInt, {pointer});
}

// ---- dependent grids ----

void CompiledThread::begin_grid() {
  thread_.grid = setting_.grid.number;
  if (!setting_.grid.before) return;
  steps().run([](ThreadContext& context) { return litmus::GridLowering(context).begin(), true; });
}

void CompiledThread::end_grid() {
  if (!setting_.grid.own) return;
  steps().run([&](ThreadContext& context) {
    litmus::GridLowering grids(context);
    grids.end(setting_.grid.span);
    return true;
  });
  steps().run([&](ThreadContext& context) { return litmus::GridLowering(context).check(thread_.code), true; });
}

// ---- the first pass, which records accesses ----

/// Records the accesses of a decoded instruction. The operands imply the types of the accessed memory.
void CompiledThread::record_decoded(const FlatInstruction& flat) {
  const assembly::Instruction& instruction = *flat.instruction;
  const auto record_mbarrier = [&](const Operand& operand_) {
    const Symbol pointer = address(flat, operand_);
    if (pointer.base == Symbol::Base::Memory) memory_.record(pointer, kMbarrierAccess, flat.span);
  };
  if (is_mbarrier(instruction.opcode)) {
    for (const Operand& one : instruction.top_operands()) {
      if (one.kind == Operand::Kind::Address) record_mbarrier(one);
    }
    return;
  }
  if (is_fragment(instruction.opcode)) {
    const Operand& row = instruction.operands[instruction.opcode == Opcode::Ldmatrix ? 1 : 0];
    return memory_.record_bytes(address(flat, row), std::nullopt, litmus::kRowBytes, flat.span);
  }
  if (assembly::row_of(instruction.opcode).effect != Effect::Asynchronous) return;
  ptx::InstructionNode node;
  node.opcode = litmus::words_of(spelling(flat), flat.span);
  node.span = flat.span;
  std::optional<ptx::TypeSuffix> type;
  const auto decoded = ptx::decode_asynchronous(node, type, reporter_);
  if (!decoded) return;
  std::optional<Symbol> target;
  std::optional<Symbol> source;
  std::optional<Value> bytes;
  if (type)
    bytes = type->bits / 8 *
            (instruction.modifiers.has(Modifier::V4)   ? 4
             : instruction.modifiers.has(Modifier::V2) ? 2
                                                       : 1);
  if (decoded->form->action == ptx::AsyncAction::Reply) bytes = ptx::kBulkUnit;
  std::size_t next = 0;
  for (const char letter : decoded->form->operands) {
    if (letter == '?' || next == instruction.operand_count) continue;
    const Operand& one = instruction.operands[next++];
    if (letter == 'd') target = address(flat, one);
    if (letter == 's') source = address(flat, one);
    if (letter == 'b') record_mbarrier(one);
    if (letter == 'n') bytes = constant(operand(flat, one, assembly::Type::U32));
  }
  if (!bytes || *bytes <= 0) return;
  if (target) return memory_.record_bytes(*target, source, *bytes, flat.span);
  if (source) memory_.record_bytes(*source, std::nullopt, *bytes, flat.span);
}

}  // namespace ambit::parser::compiled
