#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::parser {

/// A test whose threads come from launches, as text of CUDA C++.
struct KernelText {
  /// Memory that the host allocates.
  struct Array {
    std::string name;
    std::string declaration;  ///< "__device__ float x[6];": as the launch in the litmus language has it
  };
  /// `t = tensormap(g, {4, 4}, {2, 2})`.
  struct TensorMap {
    std::string name;   ///< "t"; "maps[1]" of an array
    std::string array;  ///< of the tensor
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> box;
    bool is_variable = false;  ///< in memory of the device; else the host passes it by value
  };
  struct Launch {
    std::string kernel;  ///< "sum<4>"
    std::string grid;    ///< "2", "dim3(2, 1, 1)"
    std::string block;
    std::string bytes;  ///< of dynamic shared memory; empty: none
    std::vector<std::string> arguments;
    bool follows = false;  ///< starts when all launches before it have ended
  };
  /// The declarations and kernels as the user wrote them. Conditions and expectations stand in `// ambit:` comments.
  std::string code;
  bool has_host_code = false;          ///< `code` has functions of the host, among them perhaps main
  std::vector<std::string> variables;  ///< of the device, in global memory, that `code` declares
  std::vector<Array> arrays;
  std::vector<TensorMap> tensor_maps;
  std::vector<Launch> launches;
};

/// The kernels of a CUDA source or of a CUDA litmus test with launches. Nothing: the test is of another kind (threads
/// of their own, PTX), or a launch has arguments that are no C++, or the test declares shared memory outside its
/// kernels, to which the language gives values, or the numbers of a tensor map are no literals. `source` has been read
/// without an error.
std::optional<KernelText> kernel_text(const SourceFilePtr& source);

}  // namespace ambit::parser
