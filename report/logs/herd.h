#pragma once

#include <string>

#include "report/results/test_result.h"

namespace ambit::report {

/// The block of a log that herd7 prints for a test, which the log-comparison tools read (docs/logs.md). `seconds`: what
/// the line Time says. A verdict that is not complete, or none, gives one line that no tool takes for a test.
/// Termination verdicts give nothing.
std::string herd_log(const TestResult& test, const ModelResult& result, double seconds);

/// The log says everything about this result: no part of the answer is Unknown.
bool is_decided(const ModelResult& result);

}  // namespace ambit::report
