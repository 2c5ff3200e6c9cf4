#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ambit::compiled_kernels {

/// An array of a random kernel. Its cells are 32-bit words.
struct Buffer {
  std::string name;
  unsigned elements = 1;
  std::vector<std::string> fields = {};    ///< of a struct, in order; empty: the elements are numbers
  bool is_argument = true;                 ///< false: a __device__ variable
  std::vector<std::int32_t> initial = {};  ///< of a __device__ variable

  /// The names of its words in the order of their addresses: "t[1].b".
  std::vector<std::string> words() const;
};

/// A structured CUDA kernel in the part of the language that Ambit reads, and its launch.
struct RandomKernel {
  std::string name;
  std::string text;    ///< with the variables of the file that the kernel uses
  std::string launch;  ///< "k7<<<1, 2>>>(g[4], 3)"
  unsigned blocks = 1;
  unsigned threads = 1;
  std::vector<Buffer> buffers;  ///< global memory; the arguments first, in order
  int number = 0;               ///< the last argument
};

/// The kernel of a seed: pointers that branches, loops and conditional expressions set, masked indices, arrays of
/// structs, loops with constant bounds, shared, global and constant memory, atomics and barriers, two to four threads.
RandomKernel random_kernel(std::uint64_t seed);

}  // namespace ambit::compiled_kernels
