#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "api/checking_options.h"
#include "api/inquiry.h"
#include "parser/cat/model_store.h"
#include "report/results/test_result.h"

namespace ambit::api {

/// What files are checked for, and how. The references must outlive all checkers.
struct CheckRequest {
  const CheckingOptions& options;
  OutcomesQuestion outcomes = OutcomesQuestion::Never;
  const std::vector<parser::RulesPtr>& models;  ///< empty: each test names its models
  parser::ModelStore& store;
  const std::atomic<bool>& interrupted;
};

/// Checks files one after the other: reads their tests, asks every model, judges the verdicts by the expectations. One
/// object per thread.
class FileChecker {
 public:
  explicit FileChecker(const CheckRequest& request)
      : request_(request),
        inquiries_{.models = request.models,
                   .outcomes = request.outcomes,
                   .only_termination = request.options.only_termination,
                   .schedulers = request.options.schedulers} {}

  /// The tests of a file, at least one. Never throws: an internal error becomes part of the result.
  std::vector<report::TestResult> check(const std::string& file);

 private:
  void check_program(report::TestResult& test);
  report::ModelResult answer(const Inquiry& inquiry, report::TestResult& test);

  CheckRequest request_;
  InquiryOptions inquiries_;
  verdict::Checker checker_;
};

/// What check_files calls, on the calling thread.
struct CheckCallbacks {
  std::function<void(const report::TestResult& test)> checked;             ///< in the order of the files
  std::function<void(std::size_t done, const std::string& file)> waiting;  ///< about twenty times a second
};

/// Checks files on several threads (`jobs`); each file's tests are dropped after `checked` has seen them.
void check_files(const std::vector<std::string>& files, unsigned jobs, const CheckRequest& request,
                 const CheckCallbacks& callbacks);

}  // namespace ambit::api
