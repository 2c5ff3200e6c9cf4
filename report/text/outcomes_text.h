#pragma once

#include <string>

#include "report/results/test_result.h"
#include "report/text/style.h"

namespace ambit::report {

/// The outcomes of one test as a table: a row an outcome that some model allows, a column an observable, one that marks
/// the outcomes that satisfy the proposition, and one a model that says which of them it allows. An answer that is not
/// complete is marked and its reason given below.
std::string outcomes_table(const TestResult& test, const Style& style);

}  // namespace ambit::report
