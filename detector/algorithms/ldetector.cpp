#include "detector/algorithms/ldetector.h"

#include "detector/options.h"
#include "kernels/detectors/ldetector_in_gpu.h"

namespace ambit::detector {
namespace {

const OptionTable<LDetectorOptions>& option_table() {
  static const auto table = OptionTable<LDetectorOptions>().yes_or_no(
      "speculative", &LDetectorOptions::speculative,
      "check each region while the next region runs, and roll back the next region if a race is found");
  return table;
}

std::uint64_t bytes(const ambit_kernel::TestSize& size, std::uint64_t runs) {
  return ambit_kernel::RegionMemory::bytes(size, runs);
}

}  // namespace

LDetectorOptions read_ldetector_options(const GivenOptions& given) { return option_table().read(given); }

DetectorDescription ldetector() {
  return {
      .name = "ldetector",
      .source = "Li et al. 2014",
      .summary = "compares the values that warps leave in shared memory when they run apart; rejects atomics and locks",
      .options = option_table().described(),
      .looks_at = LooksAt::Programs,
      .in_gpu = InGpuForm{"ldetector_in_gpu.h", "LDetector", bytes, true}};
}

}  // namespace ambit::detector
