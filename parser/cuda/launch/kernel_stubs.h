#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ambit::parser::cuda {

/// Replacements for kernel bodies that Ambit does not read. Ambit reads only the signatures of the launched kernels,
/// the variables, and the declarations that signatures and variables name.
struct KernelStubs {
  std::string structs;  ///< declarations before the kernels
  /// Returns the replacement of a kernel's body, for example "{ __shared__ int s[4]; }".
  std::function<std::string(const std::string& kernel)> body;
  std::vector<std::string> variables;  ///< variables that the kernels use
};

}  // namespace ambit::parser::cuda
