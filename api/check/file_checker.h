#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "api/check/added_expectations.h"
#include "api/check/checking_options.h"
#include "api/check/inquiry.h"
#include "base/activity.h"
#include "parser/cat/model_store.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// Settings for checking files. The referenced objects must outlive all checkers.
struct CheckRequest {
  const CheckingOptions& options;
  OutcomesQuestion outcomes = OutcomesQuestion::Never;
  const ExpectationAdder& expectations;  ///< expectations and models of the command line
  parser::ModelStore& store;
  const std::atomic<bool>& interrupted;
  bool explains_races = false;  ///< whether to fill ModelResult::explanation.
  /// Whether to fill ModelResult::readings. For this, the checker changes one option of the model at a time, and tries
  /// each value of the option.
  bool checks_readings = false;
  bool fails_on_fault = false;  ///< whether a fault is a failure (verdict::expect_no_fault())
};

/// Checks files one after the other: reads their tests, obtains every model's verdict, and compares the verdicts with
/// the expectations. Not thread-safe: each thread uses its own object.
class FileChecker {
 public:
  explicit FileChecker(const CheckRequest& request)
      : request_(request),
        inquiries_{.outcomes = request.outcomes,
                   .only_termination = request.options.only_termination,
                   .schedulers = request.options.schedulers} {}

  /// Checks the tests of a file. Returns at least one result. Never throws: an internal error becomes part of the
  /// result. Stores the current question in `activity`.
  std::vector<report::TestResult> check(const std::string& file, Activity& activity);

 private:
  void check_program(report::TestResult& test, Activity& activity);
  report::ModelResult answer(const Inquiry& inquiry, report::TestResult& test, Activity& activity);
  std::vector<report::ModelResult::Reading> other_readings(const Inquiry& inquiry, const report::TestResult& test,
                                                           const verdict::Verdict& verdict, Activity& activity);
  void explain_races(const Inquiry& inquiry, const report::TestResult& test, Activity& activity,
                     report::ModelResult& result);

  CheckRequest request_;
  InquiryOptions inquiries_;
  verdict::Checker checker_;
};

/// Callbacks of check_files, which run on the thread that called check_files.
struct CheckCallbacks {
  std::function<void(const report::TestResult& test)> checked;  ///< receives the results in the order of the files.
  /// Called about twenty times a second with the number of finished files, the next file, and the current question
  /// about this file.
  std::function<void(std::size_t done, const std::string& file, const std::string& question)> waiting;
};

/// Returns the default number of files to check at the same time: one for each core, at most eight.
unsigned default_jobs();

/// Checks files on several threads (`jobs`). Frees each file's tests after `checked` has received them. If a file
/// reaches the memory limit while other files are checked, checks this file again while no other file is checked.
/// Therefore the results do not depend on `jobs`.
void check_files(const std::vector<std::string>& files, unsigned jobs, const CheckRequest& request,
                 const CheckCallbacks& callbacks);

}  // namespace ambit::api
