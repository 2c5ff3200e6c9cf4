#include "parser/compiled/element_type.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "parser/compiled/mangled_name.h"

namespace ambit::parser::compiled {
namespace {

using assembly::Effect;
using assembly::Instruction;
using assembly::Opcode;
using assembly::Operand;

bool is_bits(assembly::Type type) {
  using assembly::Type;
  return type == Type::B8 || type == Type::B16 || type == Type::B32 || type == Type::B64 || type == Type::B128;
}

/// The uses of a pointer in a kernel: registers that hold the pointer or an address computed from the pointer, and
/// accesses through such registers.
class PointerUses {
 public:
  PointerUses(const assembly::Function& kernel, std::uint32_t variable, std::uint64_t offset)
      : variable_(variable), offset_(offset) {
    for (std::size_t known = 0;; known = registers_.size()) {
      for (const Instruction& instruction : kernel.instructions) follow(instruction);
      if (registers_.size() == known) break;
    }
    for (const Instruction& instruction : kernel.instructions) note(instruction);
  }

  /// Returns the element type that the accesses imply; nothing if there is no access.
  std::optional<ElementType> element() const {
    if (types_.empty()) return std::nullopt;
    ElementType made;
    made.bytes = assembly::bytes_of(*types_.begin());
    made.is_floating = std::ranges::any_of(types_, assembly::is_float);
    made.is_untyped = std::ranges::all_of(types_, is_bits);
    return made;
  }
  bool is_uniform() const {
    return std::ranges::all_of(
        types_, [&](assembly::Type type) { return assembly::bytes_of(type) == assembly::bytes_of(*types_.begin()); });
  }
  /// Returns whether the type of some accesses is unknown: the pointer is passed to a function, stored in memory, or
  /// used by an instruction that accesses bytes without a type.
  bool is_passed_on() const { return is_passed_on_; }

 private:
  bool holds(const Operand& operand) const {
    return operand.kind == Operand::Kind::Register && registers_.contains(operand.index);
  }
  bool is_through(const Operand& operand) const {
    return operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Register &&
           registers_.contains(operand.index);
  }

  void follow(const Instruction& instruction) {
    if (instruction.operand_count < 2) return;
    const Operand& result = instruction.operands[0];
    if (instruction.opcode == Opcode::Ld) return follow_parameter(instruction);
    if (result.kind != Operand::Kind::Register) return;
    const auto sources = instruction.top_operands().subspan(1);
    bool is_pointer = false;
    switch (instruction.opcode) {
      case Opcode::Mov:
      case Opcode::Cvta:
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Selp:
        is_pointer = std::ranges::any_of(sources, [&](const Operand& source) { return holds(source); });
        break;
      case Opcode::Mad: is_pointer = holds(sources.back()); break;
      default: break;
    }
    if (is_pointer) registers_.insert(result.index);
  }

  void follow_parameter(const Instruction& instruction) {
    const Operand& address = instruction.operands[1];
    if (address.kind != Operand::Kind::Address || address.base != Operand::Base::Variable ||
        address.index != variable_) {
      return;
    }
    const Operand& result = instruction.operands[0];
    const std::uint64_t bytes = assembly::bytes_of(assembly::memory_meaning(instruction).type);
    if (result.kind == Operand::Kind::Register && address.value == offset_) registers_.insert(result.index);
    if (result.kind != Operand::Kind::Vector) return;
    const auto elements = instruction.elements(result);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const bool is_here = elements[i].kind == Operand::Kind::Register && address.value + i * bytes == offset_;
      if (is_here) registers_.insert(elements[i].index);
    }
  }

  void note(const Instruction& instruction) {
    const auto operands = instruction.top_operands();
    const assembly::MemoryMeaning meaning = assembly::memory_meaning(instruction);
    const bool is_access =
        meaning.effect == Effect::Read || meaning.effect == Effect::Write || meaning.effect == Effect::ReadModifyWrite;
    for (const Operand& operand : operands) {
      if (!is_through(operand)) continue;
      if (is_access && assembly::bytes_of(meaning.type) != 0) {
        types_.insert(meaning.type);
      } else {
        is_passed_on_ = true;
      }
    }
    const bool is_given = instruction.opcode == Opcode::St || instruction.opcode == Opcode::Call;
    is_passed_on_ =
        is_passed_on_ ||
        (is_given && std::ranges::any_of(instruction.operands, [&](const Operand& operand) { return holds(operand); }));
  }

  std::uint32_t variable_;
  std::uint64_t offset_;
  std::set<std::uint32_t> registers_;
  std::set<assembly::Type> types_;
  bool is_passed_on_ = false;
};

/// Returns the target type of "float*" or "int const*"; nothing if the target is not a number.
std::optional<ElementType> pointee(std::string type) {
  const std::size_t star = type.rfind('*');
  if (star == std::string::npos) return std::nullopt;
  type.erase(star);
  for (const std::string_view word : {" const", " volatile"}) {
    if (const std::size_t at = type.find(word); at != std::string::npos) type.erase(at, word.size());
  }
  constexpr std::array<std::pair<std::string_view, ElementType>, 15> kTypes = {
      {{"bool", {1, false, false}},
       {"char", {1, false, false}},
       {"signed char", {1, false, false}},
       {"unsigned char", {1, false, false}},
       {"short", {2, false, false}},
       {"unsigned short", {2, false, false}},
       {"int", {4, false, false}},
       {"unsigned int", {4, false, false}},
       {"float", {4, true, false}},
       {"long", {8, false, false}},
       {"unsigned long", {8, false, false}},
       {"long long", {8, false, false}},
       {"unsigned long long", {8, false, false}},
       {"double", {8, true, false}},
       {"__half", {2, true, false}}}};
  for (const auto& [name, element] : kTypes) {
    if (type == name) return element;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ElementType> element_type(const assembly::Module& module, const assembly::Function& kernel, std::size_t i,
                                        std::uint64_t offset) {
  const std::uint32_t variable = kernel.parameters[i].index;
  const std::vector<std::string> names = parameter_types(kernel.name);
  const bool is_struct = module.variables[variable].is_array;
  const auto named = i < names.size() && !is_struct ? pointee(names[i]) : std::nullopt;
  const PointerUses uses(kernel, variable, offset);
  std::optional<ElementType> element = uses.element();
  if (!element) return named || uses.is_passed_on() ? named : ElementType{};
  if (!uses.is_uniform()) return named;
  if (element->is_untyped && named && named->bytes == element->bytes) return named;
  return element;
}

}  // namespace ambit::parser::compiled
