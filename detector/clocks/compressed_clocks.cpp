#include "detector/clocks/compressed_clocks.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace ambit::detector {

// ---- the tree's shape ----

template <bool kHasPatches>
void ClocksOfGroups<kHasPatches>::reserve_threads(std::size_t threads) {
  if (slots_.empty()) lay_out();
  for (std::size_t t = slots_.size(); t < threads; ++t) slots_.push_back(slot_of(static_cast<std::uint32_t>(t)));
}

template <bool kHasPatches>
void ClocksOfGroups<kHasPatches>::add_levels(std::uint64_t units, bool is_lane) {
  const auto shift = static_cast<unsigned>(kBits * levels_.size());
  for (; units > 1; units = (units + kMask) / kFanOut) levels_.push_back({units, shift, is_lane});
}

template <bool kHasPatches>
void ClocksOfGroups<kHasPatches>::lay_out() {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 32U;
  const LaunchGeometry& launch = tables_.launch;
  const std::uint64_t threads = launch.threads_per_block();
  const std::uint64_t blocks = launch.blocks() * launch.gpus;
  has_groups_ = threads != 0 && blocks <= kMany;
  if (has_groups_) {
    warps_ = (threads + launch.warp - 1) / launch.warp;
    add_levels(std::min<std::uint64_t>(launch.warp, threads), true);
    warp_level_ = static_cast<unsigned>(levels_.size());
    add_levels(warps_, false);
    block_level_ = static_cast<unsigned>(levels_.size());
  }
  add_levels(has_groups_ ? blocks : kMany, false);
  height_ = static_cast<unsigned>(levels_.size());
}

template <bool kHasPatches>
std::uint64_t ClocksOfGroups<kHasPatches>::slot_of(std::uint32_t thread) const {
  if (!has_groups_) return thread;
  const ThreadPlace& place = tables_.threads()[thread].place;
  const std::uint64_t block =
      static_cast<std::uint64_t>(place.gpu) * tables_.launch.blocks() + static_cast<std::uint64_t>(place.block);
  return (block << (kBits * block_level_)) | (static_cast<std::uint64_t>(place.warp) << (kBits * warp_level_)) |
         static_cast<std::uint64_t>(place.lane);
}

template <bool kHasPatches>
std::size_t ClocksOfGroups<kHasPatches>::existing(unsigned level, std::uint64_t slot) const {
  const Level& shape = levels_[level - 1];
  std::uint64_t units = shape.units;
  if (shape.is_lane && warps_ > 1) {
    // The last warp of a block may have fewer lanes.
    const std::uint64_t warp =
        (slot >> (kBits * warp_level_)) & ((std::uint64_t{1} << (kBits * (block_level_ - warp_level_))) - 1);
    const std::uint64_t width = tables_.launch.warp;
    const std::uint64_t threads = tables_.launch.threads_per_block();
    units = std::min(width, threads - std::min(threads, warp * width));
    for (unsigned below = 1; below < level; ++below) units = (units + kMask) / kFanOut;
  }
  const unsigned above = level * kBits;
  const unsigned kind_bits = shape.is_lane                        ? kBits * warp_level_
                             : shape.shift < kBits * block_level_ ? kBits * block_level_
                                                                  : kBits * height_;
  const std::uint64_t number =
      above >= kind_bits ? 0 : (slot >> above) & ((std::uint64_t{1} << (kind_bits - above)) - 1);
  const std::uint64_t before = number * kFanOut;
  return static_cast<std::size_t>(std::min<std::uint64_t>(kFanOut, units > before ? units - before : 1));
}

// ---- arrays ----

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::take() {
  if (free_.empty()) {
    const auto number = static_cast<std::uint32_t>(uses_.size());
    AMBIT_ASSERT(number < kPatch);
    if (number % kChunk == 0) chunks_.push_back(std::make_unique<Cells[]>(kChunk));
    uses_.push_back(1);
    return number | kNode;
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  uses_[number] = 1;
  return number | kNode;
}

template <bool kHasPatches>
void ClocksOfGroups<kHasPatches>::discard(ClockId id) {
  if (!is_patch(id)) return discard_array(id);
  release_whole(patch_of(id).base);
  free_patches_.push_back(index(id));
}

template <bool kHasPatches>
void ClocksOfGroups<kHasPatches>::discard_array(ClockId id) {
  for (const ClockId cell : cells(id)) release_whole(cell);
  free_.push_back(index(id));
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::own(ClockId id, unsigned level, std::uint64_t slot) {
  if (is_node(id) && uses_[index(id)] == 1) return id;
  const ClockId result = take();
  Cells& to = cells(result);
  if (!is_node(id)) {
    const std::size_t count = existing(level, slot);
    std::fill_n(to.begin(), count, id);
    std::fill(to.begin() + static_cast<std::ptrdiff_t>(count), to.end(), 0);
    return result;
  }
  to = cells(id);
  for (const ClockId cell : to) retain_whole(cell);
  --uses_[index(id)];
  return result;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::compressed(ClockId id, unsigned level, std::uint64_t slot) {
  const Cells& own = cells(id);
  const ClockId first = own[0];
  if (is_node(first) || (own[1] != first && own[1] != 0)) return id;
  const std::size_t count = existing(level, slot);
  for (std::size_t i = 1; i < count; ++i) {
    if (own[i] != first) return id;
  }
  release_whole(id);
  return first;
}

// ---- patches ----
//
// If the lanes of a warp make the same steps at the same time, each with its own lock, lane i synchronises with lane i
// of other warps. So an entry of a patch may be lane-relative: it gives the time of that thread of another warp that
// has the owner's lane number. Then all lanes can share one clock, but a lookup must name the owner. Without the owner,
// the clock is ambiguous. So the entries become lane-independent before a thread of another lane joins the clock, and
// before clocks of several owners are joined.

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::take_patch(ClockId base) {
  std::uint32_t number = patches_;
  if (free_patches_.empty()) {
    AMBIT_ASSERT(number < kPatch);
    if (number % kChunk == 0) patch_chunks_.push_back(std::make_unique<Patch[]>(kChunk));
    ++patches_;
  } else {
    number = free_patches_.back();
    free_patches_.pop_back();
  }
  const ClockId id = number | kNode | kPatch;
  Patch& made = patch_of(id);
  made.base = base;
  made.uses = 1;
  made.count = 0;
  made.has_lanes = false;
  return id;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::own_patch(ClockId id) {
  Patch& from = patch_of(id);
  if (from.uses == 1) return id;
  const ClockId result = take_patch(retain(from.base));
  Patch& made = patch_of(result);
  made = from;  // valid, because take_patch() does not move existing patches
  made.uses = 1;
  --from.uses;
  return result;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::whole(ClockId id) {
  if (!is_patch(id)) return id;
  const Patch& patch = patch_of(id);
  ClockId made = retain(patch.base);
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    made = raise(made, height_, slots_[patch.threads[i]], 0, patch.epochs[i]);
  }
  release(id);
  return made;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::moved(ClockId id, ClockId base) {
  const Patch& patch = patch_of(id);
  // All entries of the old patch fit into the new patch. So lane-relative entries need no owner here.
  for (std::uint32_t i = 0; i < patch.count; ++i) base = with_entry(base, patch.threads[i], patch.epochs[i], kNoName);
  release(id);
  return base;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raised_patch(ClockId into, std::uint32_t thread, Epoch epoch,
                                                  std::uint32_t owner) {
  // Do not pass an owner to at(), because other lanes may get the same clock.
  return at(into, thread) >= epoch ? into : raised_entry(into, thread, epoch, owner);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raised_entry(ClockId into, std::uint32_t entry, Epoch epoch, std::uint32_t owner) {
  AMBIT_ASSERT(epoch < kNode);
  const bool is_of_lanes = (entry & kOfLanes) != 0;
  if (is_patch(into)) {
    const Patch& patch = patch_of(into);
    const auto* found = std::find(patch.threads, patch.threads + patch.count, entry);
    const auto i = static_cast<std::uint32_t>(found - patch.threads);
    if (i < patch.count && patch.epochs[i] >= epoch) return into;
    if (i < Patch::kMost) {
      into = own_patch(into);
      Patch& own = patch_of(into);
      own.threads[i] = entry;
      own.epochs[i] = epoch;
      own.count = static_cast<std::uint16_t>(std::max<std::uint32_t>(own.count, i + 1));
      own.has_lanes |= is_of_lanes;
      return into;
    }
    into = whole(lane_independent(into, owner));
    if (is_of_lanes) {
      ++lane_independent_copies_;
      entry = (entry & ~kOfLanes) + lane_of(owner);
    }
  } else if (is_of_lanes || !is_node(into) || uses_[index(into)] > 1) {
    into = take_patch(into);
    Patch& own = patch_of(into);
    own.threads[0] = entry;
    own.epochs[0] = epoch;
    own.count = 1;
    own.has_lanes = is_of_lanes;
    return into;
  }
  return raise(into, height_, slots_[entry], 0, epoch);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::lane_independent_patch(ClockId id, std::uint32_t owner) {
  AMBIT_ASSERT(owner != kNoName);
  ++lane_independent_copies_;
  const Patch& from = patch_of(id);
  ClockId made = take_patch(retain(from.base));
  for (std::uint32_t i = 0; i < from.count; ++i) {
    const std::uint32_t entry = from.threads[i];
    const std::uint32_t thread = (entry & kOfLanes) == 0 ? entry : (entry & ~kOfLanes) + lane_of(owner);
    made = raised_patch(made, thread, from.epochs[i], kNoName);
  }
  release(id);
  return made;
}

template <bool kHasPatches>
bool ClocksOfGroups<kHasPatches>::distinguishes_lanes(ClockId id, std::uint32_t thread, Epoch epoch) const {
  const std::uint64_t slot = slots_[thread];
  std::uint32_t lanes = 0;  // bits of lanes whose component is at least `epoch`; lane-relative entries are equal for
                            // all lanes
  if (is_patch(id)) {
    const Patch& patch = patch_of(id);
    for (std::uint32_t i = 0; i < patch.count; ++i) {
      if ((patch.threads[i] & kOfLanes) != 0 || patch.epochs[i] < epoch) continue;
      const std::uint64_t other = slots_[patch.threads[i]];
      if ((other ^ slot) >> (kBits * warp_level_) == 0) lanes |= 1U << (other & kMask);
    }
    id = patch.base;
  }
  for (unsigned level = height_; is_node(id) && level > warp_level_;) {
    --level;
    id = cells(id)[(slot >> (kBits * level)) & kMask];
  }
  if (!is_node(id)) return id < epoch && lanes != 0 && lanes != ~0U;
  const Cells& components = cells(id);
  for (std::uint32_t lane = 0; lane < kFanOut; ++lane) lanes |= (components[lane] >= epoch ? 1U : 0U) << lane;
  return lanes != 0 && lanes != ~0U;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::joined_lane(ClockId into, ClockUpdate update, std::uint32_t owner) {
  const std::uint32_t source = update.thread;
  update.thread = lanes_of(source);
  for (const CachedUpdate& known : cached_updates_) {
    if (known.into != into || known.made == 0 || known.update != update) continue;
    release(into);
    return retain(known.made);
  }
  CachedUpdate made{retain(into), update, 0};
  const std::uint32_t before = lane_independent_copies_;
  into = joined(into, update.from, owner);
  if (update.block != 0) into = raised_block(into, source, update.block);
  if (update.warp != 0) into = raised_warp(into, source, update.warp);
  if (update.now != 0) into = raised_entry(into, update.thread, update.now, owner);
  if (lane_independent_copies_ != before) {  // the result is valid only for this lane
    release(made.into);
    return into;
  }
  retain(update.from);
  made.made = retain(into);
  std::swap(made, cached_updates_[next_update_]);
  next_update_ = (next_update_ + 1) % cached_updates_.size();
  for (const ClockId id : {made.into, made.update.from, made.made}) release(id);
  return into;
}

template <bool kHasPatches>
bool ClocksOfGroups<kHasPatches>::is_above(const Patch& a, const Patch& b) const {
  for (std::uint32_t i = 0; i < b.count; ++i) {
    const auto* found = std::find(a.threads, a.threads + a.count, b.threads[i]);
    if (found == a.threads + a.count || a.epochs[found - a.threads] < b.epochs[i]) return false;
  }
  return true;
}

// ---- joins ----

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::joined_patches(ClockId into, ClockId from, std::uint32_t owner) {
  if (into == from || from == 0) return into;
  if (into == 0) return retain(from);
  if (!is_patch(into) && !is_patch(from)) return join_bases(into, from);
  const ClockId base = base_of(from);
  const bool is_patched = is_patch(into);
  const ClockId own_base = base_of(into);
  if (own_base != base) {
    const ClockId joint = join_bases(is_patched ? retain(own_base) : into, base);
    into = is_patched ? moved(into, joint) : joint;
  } else if (!is_patched || (is_patch(from) && is_above(patch_of(from), patch_of(into)))) {
    release(into);
    return retain(from);
  }
  return is_patch(from) ? with_patch(into, from, owner) : into;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::join_bases(ClockId into, ClockId from) {
  if (into == from || !is_node(into) || !is_node(from) || uses_[index(into)] == 1) {
    return join(into, from, height_, 0);
  }
  for (const CachedJoin& known : cached_joins_) {
    if (known.a != into || known.b != from) continue;
    release(into);
    return retain(known.joint);
  }
  CachedJoin made{retain(into), retain(from), 0};
  // Usually the join equals one of the two clocks. The comparison detects this case without changing an array.
  const Order order = compare(into, from, height_, 0);
  if (order.is_below) {
    release(into);
    made.joint = retain(from);
  } else {
    made.joint = order.is_above ? into : join(into, from, height_, 0);
  }
  const ClockId joint = retain(made.joint);
  std::swap(made, cached_joins_[next_join_]);
  next_join_ = (next_join_ + 1) % cached_joins_.size();
  for (const ClockId id : {made.a, made.b, made.joint}) release(id);
  return joint;
}

template <bool kHasPatches>
typename ClocksOfGroups<kHasPatches>::Order ClocksOfGroups<kHasPatches>::compare(ClockId a, ClockId b, unsigned level,
                                                                                 std::uint64_t slot) const {
  if (a == b) return {};
  if (!is_node(a) && !is_node(b)) return {a > b, a < b};
  Order all;
  std::uint32_t different = 0;
  if (!is_node(a) || !is_node(b)) {
    different = ~0U >> (kFanOut - existing(level, slot));
  } else {
    const Comparison kinds = compare_cells(cells(a).data(), cells(b).data());
    if (kinds.are_values) return {kinds.is_above, kinds.is_below};
    different = kinds.different;
  }
  const Cells* of_a = is_node(a) ? &cells(a) : nullptr;
  const Cells* of_b = is_node(b) ? &cells(b) : nullptr;
  for (; different != 0 && (all.is_above || all.is_below); different &= different - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(different));
    const ClockId x = of_a == nullptr ? a : (*of_a)[i];
    const ClockId y = of_b == nullptr ? b : (*of_b)[i];
    if (x == y) continue;
    const Order one =
        is_node(x) || is_node(y) ? compare(x, y, level - 1, slot | (i << (kBits * (level - 1)))) : Order{x > y, x < y};
    all.is_above &= one.is_above;
    all.is_below &= one.is_below;
  }
  return all;
}

template <bool kHasPatches>
bool ClocksOfGroups<kHasPatches>::are_same_beside(ClockId a, ClockId b, std::uint64_t slot, unsigned target) const {
  for (unsigned level = height_; a != b && level > target; --level) {
    if (!is_node(a) || !is_node(b)) return false;
    const std::size_t inside = (slot >> (kBits * (level - 1))) & kMask;
    const Cells& of_a = cells(a);
    const Cells& of_b = cells(b);
    std::uint32_t different = 0;
    for (std::size_t i = 0; i < kFanOut; ++i) different |= (of_a[i] ^ of_b[i]) & (i == inside ? 0U : ~0U);
    if (different != 0) return false;
    a = of_a[inside];
    b = of_b[inside];
  }
  return true;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::joined_beside(ClockId into, ClockId from, std::uint32_t thread, bool is_block) {
  if (into == 0) into = retain(base_of(from));
  const unsigned target = is_block ? block_level_ : warp_level_;
  const std::uint64_t slot = slots_[thread];
  const ClockId base = base_of(from);
  if (!are_same_beside(base_of(into), base, slot, target)) into = joined(into, base);
  if (!is_patch(from)) return into;
  const Patch& patch = patch_of(from);
  for (std::uint32_t i = 0; i < patch.count; ++i) {
    if ((slot_in(patch, i) ^ slot) >> (kBits * target) == 0) continue;
    into = with_entry_of_all(into, patch, i);
  }
  return into;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::join(ClockId into, ClockId from, unsigned level, std::uint64_t slot) {
  if (into == from || from == 0) return into;
  if (into == 0) return retain_whole(from);
  if (!is_node(from)) return join_value(into, from, level, slot);
  if (!is_node(into)) return join_value(retain_whole(from), into, level, slot);
  return uses_[index(into)] == 1 ? join_cells(into, from, level, slot) : join_shared(into, from, level, slot);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::join_value(ClockId into, Epoch value, unsigned level, std::uint64_t slot) {
  if (!is_node(into)) return std::max(into, value);
  AMBIT_ASSERT(level > 0);
  const Cells& before = cells(into);
  const std::size_t count = existing(level, slot);
  const bool is_above = std::all_of(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count),
                                    [&](ClockId cell) { return !is_node(cell) && cell >= value; });
  if (is_above) return into;
  into = own(into, level, slot);
  Cells& to = cells(into);
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = join_value(to[i], value, level - 1, slot | (i << (kBits * (level - 1))));
  }
  return compressed(into, level, slot);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::join_cells(ClockId into, ClockId from, unsigned level, std::uint64_t slot) {
  Cells& to = cells(into);
  const Cells& other = cells(from);
  Comparison kinds = compare_cells(to.data(), other.data());
  if (kinds.are_values) {
    if (kinds.is_above) return into;
    if (!kinds.is_below) {
      join_clock(to.data(), to.data(), other.data(), kFanOut);
      return compressed(into, level, slot);
    }
  } else {
    kinds.is_below = true;
    for (std::uint32_t rest = kinds.different; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      to[i] = join(to[i], other[i], level - 1, slot | (i << (kBits * (level - 1))));
      kinds.is_below &= to[i] == other[i];
    }
  }
  if (!kinds.is_below) return compressed(into, level, slot);
  release_whole(into);
  return retain_whole(from);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::join_shared(ClockId into, ClockId from, unsigned level, std::uint64_t slot) {
  const Cells& before = cells(into);
  const Cells& other = cells(from);
  const Comparison kinds = compare_cells(before.data(), other.data());
  if (kinds.are_values) {
    if (kinds.is_above) return into;
    ClockId id = from;
    if (kinds.is_below) {
      retain_whole(from);
    } else {
      id = take();
      join_clock(cells(id).data(), before.data(), other.data(), kFanOut);
      id = compressed(id, level, slot);
    }
    --uses_[index(into)];
    return id;
  }
  Cells result = before;
  Order order;
  for (std::uint32_t rest = kinds.different; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    result[i] = join(retain_whole(before[i]), other[i], level - 1, slot | (i << (kBits * (level - 1))));
    order.is_above &= result[i] == before[i];
    order.is_below &= result[i] == other[i];
  }
  if (order.is_above || order.is_below) {
    for (std::uint32_t rest = kinds.different; rest != 0; rest &= rest - 1) {
      release_whole(result[static_cast<std::size_t>(std::countr_zero(rest))]);
    }
    if (order.is_above) return into;
    release_whole(into);
    return retain_whole(from);
  }
  for (std::uint32_t rest = ~kinds.different; rest != 0; rest &= rest - 1) {
    retain_whole(result[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  const ClockId id = take();
  cells(id) = result;
  --uses_[index(into)];
  return compressed(id, level, slot);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raise(ClockId into, unsigned level, std::uint64_t slot, unsigned target,
                                           Epoch epoch) {
  AMBIT_ASSERT(epoch < kNode);
  if (level == target) return join_value(into, epoch, level, slot >> (kBits * level) << (kBits * level));
  if (!is_node(into) && into >= epoch) return into;
  into = own(into, level, slot);
  Cells& to = cells(into);
  const std::size_t i = (slot >> (kBits * (level - 1))) & kMask;
  to[i] = raise(to[i], level - 1, slot, target, epoch);
  return is_node(to[i]) ? into : compressed(into, level, slot);
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raised_group(ClockId into, std::uint64_t slot, unsigned target, Epoch epoch) {
  ClockId known = base_of(into);
  for (unsigned level = height_; level > target && is_node(known);) {
    --level;
    known = cells(known)[(slot >> (kBits * level)) & kMask];
  }
  if (!is_node(known) && known >= epoch) return into;
  if (is_patch(into)) return moved(into, raised_base(base_of(into), slot, target, epoch));
  if (!kHasPatches || !is_node(into) || uses_[index(into)] == 1) return raise(into, height_, slot, target, epoch);
  const ClockId made = raised_base(into, slot, target, epoch);
  release(into);
  return made;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raised_base(ClockId base, std::uint64_t slot, unsigned target, Epoch epoch) {
  const std::uint64_t group = slot >> (kBits * target);
  for (const CachedRaise& known : cached_raises_) {
    if (known.base == base && known.made != 0 && known.slot == group && known.target == target &&
        known.epoch == epoch) {
      return retain_whole(known.made);
    }
  }
  CachedRaise made{retain_whole(base), target, epoch, group, 0};
  made.made = raise(retain_whole(base), height_, slot, target, epoch);
  const ClockId result = retain_whole(made.made);
  std::swap(made, cached_raises_[next_raise_]);
  next_raise_ = (next_raise_ + 1) % cached_raises_.size();
  release_whole(made.base);
  release_whole(made.made);
  return result;
}

template <bool kHasPatches>
ClockId ClocksOfGroups<kHasPatches>::raise_rest(ClockId into, unsigned level, std::uint64_t slot, unsigned target,
                                                Epoch epoch) {
  if (level == 0 || (!is_node(into) && into >= epoch)) return into;
  into = own(into, level, slot >> (kBits * level) << (kBits * level));
  Cells& to = cells(into);
  const std::size_t i = (slot >> (kBits * (level - 1))) & kMask;
  to[i] = raise_rest(to[i], level - 1, slot, target, epoch);
  if (level <= target) {
    const std::uint64_t base = slot >> (kBits * level) << (kBits * level);
    const std::size_t count = existing(level, base);
    for (std::size_t other = 0; other < count; ++other) {
      if (other != i) to[other] = join_value(to[other], epoch, level - 1, base | (other << (kBits * (level - 1))));
    }
  }
  return compressed(into, level, slot);
}

template <bool kHasPatches>
std::size_t ClocksOfGroups<kHasPatches>::memory() const {
  return chunks_.size() * (kChunk * sizeof(Cells) + sizeof(chunks_[0])) +
         patch_chunks_.size() * (kChunk * sizeof(Patch) + sizeof(patch_chunks_[0])) +
         (uses_.capacity() + free_.capacity()) * sizeof(std::uint32_t) + slots_.capacity() * sizeof(std::uint64_t);
}

template class ClocksOfGroups<false>;
template class ClocksOfGroups<true>;

}  // namespace ambit::detector
