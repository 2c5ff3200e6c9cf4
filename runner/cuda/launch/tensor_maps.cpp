#include "runner/cuda/launch/tensor_maps.h"

#include <cstdint>
#include <vector>

namespace ambit::cuda {

Result<bool> write_tensor_maps(Driver& driver, const Kernel& kernel, const ambit_kernel::Parameters& parameters,
                               const ambit_kernel::Buffers& buffers) {
  if (kernel.tensor_maps.empty()) return true;
  const std::size_t places = std::size_t{parameters.slot_mask} + 1;
  std::vector<TensorMapBytes> made(kernel.tensor_maps.size() * places);
  const auto cells = reinterpret_cast<DevicePointer>(buffers.cells);
  std::size_t next = 0;
  for (const KernelTensorMap& map : kernel.tensor_maps) {
    for (std::size_t place = 0; place < places; ++place) {
      const DevicePointer array = cells + map.array * parameters.region + place * parameters.stride;
      if (auto done = driver.encode(map, array, made[next++]); !done) return done;
    }
  }
  return driver.write(reinterpret_cast<DevicePointer>(buffers.tensor_maps), made.data(),
                      made.size() * sizeof(TensorMapBytes));
}

}  // namespace ambit::cuda
