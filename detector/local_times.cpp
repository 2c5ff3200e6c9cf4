#include "detector/local_times.h"

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
  // Until its next barrier with all others nobody speaks for a group that it has joined.
  warps_[warp].sole = kSeveral;
  blocks_[block].sole = kSeveral;
}

void LocalTimes::begin_warp(std::uint32_t first) {
  std::uint8_t* idle = is_idle_.data() + first;
  Epoch* now = now_.data() + first;
  std::uint32_t count = 0;
  std::uint32_t last = 0;
  bool have_acted = true;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    have_acted &= now[lane] != 0;
    count += idle[lane];
    last = idle[lane] != 0 ? lane : last;
  }
  if (!have_acted) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if (idle[lane] != 0) begin(first + lane);
    }
    return;
  }
  const auto [warp, block] = places_.known(first);
  const Epoch least = std::max(warps_[warp].floor, blocks_[block].floor) + 1;
  for (std::size_t lane = 0; lane < 32; ++lane) now[lane] = std::max(now[lane], idle[lane] != 0 ? least : 0);
  std::memset(idle, 0, 32);
  for (Group* group : {&warps_[warp], &blocks_[block]}) {
    if (count == 1) {
      note_action(*group, first + last);
    } else if (count != 0) {
      group->sole = kSeveral;
    }
  }
}

void LocalTimes::exit(std::uint32_t thread) {
  const auto [warp, block] = places_.known(thread);
  ++warps_[warp].exited;
  ++blocks_[block].exited;
  ++blocks_[block].unmet;
}

/// A barrier without some thread of the group that has acted or will, even an exited one that it does not include, does
/// not make the group's past known.
LocalTimes::Whole LocalTimes::whole_group(const BarrierTracker::Completion& done) {
  if (!done.is_of_all) return Whole::None;
  const auto [warp, block] = places_.known(done.waiting.front());
  if (done.op == TraceOp::WarpBarrier) {
    const bool is_whole = warps_[warp].exited == 0 && warps_[warp].acted == done.waiting.size();
    return is_whole ? Whole::Warp : Whole::None;
  }
  if (done.level != Scope::Block) return Whole::None;
  Group& group = blocks_[block];
  group.unmet -= static_cast<std::uint32_t>(done.exited.size());
  return group.unmet == 0 && group.acted - group.exited == done.waiting.size() ? Whole::Block : Whole::None;
}

void LocalTimes::pass(const BarrierTracker::Completion& done, std::initializer_list<Relation> relations) {
  for (const std::uint32_t thread : done.waiting) now_[thread] = top_ + 1;
  if (whole_ == Whole::None) return;
  has_common_ = true;
  const auto [warp, block] = places_.known(done.waiting.front());
  blocks_[block].floor = std::max(blocks_[block].floor, top_);
  CommonPast& common = whole_ == Whole::Block ? blocks_[block].common : warps_[warp].common;
  for (const Relation relation : relations) common.*relation = top_;
  const auto restart = [&](Group& group) {
    group.sole = kNoName;
    group.sole_since = top_;
  };
  for (const std::uint32_t thread : done.waiting) is_idle_[thread] = 1;
  if (whole_ == Whole::Warp) return restart(warps_[warp]);
  restart(blocks_[block]);
  for (const std::uint32_t of_block : blocks_[block].warps) restart(warps_[of_block]);
}

}  // namespace ambit::detector
