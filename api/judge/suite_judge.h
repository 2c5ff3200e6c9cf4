#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "api/check/checking_options.h"
#include "base/source.h"
#include "report/results/kernel_scores.h"

namespace ambit::api {

/// The input of `ambit judge --suite` and its limits.
struct SuiteRequest {
  std::string folder;
  /// Models, engine, loop bound and reading. The task files give the launches and time limits of candidates.
  CheckingOptions checking = {};
  std::optional<double> timeout_seconds = {};  ///< time limit for the whole request; absent for no limit
  unsigned jobs = 1;                           ///< number of files that are judged at the same time
  /// Receives the number of finished files, the number of all files, and the name of a file that is being judged. May
  /// be null.
  std::function<void(std::size_t done, std::size_t all, const std::string& current)> progress = {};
};

/// Scores the candidates of a suite against the references of their tasks (docs/reference/judge-suite.md). A child
/// process judges each file, so a file that crashes this program or uses all memory affects no other file. If the
/// request is interrupted or its time is over, the remaining candidates have the verdict Unknown. The calling process
/// must have only one thread. Errors: the errors of read_suite(); an unknown model; no temporary folder.
Result<report::KernelScores> judge_suite(const SuiteRequest& request, const std::atomic<bool>& interrupted);

/// Returns the exit status of `ambit judge --suite`: 4 if Ambit's own code failed, otherwise 1 if some candidate is
/// wrong, otherwise 2 if some reference is wrong, otherwise 3 if some verdict is Unknown or TimedOut, otherwise 0.
int exit_status(const report::KernelScores& scores);

}  // namespace ambit::api
