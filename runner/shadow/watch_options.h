#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/source.h"
#include "runner/shadow/strengthening.h"
#include "runner/virtual/launch.h"

namespace ambit::shadow {

/// Options that `ambit exec` passes to the runtime library in the program's process.
struct WatchOptions {
  struct DetectorChoice {
    std::string name;
    std::map<std::string, std::string> options;
  };
  std::string report_file;  ///< empty for no report
  std::vector<DetectorChoice> detectors;
  std::vector<std::string> kernels;  ///< substrings of the names of the kernels to check; empty for all kernels
  std::uint64_t sample = 1;          ///< detectors check plain accesses in one of every `sample` pieces of memory
  std::string record_file;           ///< "FILE.btrace"; empty for no recording
  Strengthening strengthening = Strengthening::None;  ///< how to change the orders and scopes that detectors see
  virtual_gpu::Schedule schedule;
  virtual_gpu::MemoryMode memory = virtual_gpu::MemoryMode::SequentiallyConsistent;
  std::uint64_t timeout_milliseconds = 0;  ///< limit for all launches together; 0 for no limit
  std::uint64_t step_budget = 0;           ///< limit for one launch; 0 for no limit
  unsigned threads = 1;                    ///< number of host threads that run the blocks of an unchecked launch
  std::uint64_t device_memory = std::uint64_t{16} << 30U;

  /// Convert the options to text for the environment, and back. Errors: malformed text.
  std::string to_text() const;
  static Result<WatchOptions> from_text(const std::string& text);
};

/// The environment variable that contains the options as text.
inline constexpr const char* kOptionsVariable = "AMBIT_EXEC_OPTIONS";

}  // namespace ambit::shadow
