#include "detector/inference/lock_groups.h"

#include <algorithm>

namespace ambit::detector {

int LockGroups::level_of(Scope scope) const {
  int level = static_cast<int>(scope) - 1;
  while (level > 0 && !is_level(level)) --level;
  return level;
}

void LockGroups::add_groups(std::uint32_t thread) {
  if (groups_.empty()) {
    const LaunchGeometry& launch = tables_.launch;
    // With Exact, the scope is part of the lock's identity. Two scopes differ even if they include the same threads.
    const bool all = overlap_ == Overlap::Exact;
    is_level_ = {true, all || launch.cluster > 1, all || launch.blocks() > 1, all || launch.gpus > 1};
  }
  while (groups_.size() <= thread) {
    const ThreadPlace& place = tables_.threads()[groups_.size()].place;
    const auto gpu = static_cast<std::uint64_t>(place.gpu) << 34U;
    const std::array<std::uint64_t, kLevels> keys = {((gpu + static_cast<std::uint64_t>(place.block)) << 2U),
                                                     ((gpu + static_cast<std::uint64_t>(place.cluster)) << 2U) + 1,
                                                     (gpu << 2U) + 2, 3};
    std::array<std::uint32_t, kLevels> numbers{};
    for (std::size_t level = 0; level < kLevels; ++level) {
      std::uint32_t& number = group_numbers_[keys[level]];
      if (number == 0) number = ++group_count_;
      numbers[level] = number;
      if (number >= members_.size()) members_.resize(number + 1);
      members_[number].push_back(static_cast<std::uint32_t>(groups_.size()));
    }
    groups_.push_back(numbers);
  }
}

std::uint32_t LockGroups::queue(std::uint32_t lock, std::uint32_t group) {
  std::uint32_t& number = queue_numbers_[(std::uint64_t{lock} << 32U) | group];
  if (number == 0) {
    number = ++count_;
    groups_of_queues_.push_back(group);
  }
  return number - 1;
}

const std::vector<std::uint32_t>* LockGroups::readers(std::uint32_t queue) {
  const LaunchGeometry& launch = tables_.launch;
  const std::size_t known = tables_.threads().size();
  if (launch.only_named_threads || known == 0) return nullptr;
  groups(static_cast<std::uint32_t>(known - 1));
  const bool all_may_read = overlap_ == Overlap::All || overlap_ == Overlap::Either;
  const std::uint32_t group = all_may_read ? groups(0)[kLevels - 1] : groups_of_queues_[queue];
  const std::vector<std::uint32_t>& members = members_[group];
  const auto& of_first = groups(members.front());
  const auto level = std::ranges::find(of_first, group) - of_first.begin();
  std::uint64_t threads = launch.threads_per_block();
  if (level == 1) threads *= std::max(1U, launch.cluster);
  if (level >= 2) threads *= launch.blocks();
  if (level == 3) threads *= launch.gpus;
  return members.size() == threads ? &members : nullptr;
}

const std::vector<std::uint32_t>& LockGroups::queues_of_release(std::uint32_t lock, std::uint32_t thread, Scope scope) {
  queues_.clear();
  if (overlap_ == Overlap::All) {
    queues_.push_back(queue(lock, 0));
    return queues_;
  }
  const auto& own = groups(thread);
  const int top = level_of(scope);
  if (top < 0) return queues_;  // Thread scope includes no other thread
  if (top == 0 && overlap_ != Overlap::Either) {
    queues_.resize(1);
    queues_[0] = queue_at(lock, 0, own[0]);
    return queues_;
  }
  for (int level = overlap_ == Overlap::Exact ? top : 0; level <= top; ++level) {
    const auto at = static_cast<std::size_t>(level);
    if (is_level(level)) queues_.push_back(queue_at(lock, at, own[at]));
  }
  if (overlap_ == Overlap::Either) {
    if (lock >= block_queues_.size()) block_queues_.resize(lock + 1);
    auto& known = block_queues_[lock];
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const BlockQueue& b) { return b.queue == queues_[0]; });
    if (!is_known) known.push_back({queues_[0], tables_.threads()[thread].place});
  }
  return queues_;
}

bool LockGroups::has_queues(std::uint32_t lock, std::uint32_t thread, Scope scope) {
  const int top = level_of(scope);
  if (top < 0) return true;
  const std::uint32_t group = groups(thread)[static_cast<std::size_t>(top)];
  return queue_numbers_.find((std::uint64_t{lock} << 32U) | group) != nullptr;
}

bool LockGroups::are_queues_moved(std::uint32_t lock, std::uint32_t thread, Scope scope) {
  if (overlap_ == Overlap::All || overlap_ == Overlap::Either) return false;
  const auto& own = groups(thread);
  const int top = level_of(scope);
  if (top < 0) return true;
  const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(top));
  // The result can be cached, because queue numbers never change. With Exact, the block may have no queue.
  const bool may_be_known = overlap_ == Overlap::Mutual && has_queues(lock, thread, scope);
  if (may_be_known && (cached_queue(lock, 0, own[0]).moved & bit) != 0) return true;
  for (int level = overlap_ == Overlap::Exact ? top : 0; level <= top; ++level) {
    const auto at = static_cast<std::size_t>(level);
    if (!is_level(level)) continue;
    const std::uint32_t first = queue_at(lock, at, own[at]);
    for (std::uint32_t lane = 1; lane < 32; ++lane) {
      if (queue_at(lock + lane, at, own[at]) != first + lane) return false;
    }
  }
  if (overlap_ == Overlap::Mutual) cached_queue(lock, 0, own[0]).moved |= bit;
  return true;
}

const std::vector<std::uint32_t>& LockGroups::queues_of_acquire(std::uint32_t lock, std::uint32_t thread, Scope scope) {
  if (overlap_ != Overlap::Either) return queues_of_release(lock, thread, scope);
  queues_.clear();
  const auto& own = groups(thread);
  const int top = level_of(scope);
  if (top < 0) return queues_;
  const ThreadPlace& place = tables_.threads()[thread].place;
  if (lock < block_queues_.size()) {
    for (const BlockQueue& block : block_queues_[lock]) {
      if (same_instance(block.place, place, static_cast<Scope>(top + 1))) queues_.push_back(block.queue);
    }
  }
  for (int level = top + 1; level < static_cast<int>(kLevels); ++level) {
    if (is_level(level)) queues_.push_back(queue(lock, own[static_cast<std::size_t>(level)]));
  }
  return queues_;
}

}  // namespace ambit::detector
