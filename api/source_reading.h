#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "parser/text/program_options.h"

namespace ambit::api {

/// Which code of a CUDA source to check.
enum class Reading : std::uint8_t {
  Automatic,    ///< Source; or Unoptimised if Ambit cannot read the source and nvcc can compile it
  Source,       ///< the source, read by Ambit's own reader
  Unoptimised,  ///< the PTX of nvcc without optimisation (-G)
  Optimised,    ///< the PTX of nvcc with optimisation
};

/// How to read the tests of a file.
struct ReadingOptions {
  Reading reading = Reading::Automatic;
  std::string ptx = {};           ///< PTX file, or folder of PTX files, to use instead of nvcc; if empty, nvcc runs
  std::string architecture = {};  ///< architecture for nvcc: "sm_80"; sm_90 if empty
};

/// Returns the tests of a file (parser::parse_programs) in the reading `reading`. If Ambit used the compiler without a
/// request for it, adds a remark to the program. Errors: those of parser::parse_programs and of the compiler; an option
/// for CUDA sources with a file of another language.
Result<std::vector<std::shared_ptr<const Program>>> read_programs(const std::string& file, const SourceFilePtr& source,
                                                                  const parser::ProgramOptions& options,
                                                                  const ReadingOptions& reading,
                                                                  const std::atomic<bool>& interrupted);

}  // namespace ambit::api
