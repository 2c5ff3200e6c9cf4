#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// The declaration of a variable up to its type: linkage, space, alignment, vector width, attributes.
struct VariablePrefix {
  Linkage linkage = Linkage::Local;
  Space space = Space::None;
  Space pointee = Space::None;
  std::uint64_t alignment = 0;  ///< 0 stands for the natural alignment
  std::uint8_t vector_width = 1;
  bool is_managed = false;
  bool is_register = false;
  bool is_pointer = false;
  Type type = Type::None;
};
/// Takes the directives from .extern to the type, including the type.
VariablePrefix read_variable_prefix(ReaderState& state);
/// Reads `name[3][4] = {...}`, which follows a prefix, into Module::variables. Returns the number of the variable.
std::uint32_t read_variable_name(ReaderState& state, const VariablePrefix& prefix, std::uint32_t function);
/// Reads `.global ... a, b = 1;` outside of functions.
void read_module_variables(ReaderState& state);
/// Returns the linkage that a directive names.
std::optional<Linkage> linkage_of(std::string_view directive);

}  // namespace ambit::ptx
