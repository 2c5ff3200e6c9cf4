#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// Returns the path of nvcc: $AMBIT_NVCC if it is set, otherwise the nvcc in the PATH or in /usr/local/cuda. Errors:
/// nvcc is not installed.
Result<std::string> find_nvcc();

/// Returns the nvcc options for programs that `ambit exec` runs.
const std::vector<std::string>& nvcc_options();

/// A CUDA source to compile.
struct ProgramSource {
  std::string file;
  std::vector<std::string> options;  ///< options for the compiler: "-DRACE"
  std::string architecture = {};     ///< such as "sm_90"; if empty, sm_80
};

/// Compiles the source to a program in `folder`, and returns the program's path. The program loads the CUDA runtime
/// library dynamically. `runtime` is the folder with Ambit's replacement for the CUDA runtime library. The compiler is
/// clang 16 or later if $AMBIT_CLANG names a clang or nvcc is not installed; otherwise, it is nvcc. clang uses a header
/// of Ambit and needs no CUDA installation. The compiler prints its messages to the standard error. Errors: there is no
/// compiler; the compiler rejects the source.
Result<std::string> compile_program(const ProgramSource& source, const std::string& folder, const std::string& runtime,
                                    const std::atomic<bool>& interrupted);

}  // namespace ambit::api
