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
  std::uint32_t max_threads = 1024;           ///< after threads without events are dropped
  std::uint32_t max_launched_threads = 4096;  ///< before threads without events are dropped
  bool uninitialized = false;                 ///< memory without an initializer is undefined (--uninit)
  bool opaque_branches = false;               ///< take branches on opaque values both ways (--opaque-branches)
  std::optional<std::string>
      launch;                        ///< CUDA sources: the launch to check instead of the launch in the file (--launch)
  std::vector<std::string> defines;  ///< CUDA sources: macros, "NAME" or "NAME=VALUE" (-D)
  SourceFilePtr compiled;            ///< CUDA sources: a compiler's PTX of the source, whose code is checked instead
};

}  // namespace ambit::parser
