#include <algorithm>

#include "ptx/module.h"

namespace ambit::ptx {
namespace {

Type twice_as_wide(Type type) {
  switch (type) {
    case Type::U16: return Type::U32;
    case Type::S16: return Type::S32;
    case Type::S32: return Type::S64;
    default: return Type::U64;
  }
}

}  // namespace

Type result_type(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Bfind:
    case Opcode::Clz:
    case Opcode::Popc: return Type::U32;
    case Opcode::Isspacep:
    case Opcode::Setp:
    case Opcode::Testp: return Type::Pred;
    default: return instruction.modifiers.has(Modifier::Wide) ? twice_as_wide(instruction.type()) : instruction.type();
  }
}

Type source_type(const Instruction& instruction, std::size_t number) {
  // The operands of a row are letters between blanks; the result precedes the sources.
  std::string_view letters = row_of(instruction.opcode).operands;
  for (std::size_t i = 0; i <= number && !letters.empty(); ++i) {
    letters.remove_prefix(std::min(letters.find(' '), letters.size() - 1) + 1);
  }
  if (letters.starts_with('?')) letters.remove_prefix(1);
  switch (letters.empty() ? 'a' : letters.front()) {
    case 's': return instruction.types[1];
    case 'u': return Type::U32;
    case 'p': return Type::Pred;
    case 'w': return result_type(instruction);
    default: return instruction.type();
  }
}

}  // namespace ambit::ptx
