#pragma once

#include <string>

#include "base/source.h"

namespace ambit::cuda {

/// NVIDIA's disassembler nvdisasm, a program of the CUDA toolkit.
class Disassembler {
 public:
  /// Searches for nvdisasm: uses the path in AMBIT_NVDISASM if set, otherwise searches PATH and the folders bin in
  /// CUDA_HOME, CUDA_PATH and /usr/local/cuda. Errors: not found.
  static Result<Disassembler> find();

  /// Returns the listing of a kernel's code, with the source line of each instruction if the code was compiled with
  /// line numbers. Errors: the program fails, or runs for more than a minute.
  Result<std::string> list(const std::string& cubin) const;

 private:
  explicit Disassembler(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ambit::cuda
