#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"

namespace ambit::parser {

using ProgramPtr = std::shared_ptr<const Program>;

/// What a caller chooses about how tests are read.
struct ProgramOptions {
  std::uint32_t max_threads = 64;             ///< after threads without events have vanished
  std::uint32_t max_launched_threads = 4096;  ///< before
  bool uninitialized = false;                 ///< memory without an initialiser is undefined (--uninit)
  std::optional<std::string> launch;          ///< CUDA sources: the launch to check, instead of the file's (--launch)
  std::vector<std::string> defines;           ///< CUDA sources: macros, "NAME" or "NAME=VALUE" (-D)
};

}  // namespace ambit::parser
