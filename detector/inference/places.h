#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/trace.h"
#include "detector/inference/flat_map.h"

namespace ambit::detector {

/// This function is not inline, so that at() is short enough to be inlined.
template <typename T>
[[gnu::noinline, gnu::cold]] void grow_to(std::vector<T>& values, std::size_t size) {
  values.resize(size);
}

/// Returns the value at index `number`. If the vector is too short, extends it with default values.
template <typename T>
T& at(std::vector<T>& values, std::size_t number) {
  if (number >= values.size()) [[unlikely]] {
    grow_to(values, number + 1);
  }
  return values[number];
}

/// The numbers of each thread's warp and block, computed once. Warps and blocks have consecutive numbers.
class ThreadPlaces {
 public:
  struct Numbers {
    std::uint32_t warp = 0;
    std::uint32_t block = 0;
  };
  explicit ThreadPlaces(const TraceTables& tables) : tables_(tables) {}
  const Numbers& of(std::uint32_t thread) {
    if (thread >= numbers_.size()) grow();
    return numbers_[thread];
  }
  /// Like of(), if of() has already been called for the thread.
  const Numbers& known(std::uint32_t thread) const { return numbers_[thread]; }
  /// Returns the blocks (or warps) of some threads in ascending order, without duplicates.
  std::vector<std::uint32_t> blocks_of(std::span<const std::uint32_t> threads) {
    return numbers_of(threads, &Numbers::block);
  }
  std::vector<std::uint32_t> warps_of(std::span<const std::uint32_t> threads) {
    return numbers_of(threads, &Numbers::warp);
  }
  std::uint32_t warps() const { return warps_; }
  std::uint32_t blocks() const { return blocks_; }

 private:
  void grow();
  std::vector<std::uint32_t> numbers_of(std::span<const std::uint32_t> threads, std::uint32_t Numbers::*number);

  const TraceTables& tables_;
  std::vector<Numbers> numbers_;
  FlatMap<std::uint32_t> blocks_by_place_;  ///< maps to 1 + number
  FlatMap<std::uint32_t> warps_by_place_;
  std::uint32_t warps_ = 0;
  std::uint32_t blocks_ = 0;
};

/// Finds out which locations are in global memory.
class GlobalLocations {
 public:
  explicit GlobalLocations(const TraceTables& tables) : tables_(tables) {}
  bool contains(std::uint32_t location) {
    if (location >= is_global_.size()) grow();
    return is_global_[location] != 0;
  }

 private:
  void grow();

  const TraceTables& tables_;
  std::vector<std::uint8_t> is_global_;  ///< for each location
};

/// Maps locations to shadow granules of 2^n bytes. Like hardware detectors, does not distinguish locations within a
/// granule.
class Granules {
 public:
  Granules(const TraceTables& tables, std::uint32_t bytes) : tables_(tables), bytes_(bytes) {}
  std::uint32_t of(std::uint32_t location) {
    if (location >= numbers_.size()) grow();
    return numbers_[location];
  }
  std::uint32_t count() const { return count_; }

 private:
  void grow();

  const TraceTables& tables_;
  std::uint32_t bytes_;
  std::vector<std::uint32_t> numbers_;
  FlatMap<std::uint32_t> owners_;            ///< maps (space, block) to 1 + number
  FlatMap<std::uint32_t> numbers_by_place_;  ///< maps to 1 + number
  FlatMap<std::uint32_t> objects_;
  std::uint32_t owner_count_ = 0;
  std::uint32_t object_count_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace ambit::detector
