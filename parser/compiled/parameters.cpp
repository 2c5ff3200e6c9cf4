// The parameters of a kernel as declarations. In PTX, a struct parameter is a number of bytes. The list of its fields
// in the launch, and the sizes of the kernel's reads, give the types of the fields.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "parser/compiled/declarations.h"

namespace ambit::parser::compiled {

using assembly::Opcode;
using assembly::Operand;
using assembly::Variable;

namespace {

/// A read of bytes of a parameter.
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

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// `data[4]`, `&data[1]`, a name.
bool names_memory(std::string_view text) {
  const char c = text.empty() ? '0' : text.front();
  return c == '&' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// "data" of `data[4]`, `&data[1]`.
std::string memory_name(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" &"), text.size());
  return std::string(text.substr(begin, text.find_first_of(" [", begin) - begin));
}

/// The bytes of the type in `(long long)7`; nothing: there is no cast to a number.
std::optional<unsigned> bytes_of_cast(std::string_view text) {
  if (!text.starts_with("(")) return std::nullopt;
  std::string type(trimmed(text.substr(1, text.find(')') - 1)));
  for (const std::string_view sign : {"unsigned ", "signed "}) {
    if (type.starts_with(sign)) type.erase(0, sign.size());
  }
  const std::map<std::string, unsigned, std::less<>> kBytes = {
      {"bool", 1},  {"char", 1}, {"short", 2},     {"int", 4},    {"unsigned", 4},
      {"float", 4}, {"long", 8}, {"long long", 8}, {"double", 8}, {"size_t", 8}};
  const auto found = kBytes.find(type);
  return found == kBytes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::vector<std::string> parts_of_list(std::string_view list) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : list) {
    if (c == ',' && depth == 0) {
      parts.emplace_back(trimmed(part));
      part.clear();
      continue;
    }
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    part += c;
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.emplace_back(trimmed(part));
  return parts;
}

std::string type_of_number(unsigned bytes, bool is_floating) {
  switch (bytes) {
    case 1: return "signed char";
    case 2: return is_floating ? "half" : "short";
    case 4: return is_floating ? "float" : "int";
    default: return is_floating ? "double" : "long long";
  }
}

void Declarations::read_parameters() {
  parameters_.resize(kernel_.parameters.size());
  is_struct_.assign(kernel_.parameters.size(), false);
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Variable& variable = module_.variables[kernel_.parameters[i].index];
    const std::string text(trimmed(i < arguments_.size() ? arguments_[i] : ""));
    if (variable.is_array && text.starts_with("{") && text.ends_with("}")) {
      is_struct_[i] = true;
      read_fields(i, text.substr(1, text.size() - 2));
      continue;
    }
    Field field;
    field.text = text;
    field.bytes = variable.is_array ? 8 : static_cast<unsigned>(variable.size());
    field.is_floating = assembly::is_float(variable.type);
    field.is_memory = !variable.is_array && variable.size() == 8 && names_memory(text);
    field.name = field.is_memory ? memory_name(text) : "";
    parameters_[i].push_back(std::move(field));
  }
}

/// Pointers have 8 bytes. Numbers have the size of their cast, else the size of the kernel's read, else 4 bytes. Each
/// field has its natural alignment.
void Declarations::read_fields(std::size_t i, const std::string& list) {
  const std::vector<ParameterRead> reads = reads_of(kernel_, kernel_.parameters[i].index);
  std::uint64_t at = 0;
  for (const std::string& text : parts_of_list(list)) {
    Field field;
    field.text = text;
    field.is_memory = names_memory(text);
    field.name = field.is_memory ? memory_name(text) : "";
    field.bytes = field.is_memory ? 8 : 4;
    const auto aligned = [&](unsigned bytes) { return (at + bytes - 1) / bytes * bytes; };
    if (const auto bytes = bytes_of_cast(text)) {
      field.bytes = *bytes;
    } else if (!field.is_memory) {
      const auto read =
          std::ranges::find_if(reads, [&](const ParameterRead& one) { return one.offset == aligned(one.bytes); });
      if (read != reads.end()) {
        field.bytes = read->bytes;
        field.is_floating = read->is_floating;
      }
    }
    field.offset = aligned(field.bytes);
    at = field.offset + field.bytes;
    parameters_[i].push_back(std::move(field));
  }
}

std::optional<Diagnostic> Declarations::objection() const {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Variable& variable = module_.variables[kernel_.parameters[i].index];
    if (kernel_.parameters[i].is_register || !variable.is_array) continue;
    const std::vector<ParameterRead> reads = reads_of(kernel_, kernel_.parameters[i].index);
    if (!is_struct_[i] && !reads.empty()) {
      return Diagnostic{module_.file, variable.place,
                        fmt::format("argument {} must be the fields of a struct of {} bytes", i + 1, variable.size()),
                        "write them in braces: {data[4], 7}"};
    }
    for (const ParameterRead& read : is_struct_[i] ? reads : std::vector<ParameterRead>()) {
      const bool has_field = std::ranges::any_of(parameters_[i], [&](const Field& field) {
        const bool is_inside = field.offset <= read.offset && read.offset + read.bytes <= field.offset + field.bytes;
        return is_inside && (!field.is_memory || read.bytes == field.bytes);
      });
      if (has_field) continue;
      return Diagnostic{
          module_.file, variable.place,
          fmt::format("argument {} has no field of {} bytes at byte {}, which the kernel reads", i + 1, read.bytes,
                      read.offset),
          "list all fields in order, with a cast where a number has not 4 bytes: {data[4], (long long)7}"};
    }
  }
  return std::nullopt;
}

std::string Declarations::field_type(const Field& field, const MemoryTypes& types) {
  if (!field.is_memory) return type_of_number(field.bytes, field.is_floating);
  const auto type = types.find(field.name);
  return (type == types.end() ? "char" : type->second) + " *";
}

/// Returns the list of the parameters. Adds the declarations of struct parameters to `structs`.
std::string Declarations::parameters(const MemoryTypes& types, std::string& structs) const {
  std::string list;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (i > 0) list += ", ";
    if (!is_struct_[i]) {
      list += fmt::format("{} p{}", field_type(parameters_[i].front(), types), i);
      continue;
    }
    structs += fmt::format("struct p{}_fields {{", i);
    for (const Field& field : parameters_[i]) {
      structs += fmt::format(" {} f{};", field_type(field, types), field.offset);
    }
    structs += " };\n";
    list += fmt::format("p{0}_fields p{0}", i);
  }
  return list;
}

}  // namespace ambit::parser::compiled
