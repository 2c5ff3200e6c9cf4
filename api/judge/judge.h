#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/check/checking_options.h"
#include "base/source.h"
#include "report/results/judged.h"

namespace ambit::api {

/// The input of `ambit judge` and its limits.
struct JudgeRequest {
  std::vector<std::string> paths;  ///< files and folders; "-" for the standard input
  /// Models, engine, loop bound, launch and reading. `timeout_seconds` limits the whole request. Without
  /// models, each test has its default models (ModelStore::default_models).
  CheckingOptions checking = {};
};

/// Judges all tests and kernel launches of the input under models. If a model has no answer about a kernel, checks
/// smaller launches of the kernel, and runs the launch on the virtual GPU under race detectors. Searches for the
/// cheapest patch of each race. Each file gets an equal share of the remaining time, so that every test has a judgement
/// when the time is over. A question without an answer has the verdict Unknown. Errors: the errors of collect_files();
/// an unknown model.
Result<report::JudgeReport> judge_files(const JudgeRequest& request, const std::atomic<bool>& interrupted);

/// Returns the exit status of `ambit judge` (docs/reference/judge.md): 1 if some verdict is a fault, otherwise 2 if
/// some input is unreadable, otherwise 3 if some verdict is unknown, otherwise 0.
int exit_status(const report::JudgeReport& report);

}  // namespace ambit::api
