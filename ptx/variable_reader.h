#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ptx/module.h"
#include "ptx/reader_state.h"

namespace ambit::ptx {

/// The part of a variable declaration before the name: linkage, space, alignment, vector width, attributes, type.
struct VariablePrefix {
  Linkage linkage = Linkage::Local;
  Space space = Space::None;
  Space pointee = Space::None;
  std::uint64_t alignment = 0;  ///< 0 means the natural alignment
  std::uint8_t vector_width = 1;
  bool is_managed = false;
  bool is_register = false;
  bool is_pointer = false;
  Type type = Type::None;
};
/// Reads the directives before the name of a variable, including the type.
VariablePrefix read_variable_prefix(ReaderState& state);
/// Reads a variable after its prefix, `name[3][4] = {...}`, and adds it to Module::variables. Returns its index.
std::uint32_t read_variable_name(ReaderState& state, const VariablePrefix& prefix, std::uint32_t function);
/// Reads a declaration outside of functions, such as `.global ... a, b = 1;`.
void read_module_variables(ReaderState& state);
/// Returns the linkage that a directive names.
std::optional<Linkage> linkage_of(std::string_view directive);

}  // namespace ambit::ptx
