#include <bit>
#include <optional>

#include <fmt/format.h>

#include "runner/virtual/address.h"
#include "runner/virtual/control.h"
#include "runner/virtual/decoder.h"
#include "runner/virtual/register_operations.h"
#include "runner/virtual/scalar_code.h"
#include "runner/virtual/special_registers.h"

namespace ambit::virtual_gpu {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Type;

Comparison comparison_of(Modifier modifier) {
  switch (modifier) {
    case Modifier::Ne: return Comparison::NotEqual;
    case Modifier::Lt:
    case Modifier::Lo: return Comparison::Less;
    case Modifier::Le:
    case Modifier::Ls: return Comparison::LessEqual;
    case Modifier::Gt:
    case Modifier::Hi: return Comparison::Greater;
    case Modifier::Ge:
    case Modifier::Hs: return Comparison::GreaterEqual;
    case Modifier::Equ: return Comparison::EqualOrNan;
    case Modifier::Neu: return Comparison::NotEqualOrNan;
    case Modifier::Ltu: return Comparison::LessOrNan;
    case Modifier::Leu: return Comparison::LessEqualOrNan;
    case Modifier::Gtu: return Comparison::GreaterOrNan;
    case Modifier::Geu: return Comparison::GreaterEqualOrNan;
    case Modifier::Num: return Comparison::AreNumbers;
    case Modifier::IsNan: return Comparison::HasNan;
    default: return Comparison::Equal;
  }
}

Mode mode_of(Opcode opcode, const ptx::Modifiers& modifiers) {
  const auto has = [&](Modifier modifier) { return modifiers.has(modifier); };
  if (opcode == Opcode::Shf) {
    if (has(Modifier::L)) return has(Modifier::Wrap) ? Mode::LeftWrap : Mode::LeftClamp;
    return has(Modifier::Wrap) ? Mode::RightWrap : Mode::RightClamp;
  }
  if (opcode == Opcode::Bmsk || opcode == Opcode::Szext) return has(Modifier::Wrap) ? Mode::LeftWrap : Mode::None;
  if (has(Modifier::F4e)) return Mode::Forward4;
  if (has(Modifier::B4e)) return Mode::Backward4;
  if (has(Modifier::Rc8)) return Mode::Replicate8;
  if (has(Modifier::Ecl)) return Mode::EdgeClampLeft;
  if (has(Modifier::Ecr)) return Mode::EdgeClampRight;
  if (has(Modifier::Rc16)) return Mode::Replicate16;
  if (has(Modifier::Finite)) return Mode::Finite;
  if (has(Modifier::Infinite)) return Mode::Infinite;
  if (has(Modifier::Number)) return Mode::Number;
  if (has(Modifier::Notanumber)) return Mode::NotANumber;
  if (has(Modifier::Normal)) return Mode::Normal;
  if (has(Modifier::Subnormal)) return Mode::Subnormal;
  return Mode::None;
}

Rounding rounding_of(const ptx::Modifiers& modifiers) {
  for (const Modifier modifier : modifiers.span()) {
    switch (modifier) {
      case Modifier::Rz:
      case Modifier::Rzi: return Rounding::Zero;
      case Modifier::Rm:
      case Modifier::Rmi: return Rounding::Down;
      case Modifier::Rp:
      case Modifier::Rpi: return Rounding::Up;
      case Modifier::Rna: return Rounding::Away;
      default: break;
    }
  }
  return Rounding::Nearest;
}

/// Returns whether the instruction only moves bits. For such an instruction, floating-point types count as bit types.
bool moves_bits(Opcode opcode) { return opcode == Opcode::Mov || opcode == Opcode::Selp; }

bool is_bitwise(Opcode opcode) {
  return opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor || opcode == Opcode::Not ||
         opcode == Opcode::Mov;
}

}  // namespace

ArithmeticKey FunctionDecoder::key_of(const ptx::Instruction& from) const {
  ArithmeticKey key;
  const auto is_bits = [](Type type) { return type >= Type::B8 && type <= Type::B64; };
  key.opcode = from.opcode;
  key.type = from.type_count > 0 ? from.types[0] : Type::None;
  key.source = from.type_count > 1 ? from.types[1] : Type::None;
  if (moves_bits(key.opcode) || is_bits(key.type)) key.type = as_bits(key.type);
  if (is_bits(key.source)) key.source = as_bits(key.source);
  if (key.opcode == Opcode::Slct) key.type = as_bits(key.type);
  key.rounding = rounding_of(from.modifiers);
  key.rounds_to_integer =
      from.modifiers.first_of({Modifier::Rni, Modifier::Rzi, Modifier::Rmi, Modifier::Rpi}).has_value();
  key.flushes = has(Modifier::Ftz);
  key.saturates = has(Modifier::Sat);
  key.is_finite = has(Modifier::Satfinite);
  key.is_approximate = has(Modifier::Approx);
  key.keeps_nan = has(Modifier::Nan);
  key.is_relu = has(Modifier::Relu);
  key.uses_sign = has(Modifier::XorsignAbs);
  key.gives_shift = has(Modifier::Shiftamt);
  key.carries_in = key.opcode == Opcode::Addc || key.opcode == Opcode::Subc || key.opcode == Opcode::Madc;
  key.carries_out = has(Modifier::Cc);
  if (has(Modifier::Hi)) key.part = Part::High;
  if (has(Modifier::Wide)) key.part = Part::Wide;
  key.mode = mode_of(key.opcode, from.modifiers);
  return key;
}

/// Chooses a vectorised loop if there is one for the key, and otherwise code that works lane by lane.
bool FunctionDecoder::choose(Instruction& to, const ArithmeticKey& key, std::int64_t combination) {
  Execute found = key.is_finite ? nullptr : find_float(key);
  if (found == nullptr && !key.is_finite) found = find_integer(key);
  if (found == nullptr) {
    found = find_scalar(key);
    to.value = pack_scalar(key, combination);
  }
  to.execute = found;
  return true;
}

bool FunctionDecoder::decode_arithmetic(const ptx::Instruction& from, Instruction& to) {
  if (ptx::row_of(from.opcode).effect != ptx::Effect::None) return false;  // unsupported memory or control
  const ArithmeticKey key = key_of(from);
  switch (from.opcode) {
    case Opcode::Mov:
      if (key.type != Type::Pred) return decode_move(from, to);
      return decode_predicate_logic(from, to);
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Not:
      if (key.type == Type::Pred) return decode_predicate_logic(from, to);
      return decode_plain(from, to, key);
    case Opcode::Setp:
    case Opcode::Set: return decode_comparison(from, to, key);
    case Opcode::Cvt: return decode_conversion(from, to, key);
    case Opcode::Cvta:
    case Opcode::Isspacep:
    case Opcode::Mapa:
    case Opcode::Getctarank: return decode_address_arithmetic(from, to);
    default: return decode_plain(from, to, key);
  }
}

bool FunctionDecoder::decode_move(const ptx::Instruction& from, Instruction& to) {
  const Operand& d = operand(0);
  const Operand& a = operand(1);
  const Type type = as_bits(from.type());
  const unsigned bytes = ptx::bytes_of(from.type());
  const bool packs = a.kind == Operand::Kind::Vector;
  if (packs || d.kind == Operand::Kind::Vector) {
    const auto elements = from.elements(packs ? a : d);
    MemoryOperation parts;
    parts.elements = static_cast<std::uint8_t>(elements.size());
    parts.element_bytes = static_cast<std::uint8_t>(bytes / elements.size());
    parts.register_bytes = std::max<std::uint8_t>(parts.element_bytes, 2);
    for (std::size_t i = 0; i < elements.size() && i < parts.registers.size(); ++i) {
      const Operand& part = elements[i];
      if (part.kind == Operand::Kind::Register) {
        parts.registers[i] = register_at(part, parts.register_bytes);
      } else {
        parts.registers[i] =
            part.kind == Operand::Kind::Discard ? kDiscarded : bits(literal(part, Type::U64), parts.register_bytes);
      }
    }
    to.extra = static_cast<std::uint32_t>(code_.memory.size());
    code_.memory.push_back(parts);
    to.value = static_cast<std::int64_t>(bytes);
    if (packs) {
      to.d = target(d, type);
      to.execute = execute_pack;
    } else {
      to.a = source(a, type);
      to.execute = execute_unpack;
    }
    return true;
  }
  to.d = target(d, type);
  if (a.kind == Operand::Kind::Special && !is_fixed(static_cast<ptx::SpecialRegister>(a.index))) {
    if (!is_known(static_cast<ptx::SpecialRegister>(a.index))) return false;
    to.extra = a.index;
    to.value = static_cast<std::int64_t>(slot_bytes(type));
    to.execute = execute_read_special;
    return true;
  }
  to.a = source(a, type);
  if (bytes == 16) {
    to.execute = execute_wide_move;
    return true;
  }
  ArithmeticKey key = key_of(from);
  return choose(to, key, 0);
}

bool FunctionDecoder::decode_predicate_logic(const ptx::Instruction& from, Instruction& to) {
  bool negates_a = false;
  bool negates_b = false;
  to.d = target(operand(0), Type::Pred);
  to.a = predicate(operand(1), negates_a);
  if (operand_count() > 2) to.b = predicate(operand(2), negates_b);
  switch (from.opcode) {
    case Opcode::And: to.execute = execute_predicate_and; break;
    case Opcode::Or: to.execute = execute_predicate_or; break;
    case Opcode::Xor: to.execute = execute_predicate_xor; break;
    case Opcode::Not: negates_a = !negates_a; [[fallthrough]];
    default: to.execute = execute_predicate_move; break;
  }
  to.value = (negates_a ? 1 : 0) | (negates_b ? 2 : 0);
  return true;
}

bool FunctionDecoder::decode_comparison(const ptx::Instruction& from, Instruction& to, ArithmeticKey key) {
  const bool is_set = from.opcode == Opcode::Set;
  Combination combination = Combination::None;
  bool has_comparison = false;
  for (const Modifier modifier : from.modifiers.span()) {
    switch (modifier) {
      case Modifier::And: combination = Combination::And; break;
      case Modifier::Or: combination = Combination::Or; break;
      case Modifier::Xor: combination = Combination::Xor; break;
      case Modifier::Ftz: break;
      default:
        if (has_comparison) return false;
        key.comparison = comparison_of(modifier);
        has_comparison = true;
        break;
    }
  }
  if (key.part == Part::High) key.part = Part::Low;  // setp.hi
  // Comparisons of bit types are unsigned; lo, ls, hi and hs compare unsigned numbers.
  const Type compared = is_set ? key.source : key.type;
  const Operand& d = operand(0);
  to.extra = kNoResult;
  if (is_set) {
    to.d = target(d, key.type);
  } else if (d.kind == Operand::Kind::Pair) {
    const auto both = from.elements(d);
    to.d = both[0].kind == Operand::Kind::Discard ? kNoResult : target(both[0], Type::Pred);
    to.extra = both[1].kind == Operand::Kind::Discard ? kNoResult : target(both[1], Type::Pred);
  } else {
    to.d = d.kind == Operand::Kind::Discard ? kNoResult : target(d, Type::Pred);
  }
  to.a = source(operand(1), compared);
  to.b = source(operand(2), compared);
  bool negates = false;
  to.c = operand_count() > 3 ? predicate(operand(3), negates) : kAlways;
  const std::int64_t packed = pack_combination(combination, negates);
  to.value = packed;
  return choose(to, key, packed);
}

bool FunctionDecoder::decode_conversion(const ptx::Instruction& from, Instruction& to, ArithmeticKey key) {
  if (from.type_count != 2 || key.type == Type::E4m3x2 || key.type == Type::E5m2x2 || key.source == Type::E4m3x2 ||
      key.source == Type::E5m2x2 || has(Modifier::Rs)) {
    return false;
  }
  const bool is_packed = key.type == Type::F16x2 || key.type == Type::Bf16x2;
  if (is_packed && (key.source != Type::F32 || operand_count() != 3)) return false;
  if (!is_packed && operand_count() != 2) return false;
  if (ptx::bits_of(key.type) > 64 || ptx::bits_of(key.source) > 64) return false;
  if (ptx::is_float(key.source) && !ptx::is_float(key.type)) {
    key.rounds_to_integer = true;
    if (!from.modifiers.first_of({Modifier::Rni, Modifier::Rzi, Modifier::Rmi, Modifier::Rpi, Modifier::Rn,
                                  Modifier::Rz, Modifier::Rm, Modifier::Rp})) {
      key.rounding = Rounding::Zero;
    }
  }
  const unsigned to_bytes = register_bytes(operand(0)) != 0 ? register_bytes(operand(0)) : slot_bytes(key.type);
  const unsigned from_bytes = register_bytes(operand(1)) != 0 ? register_bytes(operand(1)) : slot_bytes(key.source);
  if (to_bytes < ptx::bytes_of(key.type) || from_bytes < ptx::bytes_of(key.source)) {
    return refuse("a register is too narrow for the type of the instruction");
  }
  const auto offset = [&](const Operand& value, unsigned bytes) {
    if (value.kind == Operand::Kind::Register) return register_at(value, bytes);
    return source(value, key.source);
  };
  to.d = register_at(operand(0), to_bytes);
  to.a = offset(operand(1), from_bytes);
  if (is_packed) to.b = offset(operand(2), from_bytes);
  const bool is_natural = to_bytes == ptx::bytes_of(key.type) && from_bytes == ptx::bytes_of(key.source);
  to.execute = is_natural && !key.is_finite && !key.is_relu ? find_float(key) : nullptr;
  if (to.execute != nullptr) return true;
  ScalarCode code = std::bit_cast<ScalarCode>(pack_scalar(key, 0));
  code.comparison = static_cast<std::uint8_t>(to_bytes);
  code.mode = static_cast<std::uint8_t>(from_bytes);
  to.value = std::bit_cast<std::int64_t>(code);
  to.execute = execute_conversion;
  return true;
}

bool FunctionDecoder::decode_address_arithmetic(const ptx::Instruction& from, Instruction& to) {
  const bool is_shared = has(Modifier::Shared) || has(Modifier::SharedBlock) || has(Modifier::SharedCluster);
  const Window window = is_shared              ? Window::Shared
                        : has(Modifier::Local) ? Window::Local
                        : has(Modifier::Param) ? Window::Parameter
                                               : Window::Global;
  if (from.opcode == Opcode::Isspacep) {
    to.d = target(operand(0), Type::Pred);
    to.a = source(operand(1), Type::U64);
    to.value = static_cast<std::int64_t>(window);
    to.execute = execute_is_space;
    return true;
  }
  const Type type = as_bits(from.type());
  if (from.opcode == Opcode::Mapa || from.opcode == Opcode::Getctarank) {
    const bool is_rank = from.opcode == Opcode::Getctarank;
    to.a = source(operand(1), type);
    to.extra = ptx::bytes_of(type);
    to.d = target(operand(0), is_rank ? Type::U32 : type);
    if (!is_rank) to.b = source(operand(2), Type::U32);
    to.value = static_cast<std::int64_t>(is_shared ? Window::Global : Window::Shared);
    to.execute = is_rank ? execute_block_rank : execute_map_address;
    return true;
  }
  if (type != Type::U64) return refuse("the virtual GPU has 64-bit addresses only", "compile for 64 bits");
  to.d = target(operand(0), type);
  to.a = source(operand(1), type);
  if (window == Window::Global) {
    ArithmeticKey key;
    key.opcode = Opcode::Mov;
    key.type = type;
    return choose(to, key, 0);
  }
  // Adds the base of the window and uses no bit operations. As a result, an address before the start of a window
  // becomes correct again when the program adds an offset.
  to.b = bits(~std::uint64_t{0}, 8);
  to.c = bits(has(Modifier::To) ? 0 - window_base(window) : window_base(window), 8);
  to.execute = execute_mask_and_add;
  return true;
}

/// Decodes an instruction whose operand types follow from the opcode.
bool FunctionDecoder::decode_plain(const ptx::Instruction& from, Instruction& to, ArithmeticKey key) {
  // A bit type executes as an unsigned type. The key contains the unsigned type.
  const auto executed = [&](Type type) { return type == from.type() ? key.type : type; };
  switch (from.opcode) {
    case Opcode::Tanh:
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Sin:
    case Opcode::Cos: key.is_approximate = true; break;
    case Opcode::Div:
    case Opcode::Sqrt:
    case Opcode::Rcp: key.is_approximate = key.is_approximate && key.type == Type::F64; break;
    default: break;
  }
  if (operand_count() < 2 || operand_count() > 5 || key.type == Type::None) return false;
  if ((from.opcode == Opcode::Min || from.opcode == Opcode::Max) && operand_count() != 3) return false;
  to.d = target(operand(0), executed(ptx::result_type(from)));
  const std::size_t sources = from.opcode == Opcode::Lop3 ? 3 : operand_count() - 1;
  std::uint32_t* places[4] = {&to.a, &to.b, &to.c, &to.extra};
  for (std::size_t i = 0; i < sources && i < 4; ++i) {
    const Type type = executed(ptx::source_type(from, i));
    if (type == Type::Pred) {
      bool negates = false;
      *places[i] = predicate(operand(i + 1), negates);
      to.value = negates ? static_cast<std::int64_t>(kAllLanes) : 0;
    } else {
      *places[i] = source(operand(i + 1), type);
    }
  }
  if (from.opcode == Opcode::Lop3) {
    if (operand_count() != 5 || operand(4).kind != Operand::Kind::Integer) return false;
    to.value = static_cast<std::int64_t>(operand(4).value & 0xffU);
  }
  if (is_bitwise(from.opcode) && ptx::is_float(key.type)) return false;
  return choose(to, key, 0);
}

}  // namespace ambit::virtual_gpu
