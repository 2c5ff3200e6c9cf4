#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::api {

/// How much nvcc optimises.
enum class Optimisation : std::uint8_t {
  None,  ///< -G: keeps every access of the source, and does not inline calls
  Full,
};

/// PTX of a CUDA source.
struct CompiledSource {
  std::string file;
  std::string ptx = {};                   ///< a file, or a folder with NAME.ptx for NAME.cu; empty: nvcc compiles
  std::vector<std::string> defines = {};  ///< macros: "NAME" or "NAME=VALUE"
  std::string architecture = {};          ///< "sm_80"; empty: sm_90
  Optimisation optimisation = Optimisation::Full;
};

/// Returns the PTX of the source. Errors: nvcc is not installed, or its errors; no such file.
Result<SourceFilePtr> compiled_source(const CompiledSource& source, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
