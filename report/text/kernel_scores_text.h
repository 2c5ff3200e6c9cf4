#pragma once

#include <string>

#include "report/results/kernel_scores.h"
#include "report/text/style.h"

namespace ambit::report {

/// Returns the scores of `ambit judge --suite`: a table with a row for each candidate, the reason for each verdict
/// other than Correct, and a line with the number of candidates for each verdict.
std::string kernel_scores_text(const KernelScores& scores, const Style& style);

}  // namespace ambit::report
