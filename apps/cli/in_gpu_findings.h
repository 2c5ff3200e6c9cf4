#pragma once

#include <vector>

#include "core/program.h"
#include "report/results/detections.h"
#include "runner/cuda/runner.h"

namespace ambit::cli {

/// What the detectors inside the kernel reported, with the names that the test has for threads, places and locations.
std::vector<report::Detections> in_gpu_findings(const Program& program, const cuda::RunReport& report);

}  // namespace ambit::cli
