#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace ambit::api {

/// Optimisation level of nvcc.
enum class Optimisation : std::uint8_t {
  None,  ///< -G: keeps every access of the source, and does not inline calls
  Full,
};

/// The PTX of a CUDA source.
struct CompiledSource {
  std::string file;
  /// a PTX file, or a folder that contains NAME.ptx for NAME.cu; if empty, nvcc compiles the source
  std::string ptx = {};
  std::vector<std::string> defines = {};  ///< macros: "NAME" or "NAME=VALUE"
  std::string architecture = {};          ///< such as "sm_80"; if empty, sm_90
  Optimisation optimisation = Optimisation::Full;
};

/// The beginning of the error message if nvcc rejects the source.
inline constexpr std::string_view kCompilerRejects = "nvcc cannot compile it";

/// Returns the PTX of the source. Errors: nvcc is not installed, or nvcc reports errors; the file does not exist.
Result<SourceFilePtr> compiled_source(const CompiledSource& source, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
