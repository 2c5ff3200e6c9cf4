#pragma once

#include "api/check/allowed_outcomes.h"
#include "api/hardware/run.h"

namespace ambit::api {

/// Reads the tests of a file. Errors: the file cannot be read; syntax errors.
Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const RunRequest& request,
                                                               const std::atomic<bool>& interrupted);

/// Receives a result.
using OnResult = std::function<void(report::RunResult)>;

/// Implements run_tests() for the simulator.
void run_on_simulator(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                      const std::atomic<bool>& interrupted, const OnResult& done);
/// Implements run_tests() for a GPU.
void run_on_hardware(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                     const std::atomic<bool>& interrupted, const OnResult& done);

}  // namespace ambit::api
