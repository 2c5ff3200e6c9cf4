#include "parser/compiled/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "parser/compiled/mangled_name.h"

namespace ambit::parser::compiled {
namespace {

using assembly::Operand;
using assembly::Variable;

/// Returns the variables that occur in the kernel or in a function that the kernel calls.
std::set<std::uint32_t> reached_variables(const assembly::Module& module, const assembly::Function& kernel) {
  std::set<std::uint32_t> variables;
  std::set<const assembly::Function*> known = {&kernel};
  std::vector<const assembly::Function*> open = {&kernel};
  while (!open.empty()) {
    const assembly::Function& function = *open.back();
    open.pop_back();
    for (const assembly::Instruction& instruction : function.instructions) {
      for (const Operand& operand : instruction.operands) {
        const bool is_variable = operand.kind == Operand::Kind::Variable ||
                                 (operand.kind == Operand::Kind::Address && operand.base == Operand::Base::Variable);
        if (is_variable) variables.insert(operand.index);
        if (operand.kind == Operand::Kind::Function && known.insert(&module.functions[operand.index]).second) {
          open.push_back(&module.functions[operand.index]);
        }
      }
    }
  }
  return variables;
}

bool is_identifier(const std::string& name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

}  // namespace

/// The type of a variable's elements.
struct Declarations::Shape {
  std::string type = "int";
  std::string declaration;  ///< declaration of the struct; empty for numbers
  std::uint64_t stride = 4;
};

Declarations::Declarations(const assembly::Module& module, const assembly::Function& kernel,
                           const std::vector<LaunchArgumentNode>& arguments, std::string kernel_name)
    : module_(module), kernel_(kernel), kernel_name_(std::move(kernel_name)) {
  for (const std::uint32_t index : reached_variables(module, kernel)) {
    const Variable& variable = module.variables[index];
    if (!is_identifier(plain_name(variable.name))) continue;  // skips format strings of printf
    if (variable.space == assembly::Space::Shared) shared_.push_back(index);
    if (variable.space == assembly::Space::Global || variable.space == assembly::Space::Const)
      globals_.push_back(index);
  }
  read_parameters(arguments);
}

std::string Declarations::text_for_survey() const {
  std::string text;
  for (const std::uint32_t index : globals_) {
    text += fmt::format("__device__ char {}[1];\n", plain_name(module_.variables[index].name));
  }
  std::string structs;
  const std::string list = parameters({}, structs);
  return structs + text + fmt::format("__global__ void {}({}) ", kernel_name_, list) + body_for_survey() + "\n";
}

std::string Declarations::body_for_survey() const {
  std::string text = "{\n";
  for (const std::uint32_t index : shared_) {
    const Variable& variable = module_.variables[index];
    text += fmt::format("{}__shared__ char {}[{}];\n", variable.count == 0 ? "extern " : "", plain_name(variable.name),
                        variable.count == 0 ? "" : "1");
  }
  return text + "}";
}

std::vector<std::string> Declarations::variables() const {
  std::vector<std::string> names;
  for (const std::uint32_t index : globals_) names.push_back(plain_name(module_.variables[index].name));
  return names;
}

Declarations::Shape Declarations::shape_of(const std::string& name, const AccessRecords& records,
                                           Reporter& reporter) const {
  const auto found = records.find(name);
  if (found == records.end()) return {};
  const std::vector<RecordedAccess>& accesses = found->second;
  const Value bytes = assembly::bytes_of(accesses.front().type);
  bool is_floating = false;
  bool is_uniform = true;
  for (const RecordedAccess& access : accesses) {
    is_floating = is_floating || assembly::is_float(access.type);
    // PTX requires aligned addresses, so the non-constant part of the offset is always a multiple of the access size.
    is_uniform = is_uniform && assembly::bytes_of(access.type) == bytes && access.offset.constant % bytes == 0;
  }
  if (!is_uniform) return struct_shape(name, accesses, reporter);
  return {type_of_number(static_cast<unsigned>(bytes), is_floating), "", static_cast<std::uint64_t>(bytes)};
}

/// Returns a struct that has a field for each accessed number. The size of the struct is the greatest common divisor of
/// the accesses' steps.
Declarations::Shape Declarations::struct_shape(const std::string& name, const std::vector<RecordedAccess>& accesses,
                                               Reporter& reporter) const {
  Value period = 0;
  Value begin = 0;
  Value end = 0;
  Value alignment = 1;
  for (const RecordedAccess& access : accesses) {
    period = std::gcd(period, access.offset.step);
    begin = std::min<Value>(begin, access.offset.constant);
    end = std::max<Value>(end, access.offset.constant + assembly::bytes_of(access.type));
    alignment = std::max<Value>(alignment, assembly::bytes_of(access.type));
  }
  if (period == 0) period = std::max<Value>((end - begin + alignment - 1) / alignment * alignment, 1);
  // For each offset: the size of the number in bytes, and whether the number is floating-point.
  std::map<Value, std::pair<Value, bool>> fields;
  for (const RecordedAccess& access : accesses) {
    const Value offset = ((access.offset.constant % period) + period) % period;
    const Value bytes = assembly::bytes_of(access.type);
    auto& field = fields.try_emplace(offset, bytes, false).first->second;
    field.second = field.second || assembly::is_float(access.type);
    const auto next = fields.upper_bound(offset);
    const auto here = fields.find(offset);
    const bool overlaps = field.first != bytes || offset + bytes > period ||
                          (next != fields.end() && offset + bytes > next->first) ||
                          (here != fields.begin() && std::prev(here)->first + std::prev(here)->second.first > offset) ||
                          offset % bytes != 0 || period % alignment != 0;
    if (!overlaps) continue;
    reporter.error(access.span,
                   fmt::format("this access has {} bytes, but other accesses to the same bytes of '{}' differ in size",
                               bytes, name));
    return {};
  }
  Shape shape;
  shape.type = name + "_item";
  shape.stride = static_cast<std::uint64_t>(period);
  shape.declaration = fmt::format("struct {} {{", shape.type);
  Value at = 0;
  for (const auto& [offset, field] : fields) {
    if (offset > at) shape.declaration += fmt::format(" char pad{}[{}];", at, offset - at);
    shape.declaration +=
        fmt::format(" {} f{};", type_of_number(static_cast<unsigned>(field.first), field.second), offset);
    at = offset + field.first;
  }
  if (at < period) shape.declaration += fmt::format(" char pad{}[{}];", at, period - at);
  shape.declaration += " };\n";
  return shape;
}

std::string Declarations::initial_values(const Variable& variable, unsigned bytes) const {
  std::string values;
  for (std::size_t at = 0; at < variable.initial.size(); at += bytes) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < bytes && at + i < variable.initial.size(); ++i) {
      bits |= std::uint64_t{variable.initial[at + i]} << (8 * i);
    }
    const ScalarType type = {static_cast<std::uint8_t>(bytes * 8), true};
    values += (values.empty() ? "" : ", ") + std::to_string(type.wrap(static_cast<Value>(bits)));
  }
  return values;
}

std::string Declarations::text(const AccessRecords& records, Reporter& reporter) const {
  MemoryTypes types;  // types of memory that the launch allocates or names
  for (const std::vector<ParameterField>& fields : parameters_) {
    for (const ParameterField& field : fields) {
      if (!field.type.empty()) types.emplace(field.name, field.type);
    }
  }
  std::string structs;
  std::string text;
  const auto shape_named = [&](const std::string& name) {
    Shape shape = shape_of(name, records, reporter);
    if (types.emplace(name, shape.type).second) structs += shape.declaration;
    return shape;
  };
  for (const std::uint32_t index : globals_) {
    const Variable& variable = module_.variables[index];
    const std::string name = plain_name(variable.name);
    if (!records.contains(name)) continue;
    const Shape shape = shape_named(name);
    if (!variable.relocations.empty()) {
      reporter.error(variable.place, fmt::format("'{}' holds addresses, which is not supported", name),
                     "check the CUDA source with --compiled");
    }
    const std::uint64_t count = std::max<std::uint64_t>(1, variable.size() / shape.stride);
    const bool is_one = count == 1;
    text += fmt::format("__device__ {} {}{}", shape.type, name, is_one ? "" : fmt::format("[{}]", count));
    if (!variable.initial.empty()) {
      if (!shape.declaration.empty()) {
        reporter.error(variable.place, fmt::format("initial values of the struct '{}' are not supported", name),
                       "check the CUDA source with --compiled");
      }
      const std::string values = initial_values(variable, static_cast<unsigned>(shape.stride));
      text += is_one ? fmt::format(" = {}", values) : fmt::format(" = {{{}}}", values);
    }
    text += ";\n";
  }
  for (const std::vector<ParameterField>& fields : parameters_) {
    for (const ParameterField& field : fields) {
      if (field.is_memory && !types.contains(field.name)) shape_named(field.name);
    }
  }
  const std::string list = parameters(types, structs);
  const std::string kernel = fmt::format("__global__ void {}({}) ", kernel_name_, list);
  const Body body_text = body(records, reporter);
  return structs + body_text.structs + text + kernel + body_text.text + "\n";
}

Declarations::Body Declarations::body(const AccessRecords& records, Reporter& reporter) const {
  Body body = {"", "{\n"};
  std::set<std::string> types;
  for (const std::uint32_t index : shared_) {
    const Variable& variable = module_.variables[index];
    const std::string name = plain_name(variable.name);
    if (!records.contains(name)) continue;
    const Shape shape = shape_of(name, records, reporter);
    if (types.insert(shape.type).second) body.structs += shape.declaration;
    const std::string length =
        variable.count == 0 ? "" : std::to_string(std::max<std::uint64_t>(1, variable.size() / shape.stride));
    body.text +=
        fmt::format("{}__shared__ {} {}[{}];\n", variable.count == 0 ? "extern " : "", shape.type, name, length);
  }
  body.text += "}";
  return body;
}

}  // namespace ambit::parser::compiled
