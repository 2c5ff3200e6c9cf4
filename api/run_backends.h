#pragma once

#include "api/allowed_outcomes.h"
#include "api/run.h"

namespace ambit::api {

/// Reads the tests of a file. Errors: those of the file and of its text.
Result<std::vector<std::shared_ptr<const Program>>> read_tests(const std::string& file, const RunRequest& request,
                                                               const std::atomic<bool>& interrupted);

/// Receives a result.
using OnResult = std::function<void(report::RunResult)>;

/// run_tests() on the simulator.
void run_on_simulator(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                      const std::atomic<bool>& interrupted, const OnResult& done);
/// run_tests() on a GPU.
void run_on_hardware(const RunRequest& request, const std::vector<std::string>& files, const RunEvents& events,
                     const std::atomic<bool>& interrupted, const OnResult& done);

}  // namespace ambit::api
