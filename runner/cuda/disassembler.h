#pragma once

#include <string>

#include "core/source.h"

namespace ambit::cuda {

/// NVIDIA's disassembler, a program of the CUDA toolkit that is run where it is installed.
class Disassembler {
 public:
  /// Looks for nvdisasm: the path in AMBIT_NVDISASM if set, else in PATH and in bin below CUDA_HOME, CUDA_PATH and
  /// /usr/local/cuda. Errors: it is nowhere.
  static Result<Disassembler> find();

  /// The listing of a kernel's code, with the line of the source behind each instruction where the code was compiled
  /// with line numbers. Errors: the program fails.
  Result<std::string> list(const std::string& cubin) const;

 private:
  explicit Disassembler(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace ambit::cuda
