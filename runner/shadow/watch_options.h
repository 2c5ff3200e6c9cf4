#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/source.h"
#include "runner/shadow/strengthening.h"
#include "runner/virtual/launch.h"

namespace ambit::shadow {

/// Options that `ambit exec` passes to the runtime library in the program's process.
struct WatchOptions {
  struct DetectorChoice {
    std::string name;
    std::map<std::string, std::string> options;
  };
  std::string report_file;  ///< empty: none
  std::vector<DetectorChoice> detectors;
  std::vector<std::string> kernels;  ///< parts of the names of the kernels to check; empty: all
  std::uint64_t sample = 1;          ///< detectors see plain accesses to one piece of memory in this many
  std::string record_file;           ///< "FILE.btrace"; empty: none
  Strengthening strengthening = Strengthening::None;  ///< how detectors see the program's orders
  virtual_gpu::Schedule schedule;
  virtual_gpu::MemoryMode memory = virtual_gpu::MemoryMode::SequentiallyConsistent;
  std::uint64_t timeout_milliseconds = 0;  ///< of all launches together; 0: none
  std::uint64_t step_budget = 0;           ///< of a launch; 0: none
  unsigned threads = 1;                    ///< of this computer, for the blocks of an unwatched launch
  std::uint64_t device_memory = std::uint64_t{16} << 30U;

  /// Convert to text for the environment, and back. Errors: the text is malformed.
  std::string to_text() const;
  static Result<WatchOptions> from_text(const std::string& text);
};

/// The environment variable that holds the text.
inline constexpr const char* kOptionsVariable = "AMBIT_EXEC_OPTIONS";

}  // namespace ambit::shadow
