#pragma once

#include <string>

#include "api/check/explanation.h"
#include "apps/cli/command_line.h"
#include "report/results/test_result.h"

namespace ambit::cli {

/// Returns the command lines that explain and repair the first race or unmet expectation of a test, one per line. For a
/// test without a race or unmet expectation: if a limit ended the check of a kernel, returns the `ambit judge` command
/// for the kernel. Otherwise, if the test has no condition, returns the command that lists its outcomes. Returns an
/// empty text if there is nothing to suggest. `check`: the command that checked the test. The returned commands repeat
/// the options that the user gave to `check` and that they also have.
std::string next_steps(Command check, const report::TestResult& test);

/// Returns the command line that prints a patch for an explained question: "ambit fix mp.litmus --model
/// ptx
/// --race". `explain`: the command that explained the question. The command line repeats the options that the user gave
/// to `explain` and that `ambit fix` also has.
std::string fix_step(Command explain, const std::string& file, const api::ExplainQuestion& question);

}  // namespace ambit::cli
