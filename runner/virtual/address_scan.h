#pragma once

#include <cstdint>

#include "runner/virtual/instruction.h"

namespace ambit::virtual_gpu {

/// The pattern of the addresses of a warp's lanes.
enum class AddressPattern : std::uint8_t { Scattered, Consecutive, Same };

struct AddressScan {
  AddressPattern pattern = AddressPattern::Scattered;
  bool are_inside = false;  ///< all addresses are in [begin, begin + size - bytes] and are multiples of `bytes`
  std::uint64_t bits = 0;   ///< bitwise OR of all addresses, before `keep` is applied
};

/// The input of a scan. The addresses are base + offset; `keep` is the mask of the significant bits.
struct AddressQuestion {
  const void* base = nullptr;  ///< 32 numbers of 8 bytes, or of 4 bytes if is_short
  bool is_short = false;
  std::uint32_t mask = kAllLanes;  ///< lanes that access memory; others get the first lane's address
  unsigned bytes = 4;              ///< bytes of an access, a power of two
  std::uint64_t offset = 0;
  std::uint64_t keep = ~std::uint64_t{0};
  std::uint64_t begin = 0;
  std::uint64_t size = 0;  ///< bytes of the range; 0 for an empty range
};

namespace baseline {
AddressScan scan(const AddressQuestion& question, std::uint64_t* addresses);
}
namespace version3 {
AddressScan scan(const AddressQuestion& question, std::uint64_t* addresses);
}
/// Fills in the addresses of all lanes and classifies their pattern.
AddressScan scan(const AddressQuestion& question, std::uint64_t* addresses);

}  // namespace ambit::virtual_gpu
