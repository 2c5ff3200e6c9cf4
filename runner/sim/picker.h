#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "runner/sim/engine.h"

namespace ambit::sim {

/// Picks what happens next in one run after the other: random, in turn, or by priorities. The same options and number
/// of the run give the same picks.
class Picker {
 public:
  explicit Picker(const Engine& engine) : engine_(engine) {}
  void begin(std::uint64_t run);
  /// One of `choices`, which is not empty.
  const Choice& pick(const std::vector<Choice>& choices);
  /// After a run of that many steps: how far apart priorities change in the next ones.
  void end(std::size_t steps);

 private:
  /// Who moves: a thread, or (the number of threads) the memory.
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
  std::size_t length_ = 64;                 ///< of the longest run so far
  std::vector<std::int64_t> priorities_;    ///< by mover
  std::vector<std::size_t> change_points_;  ///< steps, Pct
};

}  // namespace ambit::sim
