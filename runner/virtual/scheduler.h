#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "runner/virtual/block.h"
#include "runner/virtual/launch.h"

namespace ambit::virtual_gpu {

/// Picks the warp that runs next, and the length of its turn. The schedule determines all picks: the same seed gives
/// the same picks.
class Scheduler {
 public:
  /// If `holds_all` is true, all blocks that fit on the device become resident at once, as a cooperative launch
  /// requires.
  explicit Scheduler(const Schedule& schedule, bool holds_all = false);

  /// Gives priorities to a block that became resident and to its warps, and makes all its warps ready.
  void add_block(Block& block);
  void remove_block(Block& block);
  void add(Warp& warp);
  void remove(Warp& warp);
  /// Returns null if no warp is ready.
  Warp* pick();
  /// Returns the number of instructions of the turn that pick() began.
  std::uint32_t quantum();
  /// Ends the turn. `could_go_on` means that the warp could continue: the turn ended because its time was over, or
  /// because the warp polls (`has_polled`).
  void end_turn(Warp& warp, bool could_go_on, bool has_polled);
  /// Returns whether another block should become resident. RoundRobin runs one block as long as the block has work.
  /// Random and Pct choose among some dozens of ready warps, because the data of more warps do not fit into the
  /// processor's caches. With all schedules, another block should become resident if a warp polls, because this warp
  /// may wait for a block that is not yet resident.
  bool wants_block() const;
  /// Must be called when a warp polls or has run in a loop for a long time. The warp may wait for a block that is not
  /// yet resident. If many blocks are resident, several blocks start at once, because other warps may wait, too.
  void note_polls() { to_start_ = std::max(to_start_, 1 + blocks_.size() / 8); }
  void block_started() {
    if (to_start_ > 0) --to_start_;
  }
  /// Returns the number of memory instructions at which the running warp must stop, because priorities change.
  std::uint64_t next_change() const { return next_change_; }
  /// Changes a priority after next_change() memory instructions.
  void change_priority(Warp& warp);
  /// Returns a uniform random number below `bound`.
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  ScheduleKind kind() const { return schedule_.kind; }

 private:
  /// Orders warps by priority, highest first, then by the numbers of blocks and warps.
  struct HasPriority {
    bool operator()(const Warp* a, const Warp* b) const;
  };
  void lower_priority(Warp& warp);
  Warp* next_in_turn();
  Warp* pick_at_random();
  Warp* overdue();
  void add_worker(Warp& warp);
  void remove_worker(Warp& warp);
  void leave_block();
  bool has_later_ready_warp(const Block& block) const;

  Schedule schedule_;
  bool holds_all_;
  std::mt19937_64 random_;
  std::vector<Warp*> ready_;                  ///< Random: ready warps
  std::vector<Warp*> workers_;                ///< Random: ready warps that do not poll
  std::uint64_t turn_ = 0;                    ///< Random: number of turns so far
  std::uint64_t next_look_ = 0;               ///< Random: number of the turn of the next search for an overdue warp
  std::set<Warp*, HasPriority> by_priority_;  ///< Pct: ready warps
  std::vector<Block*> blocks_;                ///< RoundRobin: resident blocks
  std::size_t block_ = 0;                     ///< RoundRobin: index of the block whose turn it is
  std::size_t warp_ = 0;                      ///< RoundRobin: index of the warp in this block
  std::uint32_t turns_ = 0;                   ///< RoundRobin: number of turns of this block so far
  /// Number of blocks to start. Blocks start because warps poll or, with RoundRobin, because all warps have had a turn.
  std::size_t to_start_ = 0;
  std::int64_t lowest_ = 0;          ///< Pct: a priority that is lower than all priorities in use
  const Warp* last_ = nullptr;       ///< Pct: the warp whose turn ended last
  std::uint32_t turns_of_last_ = 0;  ///< Pct: number of consecutive turns of this warp
  std::vector<std::uint64_t> changes_;
  std::uint64_t next_change_ = ~std::uint64_t{0};
};

}  // namespace ambit::virtual_gpu
