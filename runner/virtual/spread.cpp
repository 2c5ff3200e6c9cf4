#include "runner/virtual/spread.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

namespace ambit::virtual_gpu {
namespace {

constexpr unsigned kGranules = 32;  // granules of a line
/// Lines begin at multiples of this number, counted from the allocation's first byte.
constexpr std::uint64_t kLineAlignment = 32;
/// Bits of SpreadState::uses_.
constexpr std::uint8_t kRead = 1;
constexpr std::uint8_t kWritten = 2;
/// Approximate number of times that each thread takes blocks during a launch.
constexpr std::uint64_t kTakesOfThread = 8;
constexpr std::uint64_t kMostBlocksAtOnce = 256;

/// Returns the number of blocks that a thread takes if `blocks` blocks are left.
std::uint64_t share_of(std::uint64_t blocks, unsigned threads) {
  return std::clamp<std::uint64_t>(blocks / (kTakesOfThread * threads), 1, kMostBlocksAtOnce);
}

std::uint32_t low_bits(std::uint64_t count) {
  return count >= kGranules ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

}  // namespace

TouchedMemory::TouchedMemory(Allocation& allocation, unsigned granule_shift, bool is_tracked)
    : allocation_(allocation), shift_(granule_shift), is_tracked_(is_tracked) {
  const std::uint64_t line_bytes = std::uint64_t{kGranules} << shift_;
  const std::uint64_t lines = (allocation.bytes + line_bytes - 1) / line_bytes;
  // Line numbers have only 32 bits. Adopted host memory may begin at any address.
  if (lines > ~std::uint32_t{0} || allocation.address % kLineAlignment != 0) return;
  copy_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(64, (lines * line_bytes + 63) / 64 * 64)));
  lines_.reset(static_cast<Line*>(std::calloc(lines, sizeof(Line))));
}

void TouchedMemory::mark(const TouchedLanes& what) {
  const std::uint64_t begin = allocation_.address;
  const unsigned granules = std::max(what.bytes >> shift_, 1U);
  if (what.pattern != AddressPattern::Scattered) {
    const std::uint64_t first = (what.addresses[0] - begin) >> shift_;
    const std::uint64_t last = (what.addresses[kLanes - 1] - begin) >> shift_;
    mark_run(first, last - first + granules, what.is_write);
    return;
  }
  // Adjacent lanes usually access the same line. An access never crosses a line, because an access is aligned to its
  // size and is not larger than a line.
  std::uint64_t line = ~std::uint64_t{0};
  std::uint32_t bits = 0;
  for (std::uint32_t left = what.lanes; left != 0; left &= left - 1) {
    const std::uint64_t granule = (what.addresses[std::countr_zero(left)] - begin) >> shift_;
    if (granule / kGranules != line) {
      if (bits != 0) mark_line(line, bits, what.is_write);
      line = granule / kGranules;
      bits = 0;
    }
    bits |= low_bits(granules) << granule % kGranules;
  }
  mark_line(line, bits, what.is_write);
}

void TouchedMemory::mark_run(std::uint64_t first, std::uint64_t count, bool is_write) {
  const std::uint64_t end = first + count;
  while (first < end) {
    const unsigned at = first % kGranules;
    const std::uint64_t here = std::min<std::uint64_t>(end - first, kGranules - at);
    mark_line(first / kGranules, low_bits(here) << at, is_write);
    first += here;
  }
}

inline void TouchedMemory::mark_line(std::uint64_t index, std::uint32_t granules, bool is_write) {
  Line& line = lines_[index];
  if ((line.block_reads | line.block_writes) == 0) begin_line(index, granules, is_write);
  (is_write ? line.block_writes : line.block_reads) |= granules;
}

/// Prepares a line that the running block accesses for the first time.
void TouchedMemory::begin_line(std::uint64_t index, std::uint32_t granules, bool is_write) {
  lines_of_block_.push_back(static_cast<std::uint32_t>(index));
  const Line& line = lines_[index];
  if ((line.reads | line.writes) != 0) return;
  lines_of_thread_.push_back(static_cast<std::uint32_t>(index));
  // Copies the contents of the line from memory, so that later reads find these contents in the copy.
  if (!is_tracked_ || (is_write && granules == kWholeLine)) return;
  const std::uint64_t bytes = std::uint64_t{kGranules} << shift_;
  const std::uint64_t offset = index * bytes;
  std::memcpy(copy_.get() + offset, allocation_.data + offset, std::min(bytes, allocation_.bytes - offset));
}

bool TouchedMemory::has_written(std::uint64_t offset, unsigned bytes) const {
  const std::uint64_t granule = offset >> shift_;
  const Line& line = lines_[granule / kGranules];
  const std::uint32_t wanted = low_bits(std::max(bytes >> shift_, 1U)) << granule % kGranules;
  return ((line.block_writes | line.writes) & wanted) == wanted;
}

bool TouchedMemory::end_block() {
  std::uint32_t conflict = 0;
  for (const std::uint32_t index : lines_of_block_) {
    Line& line = lines_[index];
    conflict |= (line.block_writes & (line.reads | line.writes)) | (line.block_reads & line.writes);
    line.reads |= line.block_reads;
    line.writes |= line.block_writes;
    line.block_reads = 0;
    line.block_writes = 0;
  }
  lines_of_block_.clear();
  return conflict == 0;
}

bool TouchedMemory::conflicts_with(const TouchedMemory& other) const {
  if (lines_of_thread_.size() > other.lines_of_thread_.size()) return other.conflicts_with(*this);
  std::uint32_t conflict = 0;
  for (const std::uint32_t index : lines_of_thread_) {
    const Line& line = lines_[index];
    const Line& against = other.lines_[index];
    conflict |= (line.writes & (against.reads | against.writes)) | (line.reads & against.writes);
  }
  return conflict != 0;
}

template <class Piece>
void TouchedMemory::for_each_written(Piece piece) const {
  for (const std::uint32_t index : lines_of_thread_) {
    const std::uint64_t offset = (std::uint64_t{index} * kGranules) << shift_;
    for (std::uint32_t left = lines_[index].writes; left != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(left));
      const auto count = static_cast<unsigned>(std::countr_one(left >> first));
      piece(offset + (std::uint64_t{first} << shift_), std::uint64_t{count} << shift_);
      left &= ~(low_bits(count) << first);
    }
  }
}

void TouchedMemory::keep_data() const {
  for_each_written([&](std::uint64_t offset, std::uint64_t bytes) {
    std::memcpy(allocation_.data + offset, copy_.get() + offset, bytes);
  });
}

void TouchedMemory::keep_stored() const {
  if (allocation_.is_initialised) return;
  for_each_written([&](std::uint64_t offset, std::uint64_t bytes) { allocation_.mark_stored(offset, bytes); });
}

// ---- shared by the threads ----

SpreadState::SpreadState(std::uint64_t blocks, unsigned threads, std::uint32_t allocations,
                         const std::set<std::uint32_t>* tracked)
    : blocks_(blocks),
      threads_(threads),
      first_share_(share_of(blocks, threads)),
      next_(first_share_ * threads),
      tracked_(tracked),
      uses_(allocations) {}

void SpreadState::take_first(unsigned thread, std::uint64_t& first, std::uint64_t& end) const {
  first = thread * first_share_;
  end = first + first_share_;
}

bool SpreadState::take(std::uint64_t& first, std::uint64_t& end) {
  first = next_.load(std::memory_order_relaxed);
  do {
    if (first >= blocks_) return false;
    end = first + share_of(blocks_ - first, threads_);
  } while (!next_.compare_exchange_weak(first, end, std::memory_order_relaxed));
  return true;
}

bool SpreadState::use(std::uint32_t allocation, bool writes) {
  std::atomic<std::uint8_t>& uses = uses_[allocation];
  const std::uint8_t own = writes ? kWritten : kRead;
  if ((uses.load(std::memory_order_relaxed) & own) != 0) return true;
  // If one thread reads the allocation and another thread writes it, the second thread to arrive here finds the mark of
  // the first thread.
  const std::uint8_t before = uses.fetch_or(own, std::memory_order_relaxed);
  if ((before & ~own) == 0) return true;
  const std::lock_guard<std::mutex> lock(mutex_);
  untracked_.insert(allocation);
  fail();
  return false;
}

// ---- of one thread ----

bool Footprint::take(std::uint64_t& first, std::uint64_t& end) {
  if (has_begun_) return state_.take(first, end);
  has_begun_ = true;
  state_.take_first(thread_, first, end);
  return true;
}

bool Footprint::enter(Allocation& allocation, bool writes, TouchedMemory*& touched) {
  touched = nullptr;
  if (allocation.kind == AllocationKind::Constant) return true;
  const bool is_tracked = state_.is_tracked(allocation.number);
  if (!is_tracked && !state_.use(allocation.number, writes)) return false;
  if (!is_tracked && !writes) return true;
  const auto [place, is_new] = touched_.try_emplace(allocation.number, allocation, shift_, is_tracked);
  if (!place->second.is_made()) {
    state_.fail();
    return false;
  }
  touched = &place->second;
  return true;
}

bool Footprint::end_block() {
  bool is_fine = true;
  for (auto& [number, touched] : touched_) is_fine = touched.end_block() && is_fine;
  return is_fine;
}

bool Footprint::conflicts_with(const Footprint& other) const {
  return std::any_of(touched_.begin(), touched_.end(), [&](const auto& one) {
    const auto same = other.touched_.find(one.first);
    return same != other.touched_.end() && one.second.conflicts_with(same->second);
  });
}

void Footprint::keep_data() const {
  for (const auto& [number, touched] : touched_) touched.keep_data();
}

void Footprint::keep_stored() const {
  for (const auto& [number, touched] : touched_) touched.keep_stored();
}

}  // namespace ambit::virtual_gpu
