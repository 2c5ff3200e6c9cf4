#pragma once

#include "detector/detector.h"
#include "kernels/detectors/watch.h"

namespace ambit::detector {

/// Returns the in-kernel form of a detector that checks the events of a test. InGpu is the class with the name `type`
/// in `file`.
template <typename InGpu>
InGpuForm in_gpu_form(std::string_view file, std::string_view type) {
  const auto bytes = [](const ambit_kernel::TestSize& size, std::uint64_t runs) -> std::uint64_t {
    return ambit_kernel::Watch<InGpu>::bytes(size, runs);
  };
  return {file, type, bytes};
}

}  // namespace ambit::detector
