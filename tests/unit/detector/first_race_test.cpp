#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "detector/detector.h"
#include "tests/support/replay.h"
#include "tests/support/trace_text.h"
#include "tests/unit/detector/random_trace.h"
#include "tests/unit/detector/reordering_brute_force.h"

// Tests the guarantee of weak causal precedence (Kini, Mathur, Viswanathan, PLDI 2017; definitions 4.1). If a detector
// reports a race for a trace, its first report is right: some correct reordering of the trace has this race, or some
// correct reordering ends in a deadlock.
namespace ambit::detector {
namespace {

std::uint64_t first_race_traces() { return wanted_traces(150); }

struct Case {
  std::string detector;
  std::map<std::string, std::string> options;
  Overlap overlap = Overlap::Mutual;
};

std::vector<Case> cases() {
  return {{"barracuda", {}, Overlap::Mutual},
          {"gwcp", {}, Overlap::Mutual},
          {"gwcp", {{"barrier", "literal"}}, Overlap::Mutual},
          {"gwcp", {{"overlap", "either"}}, Overlap::Either},
          {"gwcp", {{"overlap", "either"}, {"barrier", "literal"}}, Overlap::Either},
          {"gwcp", {{"overlap", "exact"}}, Overlap::Exact},
          {"gwcp", {{"clocks", "compressed"}}, Overlap::Mutual},
          {"wcp", {}, Overlap::All}};
}

std::optional<EventPair> first_race(const Trace& trace, const Case& wanted) {
  MemoryTraceReader reader(trace);
  const std::vector<RaceReport> races = test::shown(reader, wanted.detector, wanted.options)->races();
  if (races.empty()) return std::nullopt;
  return EventPair{races.front().first.event, races.front().second.event};
}

struct Count {
  std::uint64_t races = 0;
  std::uint64_t apart = 0;     ///< number of reported pairs that race only if atomic reads may read from any write
  std::uint64_t deadlock = 0;  ///< number of reported pairs without a race, where some reordering deadlocks
};

/// Traces of one kind, with their races by brute force. Detectors with equal definitions of overlap share these races.
class KnownTraces {
 public:
  KnownTraces(RandomTraceOptions options, Overlap overlap) : rules_{.overlap = overlap} {
    options.one_holder = overlap == Overlap::All;
    for (std::uint64_t seed = 0; seed < first_race_traces(); ++seed)
      known_.push_back({random_trace(seed * 41 + 11, options), {}});
  }
  const Trace& trace(std::uint64_t seed) const { return known_[seed].trace; }
  const BruteForceResult& truth(std::uint64_t seed) {
    Known& known = known_[seed];
    if (!known.truth) known.truth = reorder_by_brute_force(known.trace, rules_);
    return *known.truth;
  }
  BruteForceResult truth_with_free_atomic_reads(std::uint64_t seed) const {
    BruteForceOptions rules = rules_;
    rules.frees_atomic_reads = true;
    return reorder_by_brute_force(trace(seed), rules);
  }

 private:
  struct Known {
    Trace trace;
    std::optional<BruteForceResult> truth;
  };
  BruteForceOptions rules_;
  std::vector<Known> known_;
};

Count count(KnownTraces& known, const Case& wanted) {
  Count found;
  for (std::uint64_t seed = 0; seed < first_race_traces(); ++seed) {
    const Trace& trace = known.trace(seed);
    const auto race = first_race(trace, wanted);
    if (!race) continue;
    ++found.races;
    const BruteForceResult& truth = known.truth(seed);
    if (truth.races.contains(*race)) continue;
    if (truth.has_deadlock) {
      ++found.deadlock;
    } else if (known.truth_with_free_atomic_reads(seed).races.contains(*race)) {
      ++found.apart;
    } else {
      ADD_FAILURE() << wanted.detector << " reports (" << race->first << ", " << race->second << "), seed " << seed
                    << "\n"
                    << test::text_of(trace);
    }
  }
  return found;
}

/// Generates mostly lock operations, so that the first race in a trace comes late.
RandomTraceOptions with_locks() {
  return {.blocks = 2,
          .threads_per_block = 2,
          .locks = 2,
          .variables = 4,
          .steps = 32,
          .access = 3,
          .lock = 12,
          .scopes = true};
}

// All exceptions (Count::apart) have one form; prediction_table_test.cpp has a row for it. T0 writes x atomically; T1
// reads x atomically and then writes x. In a reordering, the read must return the value of T0's write, so the read
// comes after T0's write. Therefore no reordering makes the two writes adjacent, although the read does not
// synchronise. A GPU may execute T1's write before T1's read, but the oracle's interleavings keep program order.
TEST(FirstRace, IsPredictable) {
  RandomTraceOptions barriers = with_locks();
  barriers.barrier = 3;
  RandomTraceOptions flags = with_locks();
  flags.flag = 4;
  for (const RandomTraceOptions& options : {with_locks(), barriers, flags}) {
    std::map<Overlap, KnownTraces> known;
    for (const Case& wanted : cases()) {
      const Count found = count(known.try_emplace(wanted.overlap, options, wanted.overlap).first->second, wanted);
      EXPECT_GT(found.races, first_race_traces() / 3) << wanted.detector << ": too few races to mean anything";
      EXPECT_LE(found.apart * 20, found.races) << wanted.detector;
      if (first_race_traces() > 1000) {
        std::cout << wanted.detector << ": " << found.races << " first races, not brought together: " << found.apart
                  << " for an atomic read, " << found.deadlock << " with a deadlock\n";
      }
    }
  }
}

}  // namespace
}  // namespace ambit::detector
