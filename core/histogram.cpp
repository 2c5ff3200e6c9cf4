#include "core/histogram.h"

namespace ambit {

std::uint64_t Histogram::complete() const {
  std::uint64_t sum = 0;
  for (const auto& [outcome, count] : outcomes) sum += count;
  return sum;
}

void Histogram::merge(const Histogram& other) {
  for (const auto& [outcome, count] : other.outcomes) outcomes[outcome] += count;
  deadlocks += other.deadlocks;
  bound_hits += other.bound_hits;
  dropped += other.dropped;
  assertion_failures += other.assertion_failures;
  out_of_bounds += other.out_of_bounds;
}

}  // namespace ambit
