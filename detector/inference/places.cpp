#include "detector/inference/places.h"

#include <algorithm>

namespace ambit::detector {

std::vector<std::uint32_t> ThreadPlaces::numbers_of(std::span<const std::uint32_t> threads,
                                                    std::uint32_t Numbers::*number) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t thread : threads) {
    const std::uint32_t next = of(thread).*number;
    if (found.empty() || found.back() != next) found.push_back(next);
  }
  std::ranges::sort(found);
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

void ThreadPlaces::grow() {
  while (numbers_.size() < tables_.threads().size()) {
    const ThreadPlace& place = tables_.threads()[numbers_.size()].place;
    const std::uint64_t block_key =
        (static_cast<std::uint64_t>(place.gpu) << 32U) | static_cast<std::uint32_t>(place.block);
    std::uint32_t& block = blocks_by_place_[block_key];
    if (block == 0) block = ++blocks_;
    std::uint32_t& warp = warps_by_place_[(std::uint64_t{block} << 32U) | static_cast<std::uint32_t>(place.warp)];
    if (warp == 0) warp = ++warps_;
    numbers_.push_back({warp - 1, block - 1});
  }
}

void GlobalLocations::grow() {
  while (is_global_.size() < tables_.locations().size()) {
    is_global_.push_back(tables_.locations()[is_global_.size()].space == MemorySpace::Global ? 1 : 0);
  }
}

void Granules::grow() {
  while (numbers_.size() < tables_.locations().size()) {
    const TraceLocation& location = tables_.locations()[numbers_.size()];
    std::uint64_t owner_key = 0;
    if (location.space == MemorySpace::Shared) {
      owner_key = 1 + ((static_cast<std::uint64_t>(location.gpu) << 32U) | static_cast<std::uint32_t>(location.block));
    }
    std::uint32_t& owner = owners_[owner_key];
    if (owner == 0) owner = ++owner_count_;
    std::uint32_t& object = objects_[(std::uint64_t{owner} << 32U) | location.object];
    if (object == 0) object = ++object_count_;
    // The key can distinguish 2^24 objects with 2^40 granules each.
    std::uint32_t& number = numbers_by_place_[(std::uint64_t{object} << 40U) ^ (location.offset / bytes_)];
    if (number == 0) number = ++count_;
    numbers_.push_back(number - 1);
  }
}

}  // namespace ambit::detector
