#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ambit::compiled_kernels {

/// An array of a random kernel. The cells of the array are 32-bit words.
struct Buffer {
  std::string name;
  unsigned elements = 1;
  std::vector<std::string> fields = {};    ///< the fields of a struct, in order; empty if the elements are numbers
  bool is_argument = true;                 ///< false for a __device__ variable
  std::vector<std::int32_t> initial = {};  ///< initial values of a __device__ variable

  /// Returns the names of the array's words, such as "t[1].b", in address order.
  std::vector<std::string> words() const;
};

/// A structured kernel in the subset of CUDA C++ that Ambit supports, and the launch of the kernel.
struct RandomKernel {
  std::string name;
  std::string text;    ///< source text, including the file-scope variables that the kernel uses
  std::string launch;  ///< the launch: "k7<<<1, 2>>>(g[4], 3)"
  unsigned blocks = 1;
  unsigned threads = 1;
  std::vector<Buffer> buffers;  ///< buffers in global memory; arguments come first, in order
  int number = 0;               ///< value of the last argument
};

/// Generates the kernel of a seed, for two to four threads. Branches, loops and conditional expressions set its
/// pointers. The kernel also has masked indices, arrays of structs, loops with constant bounds, atomics, barriers, and
/// shared, global and constant memory.
RandomKernel random_kernel(std::uint64_t seed);

}  // namespace ambit::compiled_kernels
