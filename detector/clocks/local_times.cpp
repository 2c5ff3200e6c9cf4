#include "detector/clocks/local_times.h"

namespace ambit::detector {

void LocalTimes::begin(std::uint32_t thread) {
  const auto [warp, block] = places_.of(thread);
  is_idle_[thread] = 0;
  if (now_[thread] != 0) {
    now_[thread] = std::max(now_[thread], std::max(warps_[warp].floor, blocks_[block].floor) + 1);
    note_action(warps_[warp], thread);
    note_action(blocks_[block], thread);
    return;
  }
  if (warp >= warps_.size()) warps_.resize(places_.warps());
  if (block >= blocks_.size()) blocks_.resize(places_.blocks());
  if (warps_[warp].threads.empty()) blocks_[block].warps.push_back(warp);
  warps_[warp].threads.push_back(thread);
  ++warps_[warp].acted;
  ++blocks_[block].acted;
  now_[thread] = std::max(warps_[warp].floor, blocks_[block].floor) + 1;
  // The group has a new thread. So no single thread represents the group until the group's next barrier.
  warps_[warp].sole = kSeveral;
  blocks_[block].sole = kSeveral;
}

void LocalTimes::begin_idle(std::uint32_t first, std::uint32_t lanes) {
  std::uint8_t* idle = is_idle_.data() + first;
  Epoch* now = now_.data() + first;
  const bool are_equal = lanes == ~0U && are_lanes_equal(first);
  bool all_acted = true;
  for (std::uint32_t rest = are_equal ? 1 : lanes; rest != 0; rest &= rest - 1) {
    all_acted &= now[std::countr_zero(rest)] != 0;
  }
  if (!all_acted) {
    for (; lanes != 0; lanes &= lanes - 1) begin(first + static_cast<std::uint32_t>(std::countr_zero(lanes)));
    return;
  }
  const auto [warp, block] = places_.known(first);
  const Epoch least = std::max(warps_[warp].floor, blocks_[block].floor) + 1;
  if (are_equal) {
    std::fill_n(now, 32, std::max(*now, least));
    std::fill_n(idle, 32, std::uint8_t{0});
  } else {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      now[lane] = std::max(now[lane], least);
      idle[lane] = 0;
    }
  }
  for (Group* group : {&warps_[warp], &blocks_[block]}) {
    if (std::has_single_bit(lanes)) {
      note_action(*group, first + static_cast<std::uint32_t>(std::countr_zero(lanes)));
    } else {
      group->sole = kSeveral;
    }
  }
}

void LocalTimes::exit(std::uint32_t thread) {
  const auto [warp, block] = places_.known(thread);
  ++warps_[warp].exited;
  ++blocks_[block].exited;
}

/// Returns whether the members of the barrier are all threads of a warp or of a block. Only then does the barrier pass
/// the past of the whole group to all its threads. The result is false if a thread of the group has exited, because an
/// exited thread does not take part.
LocalTimes::Whole LocalTimes::whole_group(const BarrierTracker::Completion& done) {
  if (!done.is_of_all) return Whole::None;
  const auto [warp, block] = places_.known(done.waiting.front());
  if (done.op == TraceOp::WarpBarrier) {
    const bool is_whole = warps_[warp].exited == 0 && warps_[warp].acted == done.waiting.size();
    return is_whole ? Whole::Warp : Whole::None;
  }
  if (done.level != Scope::Block) return Whole::None;
  const Group& group = blocks_[block];
  return group.exited == 0 && group.acted == done.waiting.size() ? Whole::Block : Whole::None;
}

void LocalTimes::pass_warp(std::uint32_t first, std::initializer_list<Relation> relations) {
  std::fill_n(now_.begin() + first, 32, top_ + 1);
  std::fill_n(is_idle_.begin() + first, 32, std::uint8_t{1});
  has_common_ = true;
  const auto [warp, block] = places_.known(first);
  blocks_[block].floor = std::max(blocks_[block].floor, top_);
  for (const Relation relation : relations) warps_[warp].common.*relation = top_;
  restart(warps_[warp]);
}

void LocalTimes::pass(const BarrierTracker::Completion& done, std::initializer_list<Relation> relations) {
  for (const std::uint32_t thread : done.waiting) now_[thread] = top_ + 1;
  if (whole_ == Whole::None) return;
  has_common_ = true;
  const auto [warp, block] = places_.known(done.waiting.front());
  blocks_[block].floor = std::max(blocks_[block].floor, top_);
  CommonPast& common = whole_ == Whole::Block ? blocks_[block].common : warps_[warp].common;
  for (const Relation relation : relations) common.*relation = top_;
  for (const std::uint32_t thread : done.waiting) is_idle_[thread] = 1;
  if (whole_ == Whole::Warp) return restart(warps_[warp]);
  restart(blocks_[block]);
  for (const std::uint32_t of_block : blocks_[block].warps) restart(warps_[of_block]);
}

}  // namespace ambit::detector
