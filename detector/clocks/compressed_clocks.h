#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace.h"
#include "detector/clocks/clock_bank.h"

namespace ambit::detector {

/// Vector clocks compressed along the hierarchy of threads (PreDataR, section 5.2). The entry of a block is one value
/// or an array of warps; the entry of a warp is one value or an array of lanes. The array of blocks is a tree of arrays
/// with 32 cells. Clocks share equal parts. So a copy costs nothing, an inactive thread shares its block's clock, and
/// all threads of a block share one clock after a barrier of the block.
///
/// With `kHasPatches`, a clock that differs from another clock in a few components is stored as a patch: the other
/// clock and these components. Patches arise, for example, when each lane acquires its own lock. A cache has the
/// results of the last joins. Patches are useful in launches, where the lanes of a warp make the same steps at the same
/// time. If threads act one by one, patches make each lock operation up to 1.8 times as expensive.
///
/// The class has the same functions as PlainClocks.
template <bool kHasPatches>
class ClocksOfGroups {
 public:
  static constexpr ClockId kZero = 0;
  static constexpr bool kCompresses = true;
  static constexpr Epoch kSeveral = ~Epoch{0};

  /// `tables.launch` must be set before the first call of reserve_threads().
  explicit ClocksOfGroups(const TraceTables& tables) : tables_(tables) {}

  void reserve_threads(std::size_t threads);

  /// Returns component `thread`. `owner` is the thread that owns the clock; kNoName without an owner. Lane-relative
  /// entries need the owner.
  Epoch at(ClockId id, std::uint32_t thread, std::uint32_t owner = kNoName) const {
    Epoch patched = 0;
    if (is_patch(id)) {
      const Patch& patch = patch_of(id);
      const bool is_of_lane = patch.has_lanes && owner != kNoName && same_lane(thread, owner);
      const std::uint32_t of_lanes = is_of_lane ? lanes_of(thread) : thread;
      for (std::uint32_t i = 0; i < patch.count; ++i) {
        if (patch.threads[i] == thread || patch.threads[i] == of_lanes) patched = std::max(patched, patch.epochs[i]);
      }
      id = patch.base;
    }
    const std::uint64_t slot = slots_[thread];
    for (unsigned level = height_; is_node(id);) {
      --level;
      id = cells(id)[(slot >> (kBits * level)) & kMask];
    }
    return std::max(id, patched);
  }
  /// For a clock that the lanes of a warp share: returns whether, for each lane i, the component of lane i of another
  /// warp is at least `epoch`. `warp` is the first thread of the other warp. The result true is always right; the
  /// result false may be wrong.
  bool covers_lanes(ClockId id, std::uint32_t warp, Epoch epoch) const {
    if (has_lanes(id)) {
      const Patch& patch = patch_of(id);
      for (std::uint32_t i = 0; i < patch.count; ++i) {
        if (patch.threads[i] == (warp | kOfLanes) && patch.epochs[i] >= epoch) return true;
      }
    }
    return covers_warp(id, warp, epoch);
  }
  /// Returns whether all components of the thread's warp are at least `epoch`. The result true is always right; the
  /// result false may be wrong.
  bool covers_warp(ClockId id, std::uint32_t thread, Epoch epoch) const {
    id = base_of(id);
    const std::uint64_t slot = slots_[thread];
    for (unsigned level = height_; is_node(id) && level > warp_level_;) {
      --level;
      id = cells(id)[(slot >> (kBits * level)) & kMask];
    }
    return !is_node(id) && id >= epoch;
  }
  /// Returns the common value of all components of the thread's warp, or kSeveral if the components may differ.
  Epoch number_of_warp(ClockId id, std::uint32_t thread) const {
    const std::uint64_t slot = slots_[thread];
    if (is_patch(id)) {
      const Patch& patch = patch_of(id);
      for (std::uint32_t i = 0; i < patch.count; ++i) {
        if ((slot_in(patch, i) ^ slot) >> (kBits * warp_level_) == 0) return kSeveral;
      }
      id = patch.base;
    }
    for (unsigned level = height_; is_node(id) && level > warp_level_;) {
      --level;
      id = cells(id)[(slot >> (kBits * level)) & kMask];
    }
    return is_node(id) ? kSeveral : id;
  }
  ClockId retain(ClockId id, std::uint32_t uses = 1) {
    if (is_node(id)) uses_of(id) += uses;
    return id;
  }
  void release(ClockId id, std::uint32_t uses = 1) {
    if (!is_node(id)) return;
    std::uint32_t& left = uses_of(id);
    left -= uses;
    if (left == 0) discard(id);
  }
  /// Returns the least upper bound of `into` and `from`. Lane-relative entries require `owner`, which owns
  /// both.
  ClockId joined(ClockId into, ClockId from, std::uint32_t owner = kNoName) {
    return kHasPatches ? joined_patches(into, from, owner) : join(into, from, height_, 0);
  }
  ClockId raised(ClockId into, std::uint32_t thread, Epoch epoch, std::uint32_t owner = kNoName) {
    if (kHasPatches) return raised_patch(into, thread, epoch, owner);
    return at(into, thread) >= epoch ? into : raise(into, height_, slots_[thread], 0, epoch);
  }
  /// Like joined(), for a sequence of joins. All clocks must remain valid until the last call. `base` keeps state from
  /// call to call; it is initially 0. A lane-relative entry of `from` applies to all lanes.
  ClockId joined_next(ClockId into, ClockId from, ClockId& base) {
    if (base_of(from) != base) into = joined(into, base = base_of(from));
    return is_patch(from) ? with_patch_of_all(into, from) : into;
  }

  // Functions for clocks of warps whose lanes make the same steps at the same time.

  /// Returns whether the clock has lane-relative entries.
  bool has_lanes(ClockId id) const { return is_patch(id) && patch_of(id).has_lanes; }
  /// Returns the thread's lane number. The result is meaningful only if clocks can have lane-relative entries.
  std::uint32_t lane_of(std::uint32_t thread) const { return static_cast<std::uint32_t>(slots_[thread] & kMask); }
  bool same_lane(std::uint32_t a, std::uint32_t b) const { return ((slots_[a] ^ slots_[b]) & kMask) == 0; }
  /// Returns the clock of `owner` with its lane-relative entries resolved. Takes over the reference to `id`.
  ClockId lane_independent(ClockId id, std::uint32_t owner) {
    return has_lanes(id) ? lane_independent_patch(id, owner) : id;
  }
  /// Returns the number of clocks that lane_independent() has replaced so far.
  std::uint32_t lane_independent_copies() const { return lane_independent_copies_; }
  /// For a clock that the lanes of a warp share: compares, for each lane i, `epoch` with the component of lane i of the
  /// warp of `thread`. Returns whether the result may differ between lanes.
  bool distinguishes_lanes(ClockId id, std::uint32_t thread, Epoch epoch) const;
  /// While `acts` is true, the lanes of a warp act one after the other and make equal
  /// steps.
  void set_acting_as_warp(bool acts) { acts_as_warp_ = kHasPatches && acts && warp_level_ == 1; }
  bool acts_as_warp() const { return kHasPatches && acts_as_warp_; }
  /// Joins `into`, the clock of `owner`, with an update by a thread with the same lane number. Other lanes with the
  /// same clock get the same result. Takes over the caller's reference to `into`.
  ClockId joined_lane(ClockId into, ClockUpdate update, std::uint32_t owner);

  /// Like joined_next(), but each component of the warp (or block) of `thread` may be too small: it is between the
  /// component of `into` and the component of the join.
  ClockId joined_beside(ClockId into, ClockId from, std::uint32_t thread, bool is_block);
  /// Returns whether the launch's shape is known. Without a known shape, clocks are trees over thread numbers.
  bool has_groups() const { return has_groups_; }
  /// Raises all components of the warp (or block) of `thread` to at least `epoch`. Takes over the reference to `into`.
  ClockId raised_warp(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raised_group(into, slots_[thread], warp_level_, epoch);
  }
  ClockId raised_block(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raised_group(into, slots_[thread], block_level_, epoch);
  }
  /// Like raised_warp(), except for the component of `thread` itself.
  ClockId raised_rest_of_warp(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raise_rest(whole(into), height_, slots_[thread], warp_level_, epoch);
  }
  ClockId raised_rest_of_block(ClockId into, std::uint32_t thread, Epoch epoch) {
    return raise_rest(whole(into), height_, slots_[thread], block_level_, epoch);
  }

  /// Returns the memory in use, in bytes.
  std::size_t memory() const;

 private:
  // A clock of a level is either one epoch below 2^31 for all its threads, or the number of an array of 32 clocks of
  // the next lower level, with bit kNode set. A thread's slot is its path in this tree, with 5 bits for each level. The
  // clock of the top level may be a patch: the patch's number with bits kNode and kPatch set.
  static constexpr ClockId kNode = 0x80000000U;
  static constexpr ClockId kPatch = 0x40000000U;
  static constexpr unsigned kBits = 5;
  static constexpr std::uint64_t kMask = 31;
  static constexpr std::size_t kFanOut = 32;
  static constexpr std::size_t kChunk = 256;
  using Cells = std::array<ClockId, kFanOut>;

  /// One level of the tree. The lanes of a warp, the warps of a block and the blocks each take up one or more levels.
  struct Level {
    std::uint64_t units = 1;  ///< number of units of the next lower level
    unsigned shift = 0;       ///< the first bit, in a slot, of the number of the level's unit
    bool is_lane = false;
  };

  /// The clock `base` with some components raised. `base` is not a patch.
  struct alignas(64) Patch {
    static constexpr std::uint32_t kMost = 14;
    ClockId base;
    std::uint32_t uses;
    std::uint16_t count;
    bool has_lanes;  ///< some entries are lane-relative
    /// A thread. For kOfLanes | first thread of a warp, the thread of this warp that has the owner's lane number.
    std::uint32_t threads[kMost];
    Epoch epochs[kMost];
  };
  static constexpr std::uint32_t kOfLanes = 0x80000000U;

  static bool is_node(ClockId id) { return (id & kNode) != 0; }
  static bool is_patch(ClockId id) { return kHasPatches && (id & (kNode | kPatch)) == (kNode | kPatch); }
  static std::uint32_t index(ClockId id) { return id & ~(kNode | kPatch); }
  Patch& patch_of(ClockId id) { return patch_chunks_[index(id) / kChunk][index(id) % kChunk]; }
  const Patch& patch_of(ClockId id) const { return patch_chunks_[index(id) / kChunk][index(id) % kChunk]; }
  ClockId base_of(ClockId id) const { return is_patch(id) ? patch_of(id).base : id; }
  std::uint32_t& uses_of(ClockId id) { return is_patch(id) ? patch_of(id).uses : uses_[index(id)]; }
  // Like retain() and release(), for clocks that are not patches, such as the clocks in arrays.
  ClockId retain_whole(ClockId id) {
    if (is_node(id)) ++uses_[index(id)];
    return id;
  }
  void release_whole(ClockId id) {
    if (is_node(id) && --uses_[index(id)] == 0) discard_array(id);
  }
  Cells& cells(ClockId id) { return chunks_[index(id) / kChunk][index(id) % kChunk]; }
  const Cells& cells(ClockId id) const { return chunks_[index(id) / kChunk][index(id) % kChunk]; }

  void lay_out();
  void add_levels(std::uint64_t units, bool is_lane);
  std::uint64_t slot_of(std::uint32_t thread) const;
  /// Returns the number of an array's cells that represent existing threads. `slot` is the slot of any thread of the
  /// array.
  std::size_t existing(unsigned level, std::uint64_t slot) const;

  ClockId take();
  void discard(ClockId id);
  void discard_array(ClockId id);
  std::uint64_t slot_in(const Patch& patch, std::uint32_t i) const { return slots_[patch.threads[i] & ~kOfLanes]; }
  std::uint32_t lanes_of(std::uint32_t thread) const { return (thread - lane_of(thread)) | kOfLanes; }
  ClockId lane_independent_patch(ClockId id, std::uint32_t owner);
  ClockId joined_patches(ClockId into, ClockId from, std::uint32_t owner);
  ClockId raised_patch(ClockId into, std::uint32_t thread, Epoch epoch, std::uint32_t owner);
  /// Like raised(); `entry` is an element of Patch::threads.
  ClockId raised_entry(ClockId into, std::uint32_t entry, Epoch epoch, std::uint32_t owner);
  ClockId with_entry(ClockId into, std::uint32_t entry, Epoch epoch, std::uint32_t owner) {
    if ((entry & kOfLanes) == 0) return raised_patch(into, entry, epoch, owner);
    return raised_entry(into, entry, epoch, owner);
  }
  /// Returns an empty patch on `base`. Takes over the reference to `base`.
  ClockId take_patch(ClockId base);
  /// Returns `id`, or a copy if `id` has other references. Takes over the reference to `id`.
  ClockId own_patch(ClockId id);
  /// Returns an equal clock that is not a patch. Takes over the reference to `id`.
  ClockId whole(ClockId id);
  /// Applies the patch `id` to `base`. Takes over the references to `id` and `base`.
  ClockId moved(ClockId id, ClockId base);
  ClockId with_patch(ClockId into, ClockId id, std::uint32_t owner) {
    const Patch& patch = patch_of(id);
    for (std::uint32_t i = 0; i < patch.count; ++i) into = with_entry(into, patch.threads[i], patch.epochs[i], owner);
    return into;
  }
  ClockId with_entry_of_all(ClockId into, const Patch& patch, std::uint32_t i) {
    if ((patch.threads[i] & kOfLanes) == 0) return raised(into, patch.threads[i], patch.epochs[i]);
    return raised_warp(into, patch.threads[i] & ~kOfLanes, patch.epochs[i]);
  }
  ClockId with_patch_of_all(ClockId into, ClockId id) {
    const Patch& patch = patch_of(id);
    for (std::uint32_t i = 0; i < patch.count; ++i) into = with_entry_of_all(into, patch, i);
    return into;
  }
  ClockId join_bases(ClockId into, ClockId from);
  /// Componentwise comparison of two clocks that are not patches.
  struct Order {
    bool is_above = true;  ///< each component of a is at least the same component of b
    bool is_below = true;
  };
  Order compare(ClockId a, ClockId b, unsigned level, std::uint64_t slot) const;
  bool is_above(const Patch& a, const Patch& b) const;
  /// Returns whether two clocks, which are not patches, are equal for all threads outside a group.
  bool are_same_beside(ClockId a, ClockId b, std::uint64_t slot, unsigned target) const;
  /// Returns an array that the caller may change. If `id` is a value, the array is filled with this value. If `id` is
  /// an array with other references, the result is a copy. Takes over the reference to `id`.
  ClockId own(ClockId id, unsigned level, std::uint64_t slot);
  ClockId join(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_cells(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_shared(ClockId into, ClockId from, unsigned level, std::uint64_t slot);
  ClockId join_value(ClockId into, Epoch value, unsigned level, std::uint64_t slot);
  ClockId raise(ClockId into, unsigned level, std::uint64_t slot, unsigned target, Epoch epoch);
  /// Returns `base` with the components of a group raised to at least `epoch`. The caller gets one reference.
  ClockId raised_base(ClockId base, std::uint64_t slot, unsigned target, Epoch epoch);
  ClockId raised_group(ClockId into, std::uint64_t slot, unsigned target, Epoch epoch);
  ClockId raise_rest(ClockId into, unsigned level, std::uint64_t slot, unsigned target, Epoch epoch);
  /// Returns the common value of the array's cells, or the array if its cells differ. Takes over the reference to `id`.
  ClockId compressed(ClockId id, unsigned level, std::uint64_t slot);

  const TraceTables& tables_;
  std::vector<Level> levels_;  ///< the levels, from the lanes to the blocks
  unsigned height_ = 0;
  bool has_groups_ = true;
  unsigned warp_level_ = 0;   ///< number of levels below a warp
  unsigned block_level_ = 0;  ///< number of levels below a block
  std::uint64_t warps_ = 1;   ///< number of warps in a block
  std::vector<std::uint64_t> slots_;
  std::vector<std::unique_ptr<Cells[]>> chunks_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> free_;
  std::vector<std::unique_ptr<Patch[]>> patch_chunks_;
  std::uint32_t patches_ = 0;  ///< number of patches created so far
  std::vector<std::uint32_t> free_patches_;
  /// Cache of the last joins of shared clocks. Other lanes repeat these joins. Each entry holds one reference to each
  /// of its clocks.
  struct CachedJoin {
    ClockId a = 0;
    ClockId b = 0;
    ClockId joint = 0;
  };
  std::array<CachedJoin, 4> cached_joins_;
  std::size_t next_join_ = 0;
  /// Cache of the last raised_base() calls.
  struct CachedRaise {
    ClockId base = 0;
    unsigned target = 0;
    Epoch epoch = 0;
    std::uint64_t slot = 0;
    ClockId made = 0;
  };
  std::array<CachedRaise, 4> cached_raises_;
  std::size_t next_raise_ = 0;
  /// Cache of the last joined_lane() calls. `update.thread`: kOfLanes | first thread of the warp.
  struct CachedUpdate {
    ClockId into = 0;
    ClockUpdate update;
    ClockId made = 0;
  };
  std::array<CachedUpdate, 8> cached_updates_;
  std::size_t next_update_ = 0;
  bool acts_as_warp_ = false;
  std::uint32_t lane_independent_copies_ = 0;  ///< see lane_independent_copies()
};

using CompressedClocks = ClocksOfGroups<false>;
/// Clocks for launches.
using PatchedClocks = ClocksOfGroups<true>;

extern template class ClocksOfGroups<false>;
extern template class ClocksOfGroups<true>;

}  // namespace ambit::detector
