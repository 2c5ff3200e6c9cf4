#pragma once

#include <utility>

#include "report/results/test_result.h"
#include "tests/support/sample_verdict.h"

namespace ambit::test {

/// Returns the result of `check` on the sample test with this verdict.
inline report::TestResult sample_result(verdict::Verdict verdict) {
  report::TestResult test;
  test.file = "dir/sample.litmus";
  test.program = verdict.graph->program;
  report::ModelResult result;
  result.model = "toy";
  result.judgement = verdict::judge(verdict);
  result.verdict = std::move(verdict);
  test.results.push_back(std::move(result));
  return test;
}

}  // namespace ambit::test
