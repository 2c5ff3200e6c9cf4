#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runner/sim/machine.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Warps before Volta: the lanes of a warp have one program counter and a stack of reconvergence points. Where a branch
/// parts them, one side goes on until it comes to the branch's immediate post-dominator; then the other; there they go
/// on together. Either side may be first.
///
/// Each lane has a code of its own here, with branches on its number folded away. Codes of one warp are laid beside
/// each other: their longest common beginning and end are common code, what lies between is the sides of one branch
/// (docs/termination.md, "Lockstep").
class Lockstep {
 public:
  /// `machine` must outlive it.
  explicit Lockstep(const Machine& machine);

  void reset(State& state) const;
  /// The thread is among those of its warp that execute the present instruction, has not done so, and its warp does
  /// not wait in vain.
  bool may_step(const State& state, std::uint32_t thread) const;
  /// To be called after each step of a thread.
  void after_step(State& state, std::uint32_t thread) const;

  std::size_t warps() const { return warps_.size(); }
  /// How many sides of a branch may go first now; 0: nothing is to be decided.
  std::uint32_t sides(const State& state, std::size_t warp) const { return state.warps[warp].undecided; }
  void choose_side(State& state, std::size_t warp, std::uint32_t side) const;
  /// A lane of the warp, to name it by.
  std::uint32_t first_thread(std::size_t warp) const { return warps_[warp].threads.front(); }

 private:
  struct Warp {
    std::vector<std::uint32_t> threads;
    std::size_t prefix = 0;  ///< instructions that all lanes begin with
    std::size_t suffix = 0;  ///< instructions that all end with
  };

  /// A place in the code that lanes can share.
  std::int64_t position(const Warp& warp, std::uint32_t thread, std::size_t pc) const;
  void align(Warp& warp) const;
  void settle(State& state, std::size_t warp) const;
  void drop_finished(State& state, const Warp& warp, WarpState& self) const;
  void execute(State& state, const Warp& warp, WarpState& self) const;
  bool is_at(const State& state, const Warp& warp, std::uint32_t thread, std::int64_t place) const;

  const Machine& machine_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> warp_of_;                     ///< by thread
  std::vector<std::uint32_t> lane_of_;                     ///< by thread: its bit
  std::vector<std::uint32_t> code_class_;                  ///< by thread: equal for equal codes within a warp
  std::vector<std::vector<std::uint32_t>> postdominator_;  ///< by thread and instruction: the immediate one
};

}  // namespace ambit::sim
