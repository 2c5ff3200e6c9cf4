#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/scope.h"

namespace ambit::virtual_gpu {

class Memory;

/// The copies of global memory that a block works on with MemoryMode::Gpu: an L1 cache that is not coherent, as in
/// ScoRD (Kamath, George, Basu, ISCA 2020, figure 1), without a bound on its size. Plain accesses and those of block
/// scope stay in it; wider ones go to memory. A fence of wider scope writes all stores back and drops all copies.
class StaleCopies {
 public:
  /// 32 bytes, aligned: an access never crosses two.
  struct Sector {
    std::uint8_t data[32] = {};
    std::uint32_t dirty = 0;  ///< bytes that were stored here and are not in memory
    std::uint32_t hits = 0;   ///< reads since it was copied
  };
  static constexpr std::uint64_t kSectorBytes = 32;

  /// Where the block finds `address`, in its copy. `memory_place` is the same address in memory. Stored bytes are
  /// marked by `stores`. A copy that has been read kMostHits times is fetched again: who polls it gets on.
  std::uint8_t* find(std::uint64_t address, unsigned bytes, std::uint8_t* memory_place, bool stores);
  /// Writes the copy of an address back and drops it, before an access of wider scope.
  void drop(std::uint64_t address, std::uint8_t* memory_place);
  /// Writes all stores back.
  void write_back(Memory& memory);
  /// Writes all stores back and drops all copies.
  void drop_all(Memory& memory);
  bool is_empty() const { return sectors_.empty(); }

  static constexpr std::uint32_t kMostHits = 200;

 private:
  static void write_back(Sector& sector, std::uint8_t* memory_place);

  std::unordered_map<std::uint64_t, Sector> sectors_;  ///< by address
};

}  // namespace ambit::virtual_gpu
