#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace.h"
#include "detector/clock_bank.h"

namespace ambit::detector {

/// Vector clocks compressed along the hierarchy of threads (PreDataR, section 5.2): an entry stands for a block, and is
/// one value or an array of entries of warps, each of which is one value or an array of lanes. The array of blocks is
/// itself a tree of arrays of 32, and clocks share common parts: a copy costs nothing, an inactive thread shares the
/// clock of its block, and after a barrier of a block all its threads share one clock.
///
/// Has the functions of PlainClocks.
class CompressedClocks {
 public:
  static constexpr ClockId kZero = 0;
  static constexpr bool kCompresses = true;

  /// The launch of `tables` must be known before the first call of reserve_threads().
  explicit CompressedClocks(const TraceTables& tables) : tables_(tables) {}

  void reserve_threads(std::size_t threads);

  Epoch at(ClockId id, std::uint32_t thread) const {
    const std::uint64_t slot = slots_[thread];
    for (unsigned level = height_; is_node(id);) {
      --level;
      id = cells(id)[(slot >> (kBits * level)) & kMask];
    }
    return id;
  }
  /// Whether all components of the thread's warp are one number that is at least `epoch`.
  bool knows_warp(ClockId id, std::uint32_t thread, Epoch epoch) const {
    const std::uint64_t slot = slots_[thread];
    for (unsigned level = height_; is_node(id) && level > warp_level_;) {
      --level;
      id = cells(id)[(slot >> (kBits * level)) & kMask];
    }
    return !is_node(id) && id >= epoch;
  }
  ClockId retain(ClockId id) {
    if (is_node(id)) ++uses_[index(id)];
    return id;
  }
  void release(ClockId id) {
    if (is_node(id) && --uses_[index(id)] == 0) discard(id);
  }
  ClockId joined(ClockId into, ClockId from) { return join(into, from, height_, 0); }
  ClockId raised(ClockId into, std::uint32_t thread, Epoch epoch) {
    if (at(into, thread) >= epoch) return into;
    return raise(into, height_, slots_[thread], 0, epoch);
  }
  /// False: the number and shape of the threads are unknown; clocks are trees over thread numbers.
  bool has_groups() const { return has_groups_; }
  /// All components of the warp, or of the block, of `thread` at least `epoch`. Takes over the caller's use of `into`.
  ClockId raised_warp(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raised_group(into, slots_[thread], warp_level_, epoch);
  }
  ClockId raised_block(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raised_group(into, slots_[thread], block_level_, epoch);
  }
  /// The same without the component of `thread` itself.
  ClockId raised_rest_of_warp(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raise_rest(into, height_, slots_[thread], warp_level_, epoch);
  }
  ClockId raised_rest_of_block(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raise_rest(into, height_, slots_[thread], block_level_, epoch);
  }

  /// Bytes held.
  std::size_t memory() const;
  /// Arrays in use: what the clocks take, in units of 128 bytes.
  std::size_t nodes() const { return uses_.size() - free_.size(); }

 private:
  // A clock is an epoch below 2^31 for all its threads, or kNode and the number of an array of 32 clocks of the level
  // below. A thread's slot is its path: 5 bits a level.
  static constexpr ClockId kNode = 0x80000000U;
  static constexpr unsigned kBits = 5;
  static constexpr std::uint64_t kMask = 31;
  static constexpr std::size_t kFanOut = 32;
  static constexpr std::size_t kChunk = 256;
  using Cells = std::array<ClockId, kFanOut>;

  /// How the units of one kind (lanes of a warp, warps of a block, blocks) are spread over levels.
  struct Level {
    std::uint64_t units = 1;  ///< of the level below, in all
    unsigned shift = 0;       ///< of the part of a slot that numbers the units of this kind
    bool is_lane = false;
  };

  static bool is_node(ClockId id) { return (id & kNode) != 0; }
  static std::uint32_t index(ClockId id) { return id & ~kNode; }
  Cells& cells(ClockId id) { return chunks_[index(id) / kChunk][index(id) % kChunk]; }
  const Cells& cells(ClockId id) const { return chunks_[index(id) / kChunk][index(id) % kChunk]; }

  void lay_out();
  void add_levels(std::uint64_t units, bool is_lane);
  std::uint64_t slot_of(std::uint32_t thread) const;
  /// How many cells of an array stand for threads that exist. `slot`: of any thread below it.
  std::size_t existing(unsigned level, std::uint64_t slot) const;

  ClockId take();
  void discard(ClockId id);
  /// An array of `value`, or a copy of an array that others use too. Takes over the use of `id`.
  ClockId own(ClockId id, unsigned level, std::uint64_t slot);
  ClockId join(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_cells(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_shared(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_value(ClockId into, Epoch value, unsigned level, std::uint64_t slot);
  ClockId raise(ClockId into, unsigned level, std::uint64_t slot, unsigned target, Epoch epoch);
  ClockId raised_group(ClockId into, std::uint64_t slot, unsigned target, Epoch epoch);
  ClockId raise_rest(ClockId into, unsigned level, std::uint64_t slot, unsigned target, Epoch epoch);
  /// The one value of an array whose cells are all the same. Takes over the use of `id`.
  ClockId compressed(ClockId id, unsigned level, std::uint64_t slot);

  const TraceTables& tables_;
  std::vector<Level> levels_;  ///< from the lanes up
  unsigned height_ = 0;
  bool has_groups_ = true;
  unsigned warp_level_ = 0;   ///< levels below a warp
  unsigned block_level_ = 0;  ///< levels below a block
  std::uint64_t warps_ = 1;   ///< of a block
  std::vector<std::uint64_t> slots_;
  std::vector<std::unique_ptr<Cells[]>> chunks_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> free_;
};

}  // namespace ambit::detector
