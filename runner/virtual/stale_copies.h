#pragma once

#include <cstdint>
#include <unordered_map>

#include "core/scope.h"

namespace ambit::virtual_gpu {

class Memory;

/// The copies of global memory that a block has in MemoryMode::Gpu. The copies model an incoherent L1 cache of
/// unbounded size, as in ScoRD (Kamath, George, Basu, ISCA 2020, figure 1). Plain accesses and accesses of block scope
/// use the copies; accesses of wider scope use memory. A fence of wider scope than block writes all stores back and
/// drops all copies.
class StaleCopies {
 public:
  /// A sector has 32 aligned bytes, so that no access crosses two sectors.
  struct Sector {
    std::uint8_t data[32] = {};
    std::uint32_t dirty = 0;  ///< mask of the bytes that were stored in the copy and not yet written to memory
    std::uint32_t hits = 0;   ///< number of reads since the sector was copied
  };
  static constexpr std::uint64_t kSectorBytes = 32;

  /// Returns the place of `address` in the block's copy. `memory_place` is the place of the same address in memory.
  /// If `stores` is true, marks the bytes as stored. A copy that has been read kMostHits times is fetched again, so
  /// that polling makes progress.
  std::uint8_t* find(std::uint64_t address, unsigned bytes, std::uint8_t* memory_place, bool stores);
  /// Writes the copy of an address back and drops the copy. Called before an access of wider scope.
  void drop(std::uint64_t address, std::uint8_t* memory_place);
  /// Writes all stores back.
  void write_back(Memory& memory);
  /// Writes all stores back and drops all copies.
  void drop_all(Memory& memory);
  bool is_empty() const { return sectors_.empty(); }

  static constexpr std::uint32_t kMostHits = 200;

 private:
  static void write_back(Sector& sector, std::uint8_t* memory_place);

  std::unordered_map<std::uint64_t, Sector> sectors_;  ///< the key is the sector's address
};

}  // namespace ambit::virtual_gpu
