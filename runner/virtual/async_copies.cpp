#include "runner/virtual/async_copies.h"

#include <algorithm>
#include <cstring>

#include "runner/virtual/reach.h"

namespace ambit::virtual_gpu {
namespace {

/// Reports copies to the observer. Reports the copies of all lanes of one instruction together.
class CopyReports {
 public:
  CopyReports(Warp& warp, CopyStep step) : warp_(warp), step_(step) {}
  CopyReports(const CopyReports&) = delete;
  CopyReports& operator=(const CopyReports&) = delete;
  ~CopyReports() { report(); }

  void add(const PendingCopy& copy) {
    if (warp_.machine->observer() == nullptr) return;
    const std::uint32_t bit = 1U << copy.lane;
    const bool fits =
        copy.site == first_.site && copy.bytes == first_.bytes && copy.target_block == first_.target_block;
    if (lanes_ != 0 && (!fits || (lanes_ & bit) != 0)) report();
    if (lanes_ == 0) first_ = copy;
    lanes_ |= bit;
    if (copy.read_bytes != 0) readers_ |= bit;
    sources_[copy.lane] = copy.source;
    targets_[copy.lane] = copy.shared_offset;
    std::memcpy(values_ + copy.lane, copy.data, sizeof values_[0]);
  }

 private:
  void report() {
    if (lanes_ == 0) return;
    WarpAccess access;
    access.site = first_.site;
    access.block = warp_.block->number;
    access.target_block = access.block;
    access.warp = warp_.number;
    access.bytes = static_cast<std::uint8_t>(first_.bytes);
    access.copy = step_;
    access.values = warp_.machine->wants_values() ? values_ : nullptr;
    if (readers_ != 0) {
      access.lanes = readers_;
      access.addresses = sources_;
      warp_.machine->observer()->access(access);
    }
    access.lanes = lanes_;
    access.kind = AccessKind::Write;
    access.space = AccessSpace::Shared;
    access.target_block = first_.target_block;
    access.addresses = targets_;
    warp_.machine->observer()->access(access);
    lanes_ = 0;
    readers_ = 0;
  }

  Warp& warp_;
  CopyStep step_;
  PendingCopy first_;
  std::uint32_t lanes_ = 0;
  std::uint32_t readers_ = 0;
  std::uint64_t sources_[kLanes] = {};
  std::uint64_t targets_[kLanes] = {};
  std::uint64_t values_[kLanes] = {};
};

/// Performs a copy. The destination is in the warp's own block, because cp.async cannot write to other blocks of the
/// cluster.
void store(Warp& warp, PendingCopy& copy) {
  if (copy.is_performed) return;
  if (copy.reads_late && copy.read_bytes != 0) {
    const std::uint8_t* from = warp.machine->memory().host_pointer(copy.source, copy.read_bytes);
    if (from != nullptr) std::memcpy(copy.data, from, copy.read_bytes);
  }
  std::memcpy(warp.block->shared.data() + copy.shared_offset, copy.data, copy.bytes);
}

/// Performs the copies for which `is_due` holds, in the order of their issue.
template <class IsDue>
void perform(Warp& warp, const IsDue& is_due) {
  auto& copies = warp.copies;
  CopyReports over(warp, CopyStep::Over);
  CopyReports completed(warp, CopyStep::Completed);
  std::size_t kept = 0;
  for (PendingCopy& copy : copies) {
    if (!is_due(copy)) {
      copies[kept++] = copy;
      continue;
    }
    store(warp, copy);
    (copy.is_tracked ? over : completed).add(copy);
  }
  copies.resize(kept);
}

void notify_issue(Warp& warp, const Instruction& instruction, const MemoryOperation& operation, const Reach& found,
                  unsigned bytes) {
  if (!found.is_observed || warp.machine->observer() == nullptr) return;
  std::uint64_t values[kLanes] = {};
  if (warp.machine->wants_values()) {
    for_each_lane(warp.mask, [&](unsigned lane) { std::memcpy(values + lane, found.host(lane), std::min(bytes, 8U)); });
  }
  notify_access(warp, instruction, operation, found, bytes, warp.machine->wants_values() ? values : nullptr, nullptr,
                0);
}

/// Executes cp.async, which has two accesses. `extra` is the index of the MemoryOperation that reads global memory; the
/// next MemoryOperation writes shared memory. `b` is the offset of the shared address. `c` is the number of bytes to
/// read; the remaining bytes become 0. The schedule chooses the time of the copy.
template <bool kSpread>
void execute_async_copy(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  MemoryOperation& reading = memory_of(warp, instruction);
  MemoryOperation& writing = *(&reading + 1);
  const unsigned bytes = reading.element_bytes;
  Reach to;
  Instruction target = instruction;
  target.a = instruction.d;
  target.value = static_cast<std::int64_t>(instruction.b);
  if (!reach(warp, target, writing, Place::Shared, bytes, to)) return;
  const std::uint32_t* sizes = instruction.c == kDiscarded ? nullptr : values<std::uint32_t>(warp, instruction.c);
  const std::uint32_t all = warp.mask;
  for_each_lane(all, [&](unsigned lane) {
    if (sizes != nullptr && sizes[lane] == 0) warp.mask &= ~(1U << lane);
  });
  Reach from;
  if (warp.mask != 0 && !reach<kSpread>(warp, instruction, reading, Place::Global, bytes, from)) return;
  const std::uint32_t reads = warp.mask;
  if (reads != 0) notify_issue(warp, instruction, reading, from, bytes);
  warp.mask = all;
  notify_issue(warp, instruction, writing, to, bytes);
  Scheduler& scheduler = warp.machine->scheduler();
  const bool chooses = scheduler.kind() != ScheduleKind::RoundRobin;
  const bool is_early = chooses && scheduler.below(4) == 0;
  const bool reads_late = chooses && scheduler.below(2) == 0;
  for_each_lane(all, [&](unsigned lane) {
    PendingCopy copy;
    copy.lane = lane;
    copy.shared_offset = static_cast<std::uint32_t>(to.addresses[lane]);
    copy.target_block = to.target_block;
    copy.bytes = bytes;
    copy.group = warp.copy_group[lane];
    copy.number = ++warp.copies_issued;
    copy.site = instruction.site;
    if ((reads >> lane & 1U) != 0) {
      copy.read_bytes = sizes == nullptr ? bytes : std::min(sizes[lane], bytes);
      copy.source = from.addresses[lane];
      copy.reads_late = reads_late && !is_early;
      std::memcpy(copy.data, from.host(lane), copy.read_bytes);
    }
    copy.is_performed = is_early;
    if (is_early) std::memcpy(to.host(lane), copy.data, bytes);
    warp.copies.push_back(copy);
  });
}

}  // namespace

Execute find_async_copy(bool is_spread) { return is_spread ? execute_async_copy<true> : execute_async_copy<false>; }

void complete_copies(WarpCore& core) {
  Warp& warp = whole(core);
  if (warp.copies.empty()) return;
  perform(warp, [&](const PendingCopy& copy) { return (warp.mask >> copy.lane & 1U) != 0; });
}

void execute_async_commit(WarpCore& core, const Instruction& /*instruction*/) {
  Warp& warp = whole(core);
  for_each_lane(warp.mask, [&](unsigned lane) { ++warp.copy_group[lane]; });
}

void execute_async_wait(WarpCore& core, const Instruction& instruction) {
  Warp& warp = whole(core);
  if (warp.copies.empty()) return;
  perform(warp, [&](const PendingCopy& copy) {
    if ((warp.mask >> copy.lane & 1U) == 0) return false;
    // wait_all waits for all copies, including the copies of the open group. Group numbers begin at 0.
    return instruction.value < 0 || copy.group + instruction.value < warp.copy_group[copy.lane];
  });
}

void track_copies(Warp& warp, unsigned lane, std::uint32_t barrier, std::uint32_t site) {
  CopyReports tracked(warp, CopyStep::Tracked);
  for (PendingCopy& copy : warp.copies) {
    if (copy.lane != lane || copy.is_tracked) continue;
    copy.is_tracked = true;
    tracked.add(copy);
  }
  warp.block->deferred.push_back({barrier, warp.number, lane, warp.copies_issued, site});
}

void complete_deferred(Block& block, const DeferredArrival& arrival, std::uint64_t old, std::uint64_t now) {
  Warp& warp = *block.warps[arrival.warp];
  perform(warp, [&](const PendingCopy& copy) { return copy.lane == arrival.lane && copy.number <= arrival.last_copy; });
  Observer* observer = warp.machine->observer();
  if (observer == nullptr) return;
  // This arrival does not release the thread's earlier accesses. The access that the instruction reported earlier is
  // the release; the values identify this release.
  std::uint64_t addresses[kLanes] = {};
  std::uint64_t values[kLanes] = {};
  std::uint64_t old_values[kLanes] = {};
  addresses[arrival.lane] = arrival.barrier;
  values[arrival.lane] = now;
  old_values[arrival.lane] = old;
  WarpAccess access;
  access.site = arrival.site;
  access.block = block.number;
  access.target_block = block.number;
  access.warp = arrival.warp;
  access.lanes = 1U << arrival.lane;
  access.kind = AccessKind::ReadModifyWrite;
  access.operation = AtomicOperation::Add;
  access.space = AccessSpace::Shared;
  access.order = Order::Relaxed;
  access.scope = Scope::Block;
  access.bytes = 8;
  access.addresses = addresses;
  if (warp.machine->wants_values()) {
    access.values = values;
    access.old_values = old_values;
  }
  observer->access(access);
}

}  // namespace ambit::virtual_gpu
