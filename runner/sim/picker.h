#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "runner/sim/engine.h"

namespace ambit::sim {

/// Picks the next choice of a run: at random, in turn, or by priorities. The same object serves consecutive runs. Only
/// the options and the number of the run determine the picks.
class Picker {
 public:
  explicit Picker(const Engine& engine) : engine_(engine) {}
  void begin(std::uint64_t run);
  /// Returns one of `choices`, which is not empty.
  const Choice& pick(const std::vector<Choice>& choices);
  /// Must be called after each run; `steps` is the number of steps of the run. The length of the longest run determines
  /// where priorities change.
  void end(std::size_t steps);

 private:
  /// Returns the number of the thread that takes the step, or the number of threads if the memory acts.
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
  std::vector<std::int64_t> priorities_;    ///< priorities of the threads and of the memory
  std::vector<std::size_t> change_points_;  ///< Pct: the numbers of the steps at which priorities change
};

}  // namespace ambit::sim
