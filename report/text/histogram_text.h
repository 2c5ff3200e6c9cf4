#pragma once

#include <string>

#include "report/results/run_result.h"
#include "report/text/style.h"

namespace ambit::report {

/// The outcomes of one test as a table: a row an outcome, how often it was seen with a bar, whether it satisfies the
/// proposition, and a column a model that marks what it forbids; then what became of the other runs.
std::string histogram_table(const RunResult& result, const Style& style);

}  // namespace ambit::report
