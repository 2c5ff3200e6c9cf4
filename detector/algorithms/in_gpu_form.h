#pragma once

#include "detector/detector.h"
#include "kernels/detectors/watch.h"

namespace ambit::detector {

/// Describes a detector that runs inside a kernel and checks the events of a test. `type` is the name of the detector's
/// class in `file`.
template <typename InGpu>
InGpuForm in_gpu_form(std::string_view file, std::string_view type) {
  const auto bytes = [](const ambit_kernel::TestSize& size, std::uint64_t runs) -> std::uint64_t {
    return ambit_kernel::Watch<InGpu>::bytes(size, runs);
  };
  return {file, type, bytes};
}

}  // namespace ambit::detector
