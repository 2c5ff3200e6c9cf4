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

/// How to run detectors of the user. Untrusted requests must not name programs.
struct ExternalRules {
  std::string plugin_host;           ///< the program `ambit`, which runs plugins
  std::chrono::seconds timeout{60};  ///< the longest wait for an answer about one run
  const std::atomic<bool>* interrupted = nullptr;
};

/// A detector of the user: a program, a plugin, or answers in a file (docs/detectors/protocol.md).
class ExternalDetector {
 public:
  /// `parts`: "exec:PROGRAM" or "FILE.so", then its settings, "name=mine". Errors: no such program; unknown settings.
  static Result<std::shared_ptr<ExternalDetector>> of_program(const std::vector<std::string>& parts,
                                                              const ExternalRules& rules);
  /// `given`: "FILE" or "NAME=FILE". `interrupted` (null: never) ends the wait for a pipe. Errors: those of the file.
  static Result<std::shared_ptr<ExternalDetector>> of_results(const std::string& given,
                                                              const std::atomic<bool>* interrupted);

  const detector::DetectorDescription& description() const { return description_; }
  /// Returns its name for --detector, with its settings; empty: its answers come from a file only.
  const std::string& words() const { return words_; }
  /// Passes the options to the program. Call once, before the first make().
  void prepare(const detector::GivenOptions& options);
  /// Makes the detector of one run. This and `tables` must outlive it. Thread-safe.
  std::unique_ptr<detector::Detector> make(const TraceTables& tables, const external::RunName& run);
  /// Ends the program's processes of the calling thread.
  void end_here() const;
  /// Returns the peak memory of the program, in bytes; 0: unknown, or there is no program.
  std::uint64_t peak_memory() const;
  /// Returns the time that the calling thread has waited for the program.
  std::chrono::nanoseconds waited_here() const;

 private:
  std::optional<Diagnostic> set(const std::string& setting);

  detector::DetectorDescription description_;
  std::string words_;
  external::ProgramDescription program_description_;
  external::Patience patience_;
  std::unique_ptr<external::RecordedAnswers> answers_;  ///< null: it is a program
  std::unique_ptr<external::ExternalProgram> program_;
};

/// Returns whether a word of --detector names a program or a plugin.
bool names_external_detector(std::string_view word);

/// Returns the word for claims in settings and files of answers.
std::string_view to_string(detector::Claims claims);

}  // namespace ambit::api
