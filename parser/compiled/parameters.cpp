// Declares the parameters of a kernel. PTX gives only the size of a struct parameter. The types of the struct's fields
// come from the list of fields in the launch, and from the sizes of the kernel's reads.

#include <fmt/format.h>

#include <algorithm>

#include "parser/compiled/declarations.h"

namespace ambit::parser::compiled {

using assembly::Opcode;
using assembly::Operand;
using assembly::Variable;

namespace {

/// A read of a kernel parameter.
struct ParameterRead {
  std::uint64_t offset = 0;
  unsigned bytes = 0;
  bool is_floating = false;
};

std::vector<ParameterRead> reads_of(const assembly::Function& kernel, std::uint32_t variable) {
  std::vector<ParameterRead> reads;
  for (const assembly::Instruction& instruction : kernel.instructions) {
    if (instruction.opcode != Opcode::Ld || instruction.operand_count < 2) continue;
    const Operand& address = instruction.operands[1];
    if (address.kind != Operand::Kind::Address || address.base != Operand::Base::Variable ||
        address.index != variable) {
      continue;
    }
    const assembly::MemoryMeaning meaning = assembly::memory_meaning(instruction);
    const unsigned bytes = assembly::bytes_of(meaning.type);
    for (unsigned i = 0; i < meaning.elements; ++i) {
      const auto offset = static_cast<std::uint64_t>(address.value) + std::uint64_t{i} * bytes;
      reads.push_back({offset, bytes, assembly::is_float(meaning.type)});
    }
  }
  return reads;
}

/// Returns the number without its sign: 1.5 for -1.5.
const ExprNode& magnitude(const ExprNode& node) {
  const bool is_signed = node.kind == ExprKind::Unary && (node.unary == UnaryOp::Negate || node.unary == UnaryOp::Plus);
  return is_signed ? magnitude(node.children.front()) : node;
}

/// Returns true if the argument is a floating-point number: `1.5f`, `-2.0` or `(float)1`.
bool is_floating_number(const ExprNode& node) {
  const ExprNode& number = magnitude(node);
  return (number.kind == ExprKind::Floating || number.kind == ExprKind::Cast) && number.type.is_opaque;
}

/// Returns true if the argument denotes memory: `data[4]`, `&data[1]` or a name.
bool names_memory(const LaunchArgumentNode& argument) {
  const ExprNode& value = argument.value;
  if (argument.kind != LaunchArgumentNode::Kind::Value) return argument.is_array();
  if (value.kind == ExprKind::Unary) return value.unary == UnaryOp::AddressOf;
  return value.kind == ExprKind::Name && value.name != "true" && value.name != "false";
}

/// Returns "data" for `data[4]` or `&data[1]`; an empty string if the argument does not name the array.
std::string memory_name(const LaunchArgumentNode& argument) {
  if (argument.is_array()) return std::string(argument.array.name.text);
  const ExprNode* node = &argument.value;
  while (!node->children.empty()) node = &node->children.front();
  return std::string(node->name);
}

/// Returns the size of the type in a cast, such as `(long long)7`. Returns nothing if the argument is not a cast to a
/// number type.
std::optional<unsigned> bytes_of_cast(const LaunchArgumentNode& argument) {
  const ExprNode& value = argument.value;
  if (argument.kind != LaunchArgumentNode::Kind::Value || value.kind != ExprKind::Cast) return std::nullopt;
  const bool is_number = !value.type.is_pointer && !value.type.is_void && value.type.structure == nullptr;
  return is_number ? std::optional(value.type.scalar.bits / 8U) : std::nullopt;
}

/// Returns a field with the properties that follow from the argument alone. `name` is the default name of an array.
ParameterField field_of(const LaunchArgumentNode& argument, const std::string& name) {
  ParameterField field;
  field.is_memory = names_memory(argument);
  if (!field.is_memory) return field;
  field.name = memory_name(argument);
  if (field.name.empty()) field.name = name;
  field.type = argument.type;
  return field;
}

bool has_no_kind(assembly::Type type) { return type == assembly::Type::B32 || type == assembly::Type::B64; }

}  // namespace

std::string type_of_number(unsigned bytes, bool is_floating) {
  switch (bytes) {
    case 1: return "signed char";
    case 2: return is_floating ? "half" : "short";
    case 4: return is_floating ? "float" : "int";
    default: return is_floating ? "double" : "long long";
  }
}

void Declarations::read_parameters(const std::vector<LaunchArgumentNode>& arguments) {
  parameters_.resize(kernel_.parameters.size());
  is_struct_.assign(kernel_.parameters.size(), false);
  const LaunchArgumentNode none;
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Variable& variable = module_.variables[kernel_.parameters[i].index];
    const LaunchArgumentNode& argument = i < arguments.size() ? arguments[i] : none;
    if (variable.is_array && argument.kind == LaunchArgumentNode::Kind::Fields) {
      is_struct_[i] = true;
      read_fields(i, argument.fields);
      continue;
    }
    ParameterField field = field_of(argument, fmt::format("p{}", i));
    field.bytes = variable.is_array ? 8 : static_cast<unsigned>(variable.size());
    field.is_floating =
        assembly::is_float(variable.type) || (has_no_kind(variable.type) && is_floating_number(argument.value));
    field.is_memory = field.is_memory && !variable.is_array && variable.size() == 8;
    parameters_[i].push_back(std::move(field));
  }
}

/// Determines the fields of a struct parameter. Pointers have 8 bytes. The size of a number comes from its cast, or
/// from the kernel's read if there is no cast. A number with neither a cast nor a read has 4 bytes. Each field has its
/// natural alignment.
void Declarations::read_fields(std::size_t i, const std::vector<LaunchArgumentNode>& arguments) {
  const std::vector<ParameterRead> reads = reads_of(kernel_, kernel_.parameters[i].index);
  std::uint64_t at = 0;
  for (const LaunchArgumentNode& argument : arguments) {
    const auto aligned = [&](unsigned bytes) { return (at + bytes - 1) / bytes * bytes; };
    ParameterField field = field_of(argument, fmt::format("f{}", aligned(8)));
    field.bytes = field.is_memory ? 8 : 4;
    field.is_floating = !field.is_memory && is_floating_number(argument.value);
    if (const auto bytes = bytes_of_cast(argument)) {
      field.bytes = *bytes;
    } else if (!field.is_memory) {
      const auto read =
          std::ranges::find_if(reads, [&](const ParameterRead& one) { return one.offset == aligned(one.bytes); });
      if (read != reads.end()) {
        field.bytes = read->bytes;
        field.is_floating = field.is_floating || read->is_floating;
      }
    }
    field.offset = aligned(field.bytes);
    at = field.offset + field.bytes;
    parameters_[i].push_back(std::move(field));
  }
}

bool Declarations::check(const std::vector<LaunchArgumentNode>& arguments, Reporter& reporter) const {
  for (std::size_t i = 0; i < std::min(kernel_.parameters.size(), arguments.size()); ++i) {
    const Variable& variable = module_.variables[kernel_.parameters[i].index];
    if (kernel_.parameters[i].is_register || !variable.is_array) continue;
    const std::vector<ParameterRead> reads = reads_of(kernel_, kernel_.parameters[i].index);
    if (!is_struct_[i] && !reads.empty()) {
      reporter.error(arguments[i].span,
                     fmt::format("argument {} must be the fields of a struct of {} bytes", i + 1, variable.size()),
                     "write them in braces: {data[4], 7}");
      return false;
    }
    for (const ParameterRead& read : is_struct_[i] ? reads : std::vector<ParameterRead>()) {
      const bool has_field = std::ranges::any_of(parameters_[i], [&](const ParameterField& field) {
        const bool is_inside = field.offset <= read.offset && read.offset + read.bytes <= field.offset + field.bytes;
        return is_inside && (!field.is_memory || read.bytes == field.bytes);
      });
      if (has_field) continue;
      reporter.error(
          arguments[i].span,
          fmt::format("argument {} has no field of {} bytes at byte {}, which the kernel reads", i + 1, read.bytes,
                      read.offset),
          "list all fields in order, with a cast for each number that does not have 4 bytes: {data[4], (long long)7}");
      return false;
    }
  }
  return true;
}

std::string Declarations::field_type(const ParameterField& field, const MemoryTypes& types) {
  if (!field.is_memory) return type_of_number(field.bytes, field.is_floating);
  const auto type = types.find(field.name);
  return (type == types.end() ? "char" : type->second) + " *";
}

/// Returns the parameter list of the kernel. Adds the declarations of struct types to `structs`.
std::string Declarations::parameters(const MemoryTypes& types, std::string& structs) const {
  std::string list;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (i > 0) list += ", ";
    if (!is_struct_[i]) {
      list += fmt::format("{} p{}", field_type(parameters_[i].front(), types), i);
      continue;
    }
    structs += fmt::format("struct p{}_fields {{", i);
    for (const ParameterField& field : parameters_[i]) {
      structs += fmt::format(" {} f{};", field_type(field, types), field.offset);
    }
    structs += " };\n";
    list += fmt::format("p{0}_fields p{0}", i);
  }
  return list;
}

}  // namespace ambit::parser::compiled
