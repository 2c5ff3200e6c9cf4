// Evaluates registers to symbolic expressions.

#include <fmt/format.h>

#include <algorithm>

#include "parser/compiled/compiled_thread.h"
#include "parser/litmus/special_registers.h"

namespace ambit::parser::compiled {

using assembly::Effect;
using assembly::kNone;
using assembly::Opcode;
using assembly::Operand;
using assembly::SpecialRegister;

namespace {

/// Maximum size of an expression; a larger expression is assigned to a register of the thread.
constexpr std::size_t kMaximumSize = 60;
/// Maximum length of a chain of registers that are computed from each other. Beyond this length, a value is assigned to
/// a register of the thread.
constexpr std::size_t kMaximumDepth = 400;

}  // namespace

ScalarType scalar_of(assembly::Type type) {
  const auto bits = static_cast<std::uint8_t>(std::max(8U, assembly::bits_of(type)));
  if (type == assembly::Type::Pred) return kInt;
  return {bits, assembly::is_signed(type) || bits == 64};
}

ScalarType CompiledThread::type_of(Variable variable) const {
  if (variable < flat_.registers.size()) return scalar_of(flat_.registers[variable].type);
  return {static_cast<std::uint8_t>(slot_keys_[variable - flat_.registers.size()].bytes * 8), true};
}

std::optional<Value> CompiledThread::constant(const Symbol& symbol) const {
  return symbol.is_constant() ? std::optional(symbol.value.constant) : std::nullopt;
}

/// Returns the register as an expression. `bits` is the mask of bits that can be 1. The expression applies this mask,
/// which shows that a power of two divides the value. The mask does not change the value.
Symbol CompiledThread::leaf(Variable variable, Value bits, bool varies) {
  const ScalarType type = type_of(variable);
  Symbol symbol = number(Expr::make_register(is_surveying_ ? 0 : core_register(variable), type));
  if (type.wrap(bits) != type.wrap(-1)) {
    symbol.value = Expr::make(Op::BitAnd, type, {std::move(symbol.value), Expr::make_constant(bits, type)});
  }
  symbol.varies = varies;
  return symbol;
}

Symbol CompiledThread::leaf_of_kind(Variable variable, const Kind& kind, bool varies) {
  if (!kind.is_known) {
    Symbol undetermined;
    undetermined.base = Symbol::Base::Undetermined;
    return undetermined;
  }
  if (kind.local) {
    Symbol local;
    local.base = Symbol::Base::Local;
    local.varies = varies;
    local.local = *kind.local;
    local.value = Expr::make_register(is_surveying_ ? 0 : local_register(variable), kBits64);
    return local;
  }
  if (kind.layout == nullptr) return leaf(variable, kind.bits, varies);
  // Core addresses have 64 bits, even if the PTX register has 32 bits (shared memory).
  const RegisterId pointer = is_surveying_ ? 0 : core_register(variable);
  const ScalarType held = kind.object ? kInt : kBits64;
  if (!is_surveying_) thread_.registers[pointer].type = held;
  Symbol symbol;
  symbol.base = Symbol::Base::Memory;
  symbol.varies = varies;
  symbol.pointer = as(Expr::make_register(pointer, held), kBits64);
  if (kind.object) {  // in the sum, the address is the first operand and the index the second
    symbol.pointer = Expr::make(
        Op::Add, kBits64, {Expr::make_constant(make_address(*kind.object, 0), kBits64), std::move(symbol.pointer)});
  }
  symbol.layout = kind.layout;
  symbol.value = kind.has_offset ? Expr::make_register(is_surveying_ ? 0 : offset_register(variable), kBits64)
                                 : Expr::make_constant(kind.bytes, kBits64);
  symbol.layouts = kind.layouts;
  if (!kind.layouts.empty()) {
    symbol.layout_number = Expr::make_register(is_surveying_ ? 0 : layout_register(variable), kInt);
  }
  return symbol;
}

/// Returns the value of a register that several instructions may write.
Symbol CompiledThread::joined_value(Variable variable) {
  const Kind& kind = kinds_[variable];
  const bool is_number = kind.is_known && kind.layout == nullptr && !kind.local;
  if (is_number && kind.values == Kind::Values::One) return number(kind.only, type_of(variable));
  const bool is_open = is_number && is_widening_ && kind.values == Kind::Values::None;
  return leaf_of_kind(variable, is_open ? Kind{} : kind, true);
}

/// Returns whether a single instruction writes the register, unconditionally and before all reads.
bool CompiledThread::is_single(Variable variable) const {
  return definitions_[variable].size() == 1 && !is_conditional_[variable] && !is_forced_[variable];
}

Symbol CompiledThread::value_of(Variable variable) {
  if (variable >= definitions_.size()) return leaf_of_kind(variable, {}, true);  // a new slot has no definitions
  if (memo_[variable]) return *memo_[variable];
  const std::vector<Definition>& definitions = definitions_[variable];
  if (definitions.empty()) return opaque(type_of(variable), {});  // no instruction writes the register: undefined
  if (!is_single(variable)) {
    Symbol joined = joined_value(variable);
    memo_[variable] = joined;
    return joined;
  }
  if (in_progress_[variable] || depth_ > kMaximumDepth) {
    is_forced_[variable] = true;
    restart_ = true;
    return leaf_of_kind(variable, {}, true);
  }
  in_progress_[variable] = true;
  ++depth_;
  Symbol symbol = evaluate(definitions.front());
  --depth_;
  in_progress_[variable] = false;
  if (symbol.base == Symbol::Base::Undetermined) return symbol;
  const bool is_large = size_of(symbol.value) + size_of(symbol.pointer) > kMaximumSize;
  if (!is_pure(definitions.front().at)) {
    const bool is_opaque = symbol.is_opaque;
    symbol = leaf_of_kind(variable, kind_of(symbol), false);
    symbol.is_opaque = is_opaque;
  } else if ((symbol.varies || is_large) && symbol.base != Symbol::Base::Unknown) {
    is_materialised_[variable] = true;
    const bool is_opaque = symbol.is_opaque;
    symbol = leaf_of_kind(variable, kind_of(symbol), false);
    symbol.is_opaque = is_opaque;
  }
  memo_[variable] = symbol;
  return symbol;
}

/// Returns whether the results of the instruction depend only on registers and slots.
bool CompiledThread::is_pure(std::uint32_t at) const {
  const FlatInstruction& flat = flat_.code[at];
  if (slot_uses_.contains(at)) return true;
  const Effect effect = assembly::row_of(flat.instruction->opcode).effect;
  return effect == Effect::None;
}

/// Evaluates a definition. If the instruction reads memory or exchanges values, the symbol has the kind of the result,
/// but may have a different value.
Symbol CompiledThread::evaluate(const Definition& definition) {
  const FlatInstruction& flat = flat_.code[definition.at];
  switch (assembly::row_of(flat.instruction->opcode).effect) {
    case Effect::Read: return evaluate_load(definition);
    case Effect::Write: return evaluate_slot_store(definition);
    case Effect::ReadModifyWrite: {
      const Symbol pointer = address(flat, flat.instruction->operands[1]);
      if (pointer.base != Symbol::Base::Memory) return pointer.is_number() ? opaque(kBits64, {}) : pointer;
      std::string error;
      const auto cells = cells_at(pointer, assembly::bytes_of(flat.instruction->type()), error);
      if (!cells || cells->size() != 1) return opaque(kBits64, {});
      return leaf_of_kind(targets(definition.at)[0], {true, memory_.layouts().of_target(cells->front().type)}, false);
    }
    case Effect::None: {
      Symbol result = compute(flat, definition.element);
      return result;
    }
    case Effect::Barrier:
    case Effect::WarpExchange: return evaluate_exchange(definition);
    default: return opaque(kUnsigned, {});
  }
}

Symbol CompiledThread::evaluate_load(const Definition& definition) {
  const FlatInstruction& flat = flat_.code[definition.at];
  const assembly::MemoryMeaning meaning = assembly::memory_meaning(*flat.instruction);
  const unsigned bytes = assembly::bytes_of(meaning.type);
  Symbol pointer = address(flat, flat.instruction->operands[1]);
  if (pointer.base == Symbol::Base::Local && pointer.value.is_constant() && pointer.local.frame == 0) {
    const auto offset = static_cast<std::uint64_t>(pointer.value.constant) + std::uint64_t{definition.element} * bytes;
    for (const assembly::Parameter& parameter : flat_.kernel->parameters) {
      if (parameter.index != pointer.local.variable) continue;
      Symbol part = argument(parameter.index, offset, bytes);
      const ScalarType read = {static_cast<std::uint8_t>(bytes * 8), assembly::is_signed(meaning.type)};
      if (part.is_number() && !part.is_opaque) part.value = as(part.value, read);
      return part;
    }
  }
  if (slot_uses_.contains(definition.at)) return evaluate_slot_load(definition);
  if (pointer.base == Symbol::Base::Undetermined || pointer.base == Symbol::Base::Local) {
    Symbol undetermined;
    undetermined.base = Symbol::Base::Undetermined;
    return undetermined;
  }
  if (const auto known = shadowed_constant(pointer, Value{definition.element} * bytes, meaning.type)) return *known;
  if (pointer.base != Symbol::Base::Memory) return opaque(kBits64, {});
  pointer.value =
      Expr::make(Op::Add, kBits64, {pointer.value, Expr::make_constant(Value{definition.element} * bytes, kBits64)});
  std::string error;
  const auto cells = cells_at(pointer, bytes, error);
  if (!cells || cells->empty()) return opaque(kBits64, {});
  const Type& cell = cells->front().type;
  if (const Layout* target = memory_.layouts().of_target(cell); target != nullptr && cells->size() == 1) {
    return leaf_of_kind(targets(definition.at)[definition.element], {true, target}, false);
  }
  if (std::ranges::any_of(*cells, [](const CellAccess& one) { return one.type.is_opaque; })) {
    return opaque(scalar_of(meaning.type), {});
  }
  const ScalarType read = {scalar_of(meaning.type).bits, assembly::is_signed(meaning.type)};
  return number(as(Expr::make_register(0, cells->size() == 1 ? cell.scalar : read), read));
}

/// Returns the initial value at byte `pointer` + `begin` of a variable KERNEL$N. nvcc creates a variable KERNEL$N for
/// each constexpr object of the source. No instruction writes the variable.
std::optional<Symbol> CompiledThread::shadowed_constant(const Symbol& pointer, std::uint64_t begin,
                                                        assembly::Type type) const {
  if (pointer.base != Symbol::Base::Unknown || pointer.name.find('$') == std::string::npos) return std::nullopt;
  const assembly::Variable& variable = flat_.module->variables[pointer.local.variable];
  const std::uint64_t bytes = assembly::bytes_of(type);
  if (!pointer.value.is_constant() || pointer.value.constant < 0 || bytes == 0 || bytes > 8) return std::nullopt;
  begin += static_cast<std::uint64_t>(pointer.value.constant);
  if (begin + bytes > variable.size()) return std::nullopt;
  if (!variable.relocations.empty() || assembly::is_float(type)) return opaque(scalar_of(type), {});
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < bytes && begin + i < variable.initial.size(); ++i) {
    value |= std::uint64_t{variable.initial[begin + i]} << (8 * i);
  }
  const ScalarType scalar = scalar_of(type);
  return number(scalar.wrap(static_cast<Value>(value)), scalar);
}

Symbol CompiledThread::operand(const FlatInstruction& flat, const Operand& operand, assembly::Type type) {
  switch (operand.kind) {
    case Operand::Kind::Register: {
      Symbol symbol = value_of(flat.reg(operand.index));
      if (operand.negated && symbol.is_number()) {
        symbol.value = Expr::make(Op::Equal, kInt, {symbol.value, Expr::make_constant(0)});
      }
      return operand.component >= 0 ? opaque(scalar_of(type), {symbol}) : symbol;
    }
    case Operand::Kind::Special: return special(flat, static_cast<SpecialRegister>(operand.index));
    case Operand::Kind::Integer:
      return number(static_cast<Value>(operand.value), type == assembly::Type::None ? kBits64 : scalar_of(type));
    case Operand::Kind::Variable: return address(flat, operand);
    case Operand::Kind::Vector: {  // the vector contains the registers of a matrix fragment
      std::vector<Symbol> elements;
      for (const Operand& element : flat.instruction->elements(operand)) {
        elements.push_back(this->operand(flat, element, type));
        if (elements.back().base == Symbol::Base::Undetermined) return elements.back();
      }
      return opaque(scalar_of(type), elements);
    }
    case Operand::Kind::Float32:
    case Operand::Kind::Float64:
    default: return opaque(scalar_of(type), {});
  }
}

/// Returns the address that an operand denotes: an address in brackets, or the name of a variable.
Symbol CompiledThread::address(const FlatInstruction& flat, const Operand& operand) {
  Symbol base;
  const bool is_variable = operand.kind == Operand::Kind::Variable ||
                           (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Variable);
  if (is_variable) {
    const assembly::Variable& variable = flat_.module->variables[operand.index];
    if (variable.space == assembly::Space::Local || variable.space == assembly::Space::Param) {
      base.base = Symbol::Base::Local;
      base.local = flat_.resolved({flat.frame, operand.index});
      base.value = Expr::make_constant(0, kBits64);
    } else {
      base = memory_.variable(operand.index, {setting_.place.gpu, setting_.place.block});
    }
  } else if (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register) {
    base = value_of(flat.reg(operand.index));
  } else {
    base = number(0, kBits64);
  }
  if (operand.value == 0) return base;
  return add(std::move(base), number(static_cast<Value>(operand.value), kBits64), kBits64, false);
}

Symbol CompiledThread::special(const FlatInstruction& flat, SpecialRegister special) {
  if (special == SpecialRegister::Envreg1) return memory_.grid_workspace();
  if (special == SpecialRegister::Envreg2) return number(0, kUnsigned);  // Envreg1 is the whole address
  // Each cooperative-groups object stores the address of the reserved shared memory, but only groups of several warps
  // use this memory.
  if (special >= SpecialRegister::ReservedSmemBegin && special <= SpecialRegister::ReservedSmem1) {
    return opaque(kUnsigned, {});
  }
  if (const auto found = litmus::special_register(setting_, assembly::to_string(special))) {
    return found->type.is_opaque ? opaque(found->type.scalar, {}) : number(found->expr);
  }
  fail(flat, fmt::format("the special register {} is not supported", assembly::to_string(special)));
  return opaque(kUnsigned, {});
}

/// Returns the value of `bytes` bytes of a kernel parameter.
Symbol CompiledThread::argument(std::uint32_t variable, std::uint64_t offset, unsigned bytes) {
  std::size_t position = 0;
  while (flat_.kernel->parameters[position].index != variable) ++position;
  const litmus::Operand& argument = arguments_[position];
  const auto of_scalar = [&](const litmus::Operand& scalar) {
    if (scalar.type.is_pointer) {
      if (scalar.expr.constant == 0) return number(0, kBits64);
      return memory_.pointer(scalar.expr.constant);
    }
    if (scalar.type.is_opaque) return opaque(scalar.type.scalar, {});
    return number(scalar.expr);
  };
  const ScalarType part = {static_cast<std::uint8_t>(bytes * 8), true};
  const auto part_of = [&](const litmus::Operand& scalar, std::uint64_t begin) {
    if (scalar.type.is_pointer) return begin == 0 && bytes == 8 ? of_scalar(scalar) : opaque(part, {});
    const Symbol whole = of_scalar(scalar);
    if (whole.is_opaque || (begin + bytes) * 8 > whole.value.result_type().bits) return opaque(part, {});
    const ScalarType type = {whole.value.result_type().bits, false};
    const Expr count = Expr::make_constant(static_cast<Value>(begin * 8), type);
    return number(as(Expr::make(Op::ShiftRight, type, {as(whole.value, type), count}), part));
  };
  if (!litmus::is_struct_value(argument.type)) return part_of(argument, offset);
  std::size_t field = 0;
  for (const LayoutCell& cell : memory_.layouts().of(argument.type).cells) {
    for (std::uint32_t i = 0; i < cell.count; ++i, ++field) {
      const std::uint64_t begin = cell.offset + std::uint64_t{i} * cell.bytes;
      if (begin <= offset && offset < begin + cell.bytes) return part_of(argument.fields[field], offset - begin);
    }
  }
  return opaque(part, {});
}

Expr CompiledThread::condition(const FlatInstruction& flat) {
  const assembly::Guard& guard = flat.instruction->guard;
  if (guard.reg == kNone) return Expr::make_constant(1);
  const Symbol symbol = value_of(flat.reg(guard.reg));
  if (!symbol.is_number()) return Expr::make_register(0, kInt);  // unknown so far
  const bool is_negated = guard.negated != flat.is_inverted;
  const Op op = is_negated ? Op::Equal : Op::NotEqual;
  if (!is_negated && is_boolean(symbol.value.op)) return symbol.value;
  return Expr::make(op, kInt, {symbol.value, Expr::make_constant(0)});
}

}  // namespace ambit::parser::compiled
