#include "runner/cuda/emit/kernel.h"

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

}  // namespace ambit::cuda
