#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "apps/cli/run_command.h"
#include "report/results/run_result.h"

namespace ambit::cli {

/// Runs the tests of all files on a GPU, one after the other; `done` is shown each when it is finished. Tests that an
/// interrupt keeps from being run are said to be so.
std::vector<report::RunResult> run_on_hardware(const RunCommand& command, const std::vector<std::string>& files,
                                               const std::atomic<bool>& interrupted,
                                               const std::function<void(const report::RunResult&)>& done);

}  // namespace ambit::cli
