#include "runner/cuda/tensor_maps.h"

#include <cstdint>
#include <vector>

namespace ambit::cuda {

/// Returns the CUtensorMapDataType, which equals the value of the field elemtype.
std::uint32_t tensor_element(ScalarType type) {
  switch (type.bits) {
    case 8: return 0;
    case 16: return 1;
    case 32: return type.is_signed ? 3 : 2;
    default: return type.is_signed ? 5 : 4;
  }
}

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
