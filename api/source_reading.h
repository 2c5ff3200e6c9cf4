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

/// Which code of a CUDA source is checked.
enum class Reading : std::uint8_t {
  Automatic,    ///< Source; where Ambit cannot read the source and a compiler can: Unoptimised
  Source,       ///< the source, by Ambit's own reader
  Unoptimised,  ///< what nvcc makes of it without optimisation (-G)
  Optimised,    ///< what nvcc makes of it
};

/// How the tests of a file are read.
struct ReadingOptions {
  Reading reading = Reading::Automatic;
  std::string ptx =
      {};  ///< a file of PTX, or a folder of such files, that stands for what nvcc makes; empty: nvcc does
  std::string architecture = {};  ///< that nvcc compiles for: "sm_80"; empty: sm_90
};

/// The tests of a file (parser::parse_programs) in the reading that `reading` asks for. A program that was read through
/// the compiler although the user did not ask for it has a remark that says so. Errors: those of
/// parser::parse_programs; of the compiler; a reading of a file that is no CUDA source.
Result<std::vector<std::shared_ptr<const Program>>> read_programs(const std::string& file, const SourceFilePtr& source,
                                                                  const parser::ProgramOptions& options,
                                                                  const ReadingOptions& reading,
                                                                  const std::atomic<bool>& interrupted);

}  // namespace ambit::api
