#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/scope.h"

namespace ambit::virtual_gpu {

class Memory;

/// A block's copies of global memory with MemoryMode::Gpu: an L1 cache that is not coherent, as in ScoRD (Kamath,
/// George, Basu, ISCA 2020, figure 1), of unbounded size. Plain accesses and accesses of block scope use it; wider ones
/// access memory. A fence of wider scope writes all stores back and drops all copies.
class StaleCopies {
 public:
  /// 32 bytes, aligned: no access crosses two sectors.
  struct Sector {
    std::uint8_t data[32] = {};
    std::uint32_t dirty = 0;  ///< bytes that were stored here and are not in memory
    std::uint32_t hits = 0;   ///< reads since it was copied
  };
  static constexpr std::uint64_t kSectorBytes = 32;

  /// Returns the place of `address` in the block's copy. `memory_place` is the same address in memory. `stores` marks
  /// the bytes as stored. A copy that has been read kMostHits times is fetched again, so that polling makes progress.
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
