#include "runner/shadow/copy_watch.h"

#include <bit>

namespace ambit::shadow {

using virtual_gpu::AccessKind;
using virtual_gpu::AccessSpace;
using virtual_gpu::CopyStep;

void CopyWatch::begin_launch(const virtual_gpu::LaunchInfo& /*info*/) {
  global_.clear();
  shared_.clear();
}

CopyWatch::Granules& CopyWatch::granules_of(const virtual_gpu::WarpAccess& access) {
  return access.space == AccessSpace::Shared ? shared_[access.target_block] : global_;
}

void CopyWatch::access(const virtual_gpu::WarpAccess& access) {
  if (access.copy == CopyStep::Tracked || access.is_constant) return;
  if (access.copy == CopyStep::None) {
    if (access.space == AccessSpace::Shared ? shared_.empty() : global_.empty()) return;
    if (access.space == AccessSpace::Shared && !shared_.contains(access.target_block)) return;
  }
  Granules& granules = granules_of(access);
  for (std::uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const std::uint64_t address = access.addresses[lane];
    const std::uint32_t thread = access.warp * 32 + lane;
    if (access.copy == CopyStep::None || access.copy == CopyStep::Issue) check(access, granules, lane);
    if (access.copy == CopyStep::None) continue;
    if (access.copy == CopyStep::Issue) {
      const RawAccess side{access.site, access.block, thread, access.kind == AccessKind::Write, false};
      granules[address >> kGranuleBits].push_back({address, access.bytes, side});
      continue;
    }
    const auto known = granules.find(address >> kGranuleBits);
    if (known == granules.end()) continue;
    std::vector<Pending>& pending = known->second;
    for (auto one = pending.begin(); one != pending.end(); ++one) {
      const bool is_it = one->address == address && one->side.site == access.site && one->side.block == access.block &&
                         one->side.thread == thread;
      if (!is_it) continue;
      pending.erase(one);
      break;
    }
    if (pending.empty()) granules.erase(known);
  }
  if (access.space == AccessSpace::Shared && granules.empty()) shared_.erase(access.target_block);
}

void CopyWatch::check(const virtual_gpu::WarpAccess& access, Granules& granules, std::uint32_t lane) {
  const std::uint64_t begin = access.addresses[lane];
  const std::uint64_t end = begin + access.bytes;
  const bool writes = access.kind != AccessKind::Read && (access.failed >> lane & 1U) == 0;
  for (std::uint64_t granule = begin >> kGranuleBits; granule << kGranuleBits < end; ++granule) {
    const auto known = granules.find(granule);
    if (known == granules.end()) continue;
    for (const Pending& one : known->second) {
      const bool overlaps = one.address < end && begin < one.address + one.bytes;
      if (!overlaps || (!one.side.is_write && !writes)) continue;
      RawRace race;
      race.first = one.side;
      race.second = {access.site, access.block, access.warp * 32 + lane, writes, access.order != Order::Weak};
      race.space = access.space;
      race.address = begin;
      sink_.race(kNumber, race, 1, "the copy is pending: its thread has not waited for its end");
    }
  }
}

}  // namespace ambit::shadow
