#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "detector/detector.h"
#include "detector/external/detector_process.h"
#include "detector/external/run_stream.h"

namespace ambit::external {

/// A detector program that the user provides.
struct ProgramDescription {
  std::string name;                    ///< the detector's name in tables of results
  std::vector<std::string> arguments;  ///< the program's path, then its arguments
  StreamForm form = StreamForm::Text;
  detector::GivenOptions options;  ///< options for the program
};

/// The processes of one detector program. Each calling thread has its own process, which handles one run after the
/// other. After a failure on a run, the program receives no further run of the same test, and a new process handles the
/// next test. After a timeout, the program receives no further run at all.
class ExternalProgram {
 public:
  ExternalProgram(ProgramDescription description, Patience patience);

  /// Makes the detector of one run. This object and `tables` must outlive the detector. Thread-safe.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const RunName& run);
  const ProgramDescription& description() const { return description_; }
  /// Ends the processes of the calling thread and gives them time to exit. Without this call, the processes are killed
  /// when the thread ends.
  void end_here();
  /// Returns the highest peak memory of the idle processes, in bytes; 0 if unknown.
  std::uint64_t peak_memory() const;
  /// Returns the time that the calling thread has waited for the program.
  std::chrono::nanoseconds waited_here() const;

 private:
  friend class ProgramDetector;

  /// Returns an idle process of the calling thread, or null.
  std::unique_ptr<DetectorProcess> take_process();
  void give_back(std::unique_ptr<DetectorProcess> process);
  void fail(const RunName& run, const std::string& why, bool is_final);
  /// Returns the reason why the program must not receive a run; empty if the program may receive the run.
  std::string refusal(const RunName& run) const;
  void count_wait(std::chrono::nanoseconds waited);

  const ProgramDescription description_;
  const Patience patience_;
  mutable std::mutex mutex_;
  /// The idle processes of each thread, which end when the thread ends.
  std::map<std::thread::id, std::vector<std::unique_ptr<DetectorProcess>>> idle_;
  std::map<std::string, std::string> failed_tests_;  ///< maps a test to the reason for the failure
  std::string given_up_;  ///< the reason why the program receives no more runs; empty if it receives more runs
  std::map<std::thread::id, std::chrono::nanoseconds> waited_;
};

}  // namespace ambit::external
