#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"

namespace ambit::parser {

using ProgramPtr = std::shared_ptr<const Program>;

/// Options for reading tests.
struct ProgramOptions {
  std::uint32_t max_threads = 1024;           ///< limit for the threads that have events
  std::uint32_t max_launched_threads = 4096;  ///< limit for the threads of a launch
  bool uninitialized = false;                 ///< whether memory without an initializer is undefined (--uninit)
  bool opaque_branches = false;               ///< whether to explore both sides of opaque branches (--opaque-branches)
  /// For CUDA sources: the launch to check, instead of the launch in the file (--launch).
  std::optional<std::string> launch;
  std::vector<std::string> defines;  ///< for CUDA sources: macros, as "NAME" or "NAME=VALUE" (-D)
  /// For CUDA sources: the PTX that a compiler made from the source. The code in the PTX replaces the kernels of the
  /// source.
  SourceFilePtr compiled;
};

}  // namespace ambit::parser
