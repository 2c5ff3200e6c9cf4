#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "parser/text/program_options.h"

namespace ambit::api {

/// Which code Ambit checks for a CUDA source.
enum class Reading : std::uint8_t {
  Automatic,    ///< Source or, if only nvcc can read the source, Unoptimised
  Source,       ///< the source, read by Ambit's own reader
  Unoptimised,  ///< the PTX of nvcc without optimisation (-G)
  Optimised,    ///< the PTX of nvcc with optimisation
};

/// How to read the tests of a file.
struct ReadingOptions {
  Reading reading = Reading::Automatic;
  std::string ptx = {};           ///< PTX file, or folder of PTX files; if empty, nvcc compiles the source
  std::string architecture = {};  ///< architecture for nvcc, such as "sm_80"; if empty, sm_90
};

/// Returns the tests of a file (parser::parse_programs), read as `reading` says. If the reading is Automatic and Ambit
/// used the compiler, adds a remark to the program. Errors: errors of parser::parse_programs and of the compiler; a
/// CUDA option was given for a file in another language.
Result<std::vector<std::shared_ptr<const Program>>> read_programs(const std::string& file, const SourceFilePtr& source,
                                                                  const parser::ProgramOptions& options,
                                                                  const ReadingOptions& reading,
                                                                  const std::atomic<bool>& interrupted);

}  // namespace ambit::api
