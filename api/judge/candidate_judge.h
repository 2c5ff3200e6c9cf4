#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "api/check/checking_options.h"
#include "api/exec/single_launch.h"
#include "api/judge/expected_results.h"
#include "api/judge/run_faults.h"
#include "api/judge/suite_tasks.h"
#include "base/context.h"
#include "base/source.h"
#include "report/results/kernel_scores.h"

namespace ambit::api {

/// Judges one file of a task: compiles it, runs its launch with random inputs under race detectors, and compares the
/// results with the reference's results. Then checks the same launch for faults under the models.
class CandidateJudge {
 public:
  /// The referenced objects must outlive this object. `options`: models, macros, architecture and PTX (without launch
  /// and timeout). `expected_file`: a file for the reference's results. `folder`: an existing folder for temporary
  /// files.
  CandidateJudge(const SuiteTask& task, const CheckingOptions& options, std::string expected_file, std::string folder,
                 const std::atomic<bool>& interrupted)
      : task_(task),
        options_(options),
        expected_file_(std::move(expected_file)),
        folder_(std::move(folder)),
        interrupted_(interrupted) {}

  /// Runs the reference, and writes its results to `expected_file`. If the verdict is Correct, Race or WrongResult, the
  /// file contains all results.
  report::KernelScore judge_reference();
  /// Compares a candidate with the results in `expected_file`.
  report::KernelScore judge_candidate(const std::string& file);

  /// Sets a function to call once, after compilation and before the task's time limit begins.
  void set_limit_begins(std::function<void()> call) { limit_begins_ = std::move(call); }

 private:
  using Clock = Context::Clock;

  void judge(const std::string& file);
  bool compile();
  bool read_launch();
  bool has_arrays_of_reference();
  void run_all();
  /// Runs the launch with input `input`. Returns whether to run the next input.
  bool run(std::uint64_t input);
  void compare(const std::vector<ArrayInput>& inputs, const LaunchRun& done, std::uint64_t input);
  void add_run_faults();
  void ask_models();
  void decide();
  void fail(report::KernelVerdict verdict, std::string reason);

  const SuiteTask& task_;
  const CheckingOptions& options_;
  const std::string expected_file_;
  const std::string folder_;
  const std::atomic<bool>& interrupted_;
  std::function<void()> limit_begins_;
  // ---- the current file ----
  bool is_reference_ = false;
  std::string path_;
  report::KernelScore score_;
  VirtualLaunch text_;
  KernelLaunch launch_;
  ExpectedResults expected_;
  Clock::time_point end_;
  ProgramReport found_;  ///< of all runs
  bool is_decided_ = false;
  bool has_timed_out_ = false;
};

}  // namespace ambit::api
