#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runner/sim/machine.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Warps before Volta: the lanes of a warp have one program counter and a stack of reconvergence points. If lanes take
/// different sides of a branch, one side runs until it reaches the branch's immediate post-dominator. Then the other
/// side runs up to this point, and both sides continue together. Either side may be first.
///
/// Each lane has its own code, in which branches on the lane's number are already decided. The longest common prefix
/// and the longest common suffix of the lanes' code are common code. The code between prefix and suffix is treated as
/// the sides of one branch (docs/reference/termination.md, "Lockstep").
///
/// Transactions follow the stack of Fung, Singh, Brownsword, Aamodt, "Hardware transactional memory for GPU
/// architectures", MICRO 2011. The running lanes begin a transaction together. A lane whose attempt fails because of a
/// conflict is masked while the other lanes continue. When the other lanes have reached the end of the transaction, the
/// failed lanes try again together. The warp continues after all lanes have ended the transaction. Therefore
/// conflicting lanes of one warp do not wait for each other. At least one of the lanes that try together commits, so
/// the lanes do not fail forever.
class Lockstep {
 public:
  /// `machine` must outlive this object.
  explicit Lockstep(const Machine& machine);

  void reset(State& state) const;
  /// Returns true if the thread's lane still has to execute the warp's current instruction, unless the warp waits
  /// forever.
  bool may_step(const State& state, std::uint32_t thread) const;
  /// Must be called after each step of a thread.
  void after_step(State& state, std::uint32_t thread) const;
  /// Must be called after each action of the memory.
  void after_action(State& state) const;

  std::size_t warps() const { return warps_.size(); }
  /// Returns the number of sides of a branch that may run first, or 0 if no decision is pending.
  std::uint32_t sides(const State& state, std::size_t warp) const { return state.warps[warp].undecided; }
  void choose_side(State& state, std::size_t warp, std::uint32_t side) const;
  /// Returns the thread that represents the warp in names and messages.
  std::uint32_t first_thread(std::size_t warp) const { return warps_[warp].threads.front(); }

 private:
  struct Warp {
    std::vector<std::uint32_t> threads;
    std::size_t prefix = 0;  ///< length of the common prefix of all lanes' code, in instructions
    std::size_t suffix = 0;  ///< length of the common suffix of all lanes' code, in instructions
  };

  /// Returns a number for a pc of a thread. In common code, all lanes have the same number for the same place.
  std::int64_t position(const Warp& warp, std::uint32_t thread, std::size_t pc) const;
  void align(Warp& warp) const;
  void settle(State& state, std::size_t warp) const;
  void mask_failed_attempts(State& state) const;
  std::uint32_t running(const State& state, const Warp& warp, const WarpEntry& entry) const;
  bool splits(State& state, const Warp& warp, WarpState& self) const;
  bool tries(State& state, const Warp& warp, WarpState& self) const;
  void push_sides(WarpState& self, const std::map<std::int64_t, std::uint32_t>& sides, std::int64_t meeting) const;
  void drop_finished(State& state, const Warp& warp, WarpState& self) const;
  void execute(State& state, const Warp& warp, WarpState& self) const;
  bool is_at(const State& state, const Warp& warp, std::uint32_t thread, std::int64_t place) const;

  const Machine& machine_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> warp_of_;  ///< warp of each thread
  std::vector<std::uint32_t> lane_of_;  ///< for each thread, the mask of its lane
  /// For each thread, the number of its class. Threads of a warp that have equal code are in the same class.
  std::vector<std::uint32_t> code_class_;
  /// For each thread and instruction, the immediate post-dominator.
  std::vector<std::vector<std::uint32_t>> postdominator_;
};

}  // namespace ambit::sim
