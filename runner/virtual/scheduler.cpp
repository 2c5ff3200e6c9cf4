#include "runner/virtual/scheduler.h"

#include <algorithm>

namespace ambit::virtual_gpu {
namespace {

/// The turn is so long that changing the warp costs almost nothing, and so short that other warps do not wait long.
constexpr std::uint32_t kRoundRobinQuantum = 10'000;
constexpr std::uint32_t kRandomQuantum = 100;
/// Pct changes priorities at memory instructions, so the length of a turn has little effect.
constexpr std::uint32_t kPctQuantum = 10'000;
/// Random and Pct: number of warps among which the scheduler chooses.
constexpr std::size_t kReadyWarps = 64;
/// If n warps are ready, a ready warp without a turn among the last n * kMostTurnsOfOthers turns runs next. Without the
/// rule, a warp would wait that long with a probability of about 2^-46.
constexpr std::uint64_t kMostTurnsOfOthers = 64;
/// Turns between two searches for a warp that has waited too long. A search visits all ready warps, so it must be rare.
constexpr std::uint64_t kTurnsBetweenLooks = 1024;

}  // namespace

Scheduler::Scheduler(const Schedule& schedule, bool holds_all) : schedule_(schedule), holds_all_(holds_all) {
  std::seed_seq seeds{schedule.seed & 0xffffffffU, schedule.seed >> 32U};
  random_.seed(seeds);
  if (schedule_.quantum == 0) {
    schedule_.quantum = schedule_.kind == ScheduleKind::RoundRobin ? kRoundRobinQuantum : kRandomQuantum;
  }
  if (schedule_.kind != ScheduleKind::Pct) return;
  for (std::uint32_t i = 0; i < schedule_.change_points; ++i) {
    changes_.push_back(1 + below(std::max<std::uint64_t>(schedule_.expected_accesses, 1)));
  }
  std::sort(changes_.rbegin(), changes_.rend());
  if (!changes_.empty()) next_change_ = changes_.back();
}

void Scheduler::add_block(Block& block) {
  constexpr std::uint64_t kPriorities = std::uint64_t{1} << 40U;
  block.priority = static_cast<std::int64_t>(below(kPriorities));
  block.ready = 0;
  blocks_.push_back(&block);
  for (const auto& warp : block.warps) {
    warp->priority = static_cast<std::int64_t>(below(kPriorities));
    add(*warp);
  }
}

void Scheduler::remove_block(Block& block) {
  const auto found = std::find(blocks_.begin(), blocks_.end(), &block);
  const auto index = static_cast<std::size_t>(found - blocks_.begin());
  blocks_.erase(found);
  if (index < block_) --block_;
  if (index == block_) {
    warp_ = 0;
    turns_ = 0;
  }
}

void Scheduler::add(Warp& warp) {
  if (warp.is_ready) return;
  warp.is_ready = true;
  ++warp.block->ready;
  if (schedule_.kind == ScheduleKind::RoundRobin) return;
  if (schedule_.kind == ScheduleKind::Pct) {
    by_priority_.insert(&warp);
    return;
  }
  warp.ready_index = static_cast<std::uint32_t>(ready_.size());
  ready_.push_back(&warp);
  warp.last_turn = turn_;
  add_worker(warp);
}

void Scheduler::add_worker(Warp& warp) {
  warp.is_poller = false;
  warp.worker_index = static_cast<std::uint32_t>(workers_.size());
  workers_.push_back(&warp);
}

void Scheduler::remove_worker(Warp& warp) {
  Warp* last = workers_.back();
  workers_[warp.worker_index] = last;
  last->worker_index = warp.worker_index;
  workers_.pop_back();
}

void Scheduler::remove(Warp& warp) {
  if (!warp.is_ready) return;
  warp.is_ready = false;
  --warp.block->ready;
  if (schedule_.kind == ScheduleKind::RoundRobin) return;
  if (schedule_.kind == ScheduleKind::Pct) {
    by_priority_.erase(&warp);
    return;
  }
  Warp* last = ready_.back();
  ready_[warp.ready_index] = last;
  last->ready_index = warp.ready_index;
  ready_.pop_back();
  if (!warp.is_poller) remove_worker(warp);
}

bool Scheduler::HasPriority::operator()(const Warp* a, const Warp* b) const {
  if (a->block->priority != b->block->priority) return a->block->priority > b->block->priority;
  if (a->block != b->block) return a->block->number < b->block->number;
  return a->priority != b->priority ? a->priority > b->priority : a->number < b->number;
}

/// Gives the warp's block the lowest priority of all blocks, and the warp the lowest priority in its block.
void Scheduler::lower_priority(Warp& warp) {
  Block& block = *warp.block;
  for (const auto& other : block.warps) {
    if (other->is_ready) by_priority_.erase(other.get());
  }
  warp.priority = --lowest_;
  block.priority = --lowest_;
  for (const auto& other : block.warps) {
    if (other->is_ready) by_priority_.insert(other.get());
  }
}

/// Returns the next ready warp of the current block. If the block has no ready warp, takes the next block with a ready
/// warp.
Warp* Scheduler::next_in_turn() {
  for (std::size_t seen = 0; seen <= blocks_.size() && !blocks_.empty(); ++seen) {
    if (block_ >= blocks_.size()) {
      block_ = 0;
      to_start_ = std::max<std::size_t>(to_start_, 1);
    }
    const Block& block = *blocks_[block_];
    for (std::size_t i = 0; block.ready > 0 && i < block.warps.size(); ++i) {
      const std::size_t index = (warp_ + i) % block.warps.size();
      if (!block.warps[index]->is_ready) continue;
      warp_ = index;
      return block.warps[index].get();
    }
    leave_block();
  }
  return nullptr;
}

void Scheduler::leave_block() {
  ++block_;
  warp_ = 0;
  turns_ = 0;
  if (block_ < blocks_.size()) return;
  block_ = 0;
  to_start_ = std::max<std::size_t>(to_start_, 1);
}

bool Scheduler::has_later_ready_warp(const Block& block) const {
  for (std::size_t i = warp_; i < block.warps.size(); ++i) {
    if (block.warps[i]->is_ready) return true;
  }
  return false;
}

bool Scheduler::wants_block() const {
  if (holds_all_) return true;
  switch (schedule_.kind) {
    case ScheduleKind::RoundRobin: return to_start_ > 0 || blocks_.empty();
    case ScheduleKind::Random: return to_start_ > 0 || ready_.size() < kReadyWarps;
    case ScheduleKind::Pct: return to_start_ > 0 || by_priority_.size() < kReadyWarps;
  }
  return true;
}

/// Pct follows Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010,
/// section 3. Priorities of blocks are compared before the priorities of the warps in a block.
Warp* Scheduler::pick() {
  if (schedule_.kind == ScheduleKind::RoundRobin) return next_in_turn();
  if (schedule_.kind == ScheduleKind::Pct) return by_priority_.empty() ? nullptr : *by_priority_.begin();
  return ready_.empty() ? nullptr : pick_at_random();
}

/// Picks a random ready warp. If at most half of the ready warps poll, all ready warps have the same probability.
/// Otherwise, the warps that do not poll get at least half of the turns. Without this rule, hundreds of blocks that
/// poll a grid barrier would take nearly all turns.
Warp* Scheduler::pick_at_random() {
  ++turn_;
  Warp* warp = turn_ < next_look_ ? nullptr : overdue();
  const bool is_minority = !workers_.empty() && 2 * workers_.size() < ready_.size();
  if (warp == nullptr && is_minority && below(2) == 0) warp = workers_[below(workers_.size())];
  if (warp == nullptr) warp = ready_[below(ready_.size())];
  warp->last_turn = turn_;
  return warp;
}

/// Returns the ready warp that has waited longest, if it has waited too long.
Warp* Scheduler::overdue() {
  next_look_ = turn_ + std::max<std::uint64_t>(kTurnsBetweenLooks, ready_.size());
  Warp* longest = *std::ranges::min_element(ready_, {}, &Warp::last_turn);
  return turn_ - longest->last_turn > kMostTurnsOfOthers * ready_.size() ? longest : nullptr;
}

std::uint32_t Scheduler::quantum() {
  if (schedule_.kind == ScheduleKind::Pct) return kPctQuantum;
  if (schedule_.kind == ScheduleKind::Random) return 1 + static_cast<std::uint32_t>(below(schedule_.quantum));
  return schedule_.quantum;
}

void Scheduler::end_turn(Warp& warp, bool could_go_on, bool has_polled) {
  if (schedule_.kind == ScheduleKind::RoundRobin) {
    // Limits the turns of a block, because a block whose warps wait for each other at barriers may also wait for
    // another block.
    constexpr std::uint32_t kTurnsOfBlock = 1000;
    ++warp_;
    const bool is_last = warp_ >= warp.block->warps.size();
    // If the warp polls and no later warp of the block is ready, all other warps wait or have had their turn.
    const bool only_polls = has_polled && !has_later_ready_warp(*warp.block);
    if (is_last) warp_ = 0;
    if (++turns_ >= kTurnsOfBlock || (could_go_on && is_last) || only_polls) leave_block();
  }
  if (schedule_.kind == ScheduleKind::Random && warp.is_ready && warp.is_poller != warp.repeats_poll) {
    if (warp.repeats_poll) {
      remove_worker(warp);
      warp.is_poller = true;
    } else {
      add_worker(warp);
    }
  }
  if (schedule_.kind != ScheduleKind::Pct) return;
  turns_of_last_ = last_ == &warp ? turns_of_last_ + 1 : 1;
  last_ = &warp;
  // Lowers the priority of a warp that has run for a long time. Otherwise, a warp of high priority could wait forever
  // for a warp of low priority, in a loop that does not look like polling.
  constexpr std::uint32_t kMostTurns = 100;
  if (!has_polled && turns_of_last_ < kMostTurns) return;
  turns_of_last_ = 0;
  lower_priority(warp);
}

void Scheduler::change_priority(Warp& warp) {
  lower_priority(warp);
  if (!changes_.empty()) changes_.pop_back();
  next_change_ = changes_.empty() ? ~std::uint64_t{0} : changes_.back();
}

}  // namespace ambit::virtual_gpu
