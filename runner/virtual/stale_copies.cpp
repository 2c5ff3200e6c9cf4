#include "runner/virtual/stale_copies.h"

#include <algorithm>
#include <cstring>

#include "runner/virtual/memory.h"

namespace ambit::virtual_gpu {
namespace {

/// The part of a sector that is within the allocation.
struct Span {
  std::uint8_t* begin = nullptr;
  std::size_t bytes = 0;
};

Span span_of(Memory& memory, std::uint64_t address) {
  std::size_t bytes = StaleCopies::kSectorBytes;
  while (bytes > 0 && memory.find(address, bytes) == nullptr) --bytes;
  return {bytes == 0 ? nullptr : memory.host_pointer(address, bytes), bytes};
}

}  // namespace

void StaleCopies::write_back(Sector& sector, std::uint8_t* memory_place) {
  for (std::size_t i = 0; i < kSectorBytes; ++i) {
    if ((sector.dirty >> i & 1U) != 0) memory_place[i] = sector.data[i];
  }
  sector.dirty = 0;
}

/// Copies whole sectors. Whole sectors can be copied, because allocations are aligned and padded to whole sectors.
std::uint8_t* StaleCopies::find(std::uint64_t address, unsigned bytes, std::uint8_t* memory_place, bool stores) {
  const std::uint64_t offset = address % kSectorBytes;
  std::uint8_t* whole = memory_place - offset;
  const auto [place, is_new] = sectors_.try_emplace(address - offset);
  Sector& sector = place->second;
  if (is_new || (!stores && ++sector.hits > kMostHits)) {
    write_back(sector, whole);
    std::memcpy(sector.data, whole, kSectorBytes);
    sector.hits = 0;
  }
  if (stores) sector.dirty |= static_cast<std::uint32_t>(((std::uint64_t{1} << bytes) - 1) << offset);
  return sector.data + offset;
}

void StaleCopies::drop(std::uint64_t address, std::uint8_t* memory_place) {
  const std::uint64_t offset = address % kSectorBytes;
  const auto found = sectors_.find(address - offset);
  if (found == sectors_.end()) return;
  write_back(found->second, memory_place - offset);
  sectors_.erase(found);
}

void StaleCopies::write_back(Memory& memory) {
  for (auto& [address, sector] : sectors_) {
    if (sector.dirty == 0) continue;
    // The span is empty if the kernel has freed the allocation in the meantime.
    const Span span = span_of(memory, address);
    for (std::size_t i = 0; i < span.bytes; ++i) {
      if ((sector.dirty >> i & 1U) != 0) span.begin[i] = sector.data[i];
    }
    sector.dirty = 0;
  }
}

void StaleCopies::drop_all(Memory& memory) {
  write_back(memory);
  sectors_.clear();
}

}  // namespace ambit::virtual_gpu
