#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"

namespace ambit::parser {

using ProgramPtr = std::shared_ptr<const Program>;

/// Options for reading tests.
struct ProgramOptions {
  std::uint32_t max_threads = 1024;           ///< limit after threads without events are dropped
  std::uint32_t max_launched_threads = 4096;  ///< limit before threads without events are dropped
  bool uninitialized = false;                 ///< whether memory without an initializer is undefined (--uninit)
  bool opaque_branches = false;               ///< whether branches on opaque values go both ways (--opaque-branches)
  /// For CUDA sources: the launch to check, instead of the launch in the file (--launch).
  std::optional<std::string> launch;
  std::vector<std::string> defines;  ///< for CUDA sources: macros, as "NAME" or "NAME=VALUE" (-D)
  /// for CUDA sources: the PTX that a compiler made of the source; its code is checked instead
  SourceFilePtr compiled;
};

}  // namespace ambit::parser
