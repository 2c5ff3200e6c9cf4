#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::ptx {
struct Module;
}

namespace ambit::parser::compiled {

/// An array that a launch allocates.
struct LaunchedArray {
  /// The kind of the array's elements, if the launch gives their type.
  enum class Numbers : std::uint8_t {
    Unknown,  ///< the launch gives no type, or the elements are not numbers
    Signed,
    Unsigned,
    Floating,    ///< __half, float, double
    BrainFloat,  ///< __nv_bfloat16
  };
  std::string name;          ///< empty if the launch gives no name
  std::size_t argument = 0;  ///< index of the argument that allocates the array
  std::uint32_t bytes = 4;   ///< size of an element
  Numbers numbers = Numbers::Unknown;
  std::uint64_t length = 1;
  std::vector<std::uint64_t> contents;  ///< initial values (bits) of the first elements
  bool repeats = false;                 ///< whether later elements equal contents.back() instead of 0
};

/// A number or an address in the parameters of a kernel.
struct LaunchedValue {
  enum class Kind : std::uint8_t { Number, Array, Variable };
  Kind kind = Kind::Number;
  std::size_t parameter = 0;
  std::uint64_t offset = 0;  ///< offset in the parameter
  std::uint32_t bytes = 4;
  std::uint64_t value = 0;  ///< bits of the number, or the byte offset that is added to the address
  std::size_t array = 0;    ///< index in ModuleLaunch::arrays
  std::string variable;     ///< mangled name of a variable of the module
};

/// A launch of a kernel of a module, with the values of the kernel's parameters.
struct ModuleLaunch {
  std::string kernel;  ///< mangled name
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<LaunchedArray> arrays;
  std::vector<LaunchedValue> values;  ///< parameter bytes that are not in this list are 0
};

/// Reads the text of the option `--launch`: `k<<<2, 64>>>(int data[64] = 1, 5)`. If an array has no type, the kernel's
/// accesses determine the size of its elements (element_type.h). Errors: a syntax error, with its column; the module
/// has no kernel with this name; the arguments do not match the kernel's parameters.
Result<ModuleLaunch> read_module_launch(const ambit::ptx::Module& module, const std::string& launch);

}  // namespace ambit::parser::compiled
