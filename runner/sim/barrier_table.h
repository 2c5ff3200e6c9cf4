#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// State::phases has four words for each barrier: the number of the current phase, its arrivals so far, its expected
/// arrivals, and whether two arrivals expect different numbers. PTX does not define a phase whose arrivals expect
/// different numbers. In the simulator, a phase never completes if its arrivals expect different numbers.
inline constexpr std::size_t kBarrierWords = 4;

/// The barriers of a program and the threads that can meet at each barrier (definitions 3.2). A phase of a barrier
/// completes after the expected number of arrivals, or when all threads that have not exited have arrived (definitions
/// 2.6). The next arrival begins the next phase (PTX ISA, bar).
class Barriers {
 public:
  explicit Barriers(const Program& program);

  std::size_t slots() const { return slots_; }
  std::size_t phase_words() const { return groups_.size() * kBarrierWords; }
  /// Returns the barrier that an instruction of a thread names. Returns nothing if the block does not have this barrier
  /// (a block has 16 barriers). `resource` is the value of Barrier::resource, or 0 if there is no resource.
  std::optional<std::uint32_t> find(std::uint32_t thread, const Barrier& barrier, Value resource) const;
  /// Returns the number of threads that must arrive if an instruction has no count. The number counts all threads
  /// launched in the group, even threads without events, which never arrive.
  std::uint32_t everyone(std::uint32_t barrier) const { return groups_[barrier].everyone; }

  /// Counts an arrival that waits for `expected` threads. Returns the number of the barrier's phase.
  std::uint32_t arrive(State& state, std::uint32_t barrier, std::uint32_t thread, std::uint32_t expected) const;
  /// Records that the thread has exited. Returns the barriers whose current phase completes because of the exit.
  std::vector<std::uint32_t> exit(State& state, std::uint32_t thread) const;
  /// Returns the phase of the thread's last arrival. Returns nothing if the thread has not arrived.
  std::optional<std::uint32_t> last_phase(const State& state, std::uint32_t barrier, std::uint32_t thread) const;
  static bool is_complete(const State& state, std::uint32_t barrier, std::uint32_t phase) {
    return state.phases[barrier * kBarrierWords] > phase;
  }

  /// Numbers the phases of each barrier again, so that two states that differ only in the number of completed phases
  /// become equal.
  void rebase(State& state) const;

  /// Returns the number of the current phase.
  static std::uint32_t phase(const State& state, std::uint32_t barrier) {
    return state.phases[barrier * kBarrierWords];
  }
  BarrierKind kind(std::uint32_t barrier) const { return groups_[barrier].kind; }
  const std::vector<std::uint32_t>& members(std::uint32_t barrier) const { return groups_[barrier].members; }

 private:
  struct Group {
    BarrierKind kind = BarrierKind::Block;
    std::uint32_t id = 0;
    Value resource = 0;
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> members;
    std::uint32_t named = 0;  ///< number of members that the mask names; the other members are last
    std::uint32_t everyone = 0;
    bool has_count = false;  ///< some instruction specifies a thread count
    /// For a grid barrier: whether a member is the first thread of its block. The arrival of this thread counts for the
    /// block.
    std::vector<bool> is_leader;
    bool has_lost_leader = false;  ///< for a grid barrier: the first thread of some block has no code
    std::size_t first_slot = 0;
  };

  void add(const Program& program, std::uint32_t thread, const Barrier& barrier, Value resource);
  std::size_t slot(std::uint32_t barrier, std::uint32_t thread) const;
  void find_leaders(const Program& program, Group& group) const;
  /// Begins the next phase if the current phase is complete.
  bool complete(State& state, std::uint32_t barrier) const;
  bool has_all(const State& state, std::uint32_t barrier) const;
  std::uint32_t lanes_without(const State& state, const Group& group, std::uint32_t phase) const;

  std::vector<Group> groups_;
  const Program& program_;
  std::vector<std::vector<std::uint32_t>> of_thread_;  ///< for each thread, the barriers at which it can arrive
  std::size_t slots_ = 0;
};

}  // namespace ambit::sim
