#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::parser {

/// A test with launches, in a form from which CUDA C++ can be generated.
struct KernelText {
  /// Memory that the host allocates.
  struct Array {
    std::string name;
    std::string declaration;  ///< declaration in the litmus language, for example "__device__ float x[6];"
  };
  /// A tensor map, for example `t = tensormap(g, {4, 4}, {2, 2})`.
  struct TensorMap {
    std::string name;   ///< name of the map: "t", or "maps[1]" for an element
    std::string array;  ///< name of the array that the tensor describes
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> box;
    bool is_variable = false;  ///< whether the map is in device memory, and not passed by value
  };
  struct Launch {
    std::string kernel;  ///< for example "sum<4>"
    std::string grid;    ///< sizes of the launch: "2" or "dim3(2, 1, 1)"
    std::string block;
    std::string bytes;  ///< size of the dynamic shared memory; empty if not used
    std::vector<std::string> arguments;
    bool follows = false;  ///< whether the launch starts only after all previous launches
  };
  /// The declarations and kernels as the user wrote them. Conditions and expectations are in `// ambit:` comments.
  std::string code;
  bool has_host_code = false;          ///< whether `code` has host functions, possibly main
  std::vector<std::string> variables;  ///< variables in global device memory that `code` declares
  std::vector<Array> arrays;
  std::vector<TensorMap> tensor_maps;
  std::vector<Launch> launches;
};

/// Returns the kernels of a CUDA source, or of a CUDA litmus test that has launches. `source` must have been read
/// without an error. Returns nothing if the test has explicit threads or is PTX. Also returns nothing if a launch
/// argument is not valid C++ or a number of a tensor map is not a literal. Also returns nothing for shared memory
/// outside of kernels, which CUDA C++ cannot initialise.
std::optional<KernelText> kernel_text(const SourceFilePtr& source);

}  // namespace ambit::parser
