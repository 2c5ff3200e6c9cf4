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

/// A detector that is a program of the user's.
struct ProgramDescription {
  std::string name;                    ///< in tables
  std::vector<std::string> arguments;  ///< the program's path first
  StreamForm form = StreamForm::Text;
  detector::GivenOptions options;  ///< passed on to the program
};

/// The processes of one detector program. Each thread that asks has its own process, which answers about one run after
/// the other. After a failure about a run, the other runs of the same test are not shown; the next test gets a new
/// process. After an answer that did not come in time, the program is not asked again.
class ExternalProgram {
 public:
  ExternalProgram(ProgramDescription description, Patience patience);

  /// Makes the detector of one run. This and `tables` must outlive it. Safe for several threads.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const RunName& run);
  const ProgramDescription& description() const { return description_; }
  /// Ends the processes of the calling thread, which give a program the time to end by itself. Otherwise they die with
  /// the thread.
  void end_here();
  /// The most memory that one of its processes that still run has used, in bytes; 0: not known.
  std::uint64_t peak_memory() const;
  /// The time that the calling thread has waited for the program.
  std::chrono::nanoseconds waited_here() const;

 private:
  friend class ProgramDetector;

  /// A process that is between two runs.
  std::unique_ptr<DetectorProcess> take_process();
  void give_back(std::unique_ptr<DetectorProcess> process);
  void fail(const RunName& run, const std::string& why, bool is_final);
  /// Why a run is not shown to the program; empty: it is.
  std::string refusal(const RunName& run) const;
  void count_wait(std::chrono::nanoseconds waited);

  const ProgramDescription description_;
  const Patience patience_;
  mutable std::mutex mutex_;
  std::map<std::thread::id, std::vector<std::unique_ptr<DetectorProcess>>> idle_;  ///< a process dies with its thread
  std::map<std::string, std::string> failed_tests_;                                ///< with the reason
  std::string given_up_;  ///< why the program is not asked any more; empty: it is
  std::map<std::thread::id, std::chrono::nanoseconds> waited_;
};

}  // namespace ambit::external
