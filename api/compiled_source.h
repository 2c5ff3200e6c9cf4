#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "core/source.h"

namespace ambit::api {

/// The PTX that belongs to the CUDA source `file`. `ptx`: a file, or a folder with NAME.ptx for NAME.cu; empty: nvcc
/// compiles the source, with the macros `defines`. Errors: nvcc is not installed, or what it says; no such file.
Result<SourceFilePtr> compiled_source(const std::string& file, const std::string& ptx,
                                      const std::vector<std::string>& defines, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
