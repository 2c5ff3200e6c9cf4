#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "runner/sim/engine.h"

namespace ambit::sim {

/// Picks what happens next: at random, in turn, or by priorities. Works for consecutive runs. The picks depend only on
/// the options and the number of the run.
class Picker {
 public:
  explicit Picker(const Engine& engine) : engine_(engine) {}
  void begin(std::uint64_t run);
  /// Returns one of `choices`, which is not empty.
  const Choice& pick(const std::vector<Choice>& choices);
  /// Must be called after a run with its number of steps. The longest run determines the distance of priority changes.
  void end(std::size_t steps);

 private:
  /// Returns the mover of a choice: a thread's number, or the number of threads for the memory.
  std::uint32_t mover(const Choice& choice) const;
  std::size_t below(std::size_t bound);
  const Choice& any(const std::vector<Choice>& choices) { return choices[below(choices.size())]; }
  const Choice& any_of(const std::vector<Choice>& choices, std::uint32_t who);
  const Choice& in_turn(const std::vector<Choice>& choices);
  const Choice& by_priority(const std::vector<Choice>& choices);

  const Engine& engine_;
  std::mt19937_64 random_;
  std::uint32_t turn_ = 0;
  std::size_t step_ = 0;
  std::size_t length_ = 64;                 ///< number of steps of the longest run so far
  std::vector<std::int64_t> priorities_;    ///< priorities, by mover
  std::vector<std::size_t> change_points_;  ///< Pct: step numbers
};

}  // namespace ambit::sim
