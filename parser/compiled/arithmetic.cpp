// Evaluates instructions that access only registers.

#include <algorithm>
#include <bit>
#include <utility>

#include "core/opaque.h"
#include "parser/compiled/compiled_thread.h"
#include "parser/ptx/integer_arithmetic.h"

namespace ambit::parser::compiled {

using assembly::Modifier;
using assembly::Opcode;
using assembly::Operand;

namespace {

Symbol undetermined() {
  Symbol symbol;
  symbol.base = Symbol::Base::Undetermined;
  return symbol;
}

Expr constant_of(Value value, ScalarType type) { return Expr::make_constant(type.wrap(value), type); }

ScalarType with_sign(ScalarType type, bool is_signed) { return {type.bits, is_signed}; }

/// Sets the layouts of `result`, a pointer that equals `a` or `b`.
void join_layouts(const Expr& condition, const Symbol& a, const Symbol& b, Symbol& result) {
  if (a.layouts.empty() && b.layouts.empty() && a.layout == b.layout) return;
  std::vector<const Layout*> layouts = a.all_layouts();
  for (const Layout* layout : b.all_layouts()) {
    if (std::ranges::find(layouts, layout) == layouts.end()) layouts.push_back(layout);
  }
  result.layout_number =
      Expr::make(Op::Select, kInt, {condition, *layout_number_in(a, layouts), *layout_number_in(b, layouts)});
  result.layouts = std::move(layouts);
}

/// Returns whether both pointers are derived from the same object. The order of pointers to one object is the order of
/// their byte offsets.
bool is_one_object(const ElementPointer& a, const ElementPointer& b) {
  const std::optional<Value> x = constant_part(a.address);
  const std::optional<Value> y = constant_part(b.address);
  return x && y && object_of(*x) == object_of(*y);
}

}  // namespace

Symbol CompiledThread::add(Symbol a, Symbol b, ScalarType type, bool is_subtraction) {
  if (a.base == Symbol::Base::Undetermined || b.base == Symbol::Base::Undetermined) {
    // The sum of a pointer and a value that is not yet known is a pointer.
    return a.is_pointer() ? a : b.is_pointer() ? b : undetermined();
  }
  const bool varies = a.varies || b.varies;
  const Op op = is_subtraction ? Op::Subtract : Op::Add;
  if (a.is_number() && b.is_number()) {
    if (a.is_opaque || b.is_opaque) return opaque(type, {a, b});
    Symbol sum = number(Expr::make(op, type, {a.value, b.value}));
    sum.varies = varies;
    return sum;
  }
  if (a.is_pointer() && b.is_pointer()) {
    const bool same = is_subtraction && a.base == b.base && a.pointer == b.pointer && a.local == b.local;
    if (!same) return opaque(type, {});
    Symbol distance = number(Expr::make(Op::Subtract, kBits64, {a.value, b.value}));
    distance.varies = varies;
    return distance;
  }
  if (b.is_pointer() && is_subtraction) return opaque(type, {a});
  if (b.is_pointer()) std::swap(a, b);
  if (b.is_opaque) {
    a.is_opaque = true;
  }
  // The distance must have the width of the address. The code extends the sign of the distance, because compilers write
  // a subtraction as the addition of a negative number.
  const Expr distance = as(as(b.value, with_sign(type, true)), kBits64);
  a.value = Expr::make(op, kBits64, {a.value, distance});
  a.varies = varies;
  return a;
}

Symbol CompiledThread::choose(const Symbol& condition, const Symbol& a, const Symbol& b, ScalarType type) {
  if (const auto known = constant(condition)) return *known != 0 ? a : b;
  if (a.base == Symbol::Base::Undetermined) return b.is_pointer() ? b : a;
  if (b.base == Symbol::Base::Undetermined) return a.is_pointer() ? a : b;
  if (condition.base == Symbol::Base::Undetermined) return a.is_pointer() ? a : condition;
  const bool varies = condition.varies || a.varies || b.varies;
  Symbol result;
  if (a.is_number() && b.is_number()) {
    if (a.is_opaque || b.is_opaque || condition.is_opaque) return opaque(type, {condition, a, b});
    result = number(Expr::make(Op::Select, type, {condition.value, a.value, b.value}));
  } else {
    const auto null = [](const Symbol& s) { return s.is_constant() && s.value.constant == 0; };
    const Symbol& pointer = a.base == Symbol::Base::Memory ? a : b;
    const ElementPointer zero = {constant_of(0, kBits64), constant_of(0, kBits64)};
    const std::optional<ElementPointer> x = null(a) ? zero : element_of(a);
    const std::optional<ElementPointer> y = null(b) ? zero : element_of(b);
    if (!x || !y || condition.is_opaque) return opaque(type, {condition, a, b});
    result = pointer;
    result.is_opaque = a.is_opaque || b.is_opaque;
    result.pointer = Expr::make(Op::Select, kBits64, {condition.value, x->address, y->address});
    result.value =
        x->bytes == y->bytes ? x->bytes : Expr::make(Op::Select, kBits64, {condition.value, x->bytes, y->bytes});
    join_layouts(condition.value, null(a) ? b : a, null(b) ? a : b, result);
  }
  result.varies = varies;
  return result;
}

Symbol CompiledThread::compare(const FlatInstruction& flat, std::uint32_t element) {
  const assembly::Instruction& instruction = *flat.instruction;
  const assembly::Type type =
      instruction.type_count == 0 ? assembly::Type::None : instruction.types[instruction.type_count - 1U];
  const Symbol a = operand(flat, instruction.operands[1], type);
  const Symbol b = operand(flat, instruction.operands[2], type);
  if (a.base == Symbol::Base::Undetermined || b.base == Symbol::Base::Undetermined) return undetermined();
  const bool varies = a.varies || b.varies;
  const std::optional<Op> op = ptx::comparison_of(instruction);
  Symbol result;
  const auto is_null = [](const Symbol& s) { return s.is_constant() && s.value.constant == 0; };
  const bool is_equality = op == Op::Equal || op == Op::NotEqual;
  if (a.is_pointer() || b.is_pointer()) {
    const ElementPointer zero = {constant_of(0, kBits64), constant_of(0, kBits64)};
    const std::optional<ElementPointer> x = is_null(a) ? zero : element_of(a);
    const std::optional<ElementPointer> y = is_null(b) ? zero : element_of(b);
    const bool has_one_offset = x && y && x->bytes.is_constant() && x->bytes == y->bytes;
    if (a.is_opaque || b.is_opaque) {
      result = opaque(kInt, {a, b});
    } else if (is_equality && has_one_offset) {
      result = number(Expr::make(*op, kBits64, {x->address, y->address}));
    } else if (is_equality && x && y && (is_null(a) || is_null(b)) && !(a.layouts.empty() && b.layouts.empty())) {
      const ElementPointer& pointer = is_null(a) ? *y : *x;  // both fields of a null pointer are 0
      const Expr sum = Expr::make(Op::Add, kBits64, {pointer.address, pointer.bytes});
      result = number(Expr::make(*op, kBits64, {sum, constant_of(0, kBits64)}));
    } else if (!a.layouts.empty() || !b.layouts.empty()) {
      result = opaque(kInt, {a, b});
    } else if (is_equality && x && y && (is_null(a) || is_null(b) || a.layout == b.layout)) {
      const Layout& layout = is_null(a) ? *b.layout : *a.layout;
      result = number(Expr::make(*op, kBits64, {byte_number(*x, layout), byte_number(*y, layout)}));
    } else if (op && x && y && a.layout == b.layout && is_one_object(*x, *y)) {
      result = number(Expr::make(*op, kBits64, {byte_number(*x, *a.layout), byte_number(*y, *b.layout)}));
    } else if (is_equality && (is_null(a) || is_null(b))) {
      result = number(op == Op::NotEqual ? 1 : 0, kInt);  // the address of a variable is not null
    } else {
      result = opaque(kInt, {a, b});
    }
  } else if (!op || assembly::is_float(type) || a.is_opaque || b.is_opaque) {
    result = opaque(kInt, {a, b});
  } else {
    result = number(Expr::make(*op, ptx::integer_type(type), {a.value, b.value}));
  }
  if (element == 1 && !result.is_opaque)
    result = number(Expr::make(Op::Equal, kInt, {result.value, constant_of(0, kInt)}));
  if (instruction.operand_count > 3) {
    Symbol c = operand(flat, instruction.operands[3], assembly::Type::Pred);
    if (c.base == Symbol::Base::Undetermined) return c;
    if (result.is_opaque || c.is_opaque) {
      result = opaque(kInt, {result, c});
    } else {
      result = number(Expr::make(ptx::combination_of(instruction), kInt, {result.value, c.value}));
    }
    result.varies = c.varies;
  }
  result.varies = result.varies || varies;
  return result;
}

Symbol CompiledThread::convert(const FlatInstruction& flat) {
  const assembly::Instruction& instruction = *flat.instruction;
  const assembly::Type to = instruction.types[0];
  const assembly::Type from = instruction.type_count > 1 ? instruction.types[1] : to;
  Symbol source = operand(flat, instruction.operands[1], from);
  if (source.base == Symbol::Base::Undetermined) return source;
  // A conversion of an address to 32 or 64 bits does not change the address.
  if (!source.is_number()) return assembly::bits_of(to) >= 32 ? source : opaque(scalar_of(to), {source});
  const bool is_simple = !assembly::is_float(to) && !assembly::is_float(from) && !source.is_opaque &&
                         !instruction.modifiers.has(Modifier::Sat) && instruction.operand_count == 2;
  if (!is_simple) return opaque(scalar_of(to), {source});
  source.value = as(as(source.value, ptx::integer_type(from)), ptx::integer_type(to));
  return source;
}

/// Evaluates mov, including the packing and unpacking of vectors.
Symbol CompiledThread::move(const FlatInstruction& flat, std::uint32_t element) {
  const assembly::Instruction& instruction = *flat.instruction;
  const Operand& target = instruction.operands[0];
  const Operand& source = instruction.operands[1];
  const ScalarType type = scalar_of(instruction.type());
  if (source.kind == Operand::Kind::Vector) {
    const auto parts = instruction.elements(source);
    const unsigned bits = type.bits / static_cast<unsigned>(parts.size());
    if (bits < 8) return opaque(type, {});
    const ScalarType part_type = {static_cast<std::uint8_t>(bits), false};
    Expr whole = constant_of(0, type);
    bool varies = false;
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      symbols.push_back(operand(flat, parts[i], assembly::Type::B64));
      const Symbol& symbol = symbols.back();
      if (symbol.base == Symbol::Base::Undetermined) return symbol;
      if (!symbol.is_number()) return opaque(type, {});
      varies = varies || symbol.varies;
      const Expr wide = as(as(symbol.value, part_type), type);
      const Expr moved = Expr::make(Op::ShiftLeft, type, {wide, constant_of(static_cast<Value>(i * bits), type)});
      whole = Expr::make(Op::BitOr, type, {whole, moved});
    }
    if (std::any_of(symbols.begin(), symbols.end(), [](const Symbol& s) { return s.is_opaque; })) {
      return opaque(type, symbols);
    }
    Symbol result = number(std::move(whole));
    result.varies = varies;
    return result;
  }
  Symbol symbol = operand(flat, source, instruction.type());
  if (target.kind != Operand::Kind::Vector || symbol.base == Symbol::Base::Undetermined) return symbol;
  const unsigned bits = type.bits / target.count;
  if (bits < 8) return opaque(type, {});
  const ScalarType part_type = {static_cast<std::uint8_t>(bits), false};
  if (symbol.is_opaque || !symbol.is_number()) return opaque(part_type, {symbol});
  const ScalarType unsigned_type = with_sign(type, false);
  symbol.value =
      as(Expr::make(Op::ShiftRight, unsigned_type, {symbol.value, constant_of(Value{element} * bits, unsigned_type)}),
         part_type);
  return symbol;
}

/// Evaluates an instruction on numbers. If Ambit does not support the instruction, the result is opaque.
Symbol CompiledThread::compute_integer(const assembly::Instruction& instruction, const std::vector<Symbol>& inputs,
                                       ScalarType scalar, ScalarType result_type) {
  std::vector<Expr> values;
  for (const Symbol& input : inputs) values.push_back(input.value);
  // If the operands have no common 1 bits, `or` computes the sum: compilers write base | offset for base + offset.
  if (instruction.opcode == Opcode::Or && values[1].is_constant() && values[1].constant >= 0 && scalar.bits >= 32 &&
      low_zeros(values[0]) >= static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(values[1].constant)))) {
    return number(Expr::make(Op::Add, scalar, std::move(values)));
  }
  if (instruction.opcode == Opcode::Mad) values.pop_back();  // the addend may be an address
  std::optional<Expr> result = ptx::integer_result(instruction, values);
  if (!result) return opaque(result_type, inputs);
  if (instruction.opcode != Opcode::Mad) return number(*std::move(result));
  return add(number(*std::move(result)), inputs[2], result_type, false);
}

/// Evaluates `address & mask`, which code uses to check alignment: returns the lowest bits of the offset in the
/// variable. Returns nothing if the operands do not have this form, or if the variable's alignment is too small.
std::optional<Symbol> CompiledThread::low_bits(const FlatInstruction& flat) {
  const assembly::Type type = flat.instruction->type();
  const Symbol pointer = operand(flat, flat.instruction->operands[1], type);
  const Symbol mask = operand(flat, flat.instruction->operands[2], type);
  if (pointer.base != Symbol::Base::Memory || !pointer.pointer.is_constant() || !pointer.layouts.empty()) return {};
  const std::optional<Value> bits = constant(mask);
  if (!bits || *bits < 0 || *bits >= memory_.alignment(pointer)) return {};
  const Value begin = index_of(pointer.pointer.constant) * static_cast<Value>(pointer.layout->stride);
  Symbol result = number(Expr::make(Op::BitAnd, kBits64,
                                    {Expr::make(Op::Add, kBits64, {pointer.value, Expr::make_constant(begin, kBits64)}),
                                     Expr::make_constant(*bits, kBits64)}));
  result.value = as(result.value, scalar_of(type));
  result.varies = pointer.varies;
  return result;
}

Symbol CompiledThread::compute(const FlatInstruction& flat, std::uint32_t element) {
  const assembly::Instruction& instruction = *flat.instruction;
  const assembly::Type type = instruction.type();
  const ScalarType scalar = ptx::integer_type(type);
  switch (instruction.opcode) {
    case Opcode::Mov: return move(flat, element);
    case Opcode::Cvta: return operand(flat, instruction.operands[1], type);
    case Opcode::Cvt: return convert(flat);
    case Opcode::Setp: return compare(flat, element);
    case Opcode::Mapa: return mapped(flat);
    case Opcode::Isspacep: return is_in_space(flat);
    case Opcode::Selp:
      return choose(operand(flat, instruction.operands[3], assembly::Type::Pred),
                    operand(flat, instruction.operands[1], type), operand(flat, instruction.operands[2], type),
                    scalar_of(type));
    case Opcode::Add:
    case Opcode::Sub:
      if (assembly::is_float(type) || instruction.modifiers.has(Modifier::Cc) ||
          instruction.modifiers.has(Modifier::Sat)) {
        break;
      }
      return add(operand(flat, instruction.operands[1], type), operand(flat, instruction.operands[2], type),
                 scalar_of(type), instruction.opcode == Opcode::Sub);
    case Opcode::And:
      if (auto bits = low_bits(flat)) return *std::move(bits);
      break;
    case Opcode::Bfi: {  // joins the two halves of the address of the grid's workspace
      Symbol upper = operand(flat, instruction.operands[1], type);
      const Symbol lower = operand(flat, instruction.operands[2], type);
      const auto position = constant(operand(flat, instruction.operands[3], type));
      if (upper.is_pointer() && constant(lower) == Value{0} && position == Value{32}) return upper;
      break;
    }
    default: break;
  }
  std::vector<Symbol> inputs;
  bool is_opaque =
      assembly::is_float(type) || instruction.modifiers.has(Modifier::Sat) || instruction.modifiers.has(Modifier::Cc);
  bool varies = false;
  for (std::size_t i = 1; i < instruction.operand_count; ++i) {
    inputs.push_back(operand(flat, instruction.operands[i], assembly::source_type(instruction, i - 1)));
    const Symbol& input = inputs.back();
    if (input.base == Symbol::Base::Undetermined) return input;
    if (instruction.opcode == Opcode::Mad && i == 3 && input.is_pointer()) continue;
    is_opaque = is_opaque || input.is_opaque || !input.is_number();
    varies = varies || input.varies;
  }
  const ScalarType result_type = scalar_of(assembly::result_type(instruction));
  if (is_opaque) return opaque(result_type, inputs);
  Symbol result = compute_integer(instruction, inputs, scalar, result_type);
  result.varies = result.varies || varies;
  return result;
}

}  // namespace ambit::parser::compiled
