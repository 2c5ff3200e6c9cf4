#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detector/detector.h"
#include "detector/external/external_program.h"
#include "detector/external/recorded_answers.h"

namespace ambit::api {

/// How to run a user's detectors. Untrusted requests must not get this object, because it lets them run programs.
struct ExternalRules {
  std::string plugin_host;           ///< path of the program `ambit`, which runs plugins
  std::chrono::seconds timeout{60};  ///< how long to wait for an answer about one run
  const std::atomic<bool>* interrupted = nullptr;
};

/// A user's detector: a program, a plugin, or answers in a file (docs/detectors/protocol.md).
class ExternalDetector {
 public:
  /// `parts`: "exec:PROGRAM" or "FILE.so", followed by settings such as "name=mine". Errors: the program does not
  /// exist; unknown settings.
  static Result<std::shared_ptr<ExternalDetector>> of_program(const std::vector<std::string>& parts,
                                                              const ExternalRules& rules);
  /// `given`: "FILE" or "NAME=FILE". `interrupted` (may be null) ends the wait for a pipe. Errors: an invalid file.
  static Result<std::shared_ptr<ExternalDetector>> of_results(const std::string& given,
                                                              const std::atomic<bool>* interrupted);

  const detector::DetectorDescription& description() const { return description_; }
  /// Returns the detector's name and settings for --detector; empty if its answers come only from a file.
  const std::string& words() const { return words_; }
  /// Passes the options to the program. Call this function once, before the first make().
  void prepare(const detector::GivenOptions& options);
  /// Makes the detector for one run. The result must not outlive this object or `tables`. Thread-safe.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const external::RunName& run);
  /// Ends the processes of the program that belong to the calling thread.
  void end_here() const;
  /// Returns the peak memory of the program in bytes; 0 if the memory is unknown or the detector is not a program.
  std::uint64_t peak_memory() const;
  /// Returns the time that the calling thread has waited for the program.
  std::chrono::nanoseconds waited_here() const;

 private:
  std::optional<Diagnostic> set(const std::string& setting);

  detector::DetectorDescription description_;
  std::string words_;
  external::ProgramDescription program_description_;
  external::Patience patience_;
  std::unique_ptr<external::RecordedAnswers> answers_;  ///< null if the detector is a program
  std::unique_ptr<external::ExternalProgram> program_;
};

/// Returns whether a word in the value of --detector names a program or a plugin.
bool names_external_detector(std::string_view word);

/// Returns the text for `claims` in settings and in files of answers.
std::string_view to_string(detector::Claims claims);

}  // namespace ambit::api
