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
    bool is_variable = false;  ///< in device memory; otherwise the host passes it by value
  };
  struct Launch {
    std::string kernel;  ///< "sum<4>"
    std::string grid;    ///< "2", "dim3(2, 1, 1)"
    std::string block;
    std::string bytes;  ///< of dynamic shared memory; empty: none
    std::vector<std::string> arguments;
    bool follows = false;  ///< starts when all launches before it have ended
  };
  /// The declarations and kernels as the user wrote them. Conditions and expectations are in `// ambit:` comments.
  std::string code;
  bool has_host_code = false;          ///< `code` has host functions, possibly main
  std::vector<std::string> variables;  ///< variables in global device memory that `code` declares
  std::vector<Array> arrays;
  std::vector<TensorMap> tensor_maps;
  std::vector<Launch> launches;
};

/// Returns the kernels of a CUDA source or of a CUDA litmus test with launches. Returns nothing if the test is of
/// another kind (explicit threads, PTX), if launch arguments are not valid C++, if the test declares shared memory
/// outside its kernels (which has initial values in the language), or if the numbers of a tensor map are not literals.
/// `source` must have been read without an error.
std::optional<KernelText> kernel_text(const SourceFilePtr& source);

}  // namespace ambit::parser
