#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "core/program.h"

namespace ambit::api {

/// A program that was read with a smaller launch than the launch of its source.
struct SmallerProgram {
  std::string launch;  ///< in the form of the option --launch
  std::shared_ptr<const Program> program;
};

/// Programs with at most this number of threads need no smaller launch: explanations are short, and repairs take
/// seconds.
inline constexpr std::size_t kFewThreads = 8;

/// Returns whether the program was read from a CUDA source and has more than kFewThreads threads.
bool is_large_launch(const Program& program);

/// Reads the source of a kernel with smaller launches. Returns the programs from the smallest launch to the largest
/// (smaller_launches()). Omits launches that the parser rejects. Returns no programs unless is_large_launch().
std::vector<SmallerProgram> smaller_programs(const Program& program, const CheckingOptions& options);

}  // namespace ambit::api
