#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ambit::parser::cuda {

/// Replaces device code that Ambit does not read. Ambit reads the signatures of the launched kernels, the variables,
/// and the declarations that signatures and variables name.
struct KernelStubs {
  std::string structs;  ///< declarations before the kernels
  /// returns a body, for example "{ __shared__ int s[4]; }"
  std::function<std::string(const std::string& kernel)> body;
  std::vector<std::string> variables;  ///< variables that the kernels use
};

}  // namespace ambit::parser::cuda
