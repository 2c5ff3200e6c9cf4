#include "detector/local_times.h"

namespace ambit::detector {

void LocalTimes::begin(std::uint32_t thread) {
  const auto [warp, block] = places_.of(thread);
  if (warp >= warps_.size()) warps_.resize(places_.warps());
  if (block >= blocks_.size()) blocks_.resize(places_.blocks());
  if (warps_[warp].threads.empty()) blocks_[block].warps.push_back(warp);
  warps_[warp].threads.push_back(thread);
  now_[thread] = blocks_[block].floor + 1;
}

void LocalTimes::begin_barrier(const BarrierTracker::Completion& done) {
  ++barrier_;
  if (waits_at_.size() < now_.size()) waits_at_.resize(now_.size(), 0);
  top_ = 0;
  for (const std::uint32_t thread : done.waiting) {
    waits_at_[thread] = barrier_;
    top_ = std::max(top_, now_[thread]);
  }
  for (const std::uint32_t thread : done.exited) top_ = std::max(top_, now_[thread]);
}

void LocalTimes::pass(const BarrierTracker::Completion& done) {
  for (const std::uint32_t thread : done.waiting) now_[thread] = top_ + 1;
}

}  // namespace ambit::detector
