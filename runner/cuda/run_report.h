#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/histogram.h"
#include "core/stm.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

/// The options of one test's run.
struct RunOptions {
  Stress stress;
  std::map<std::string, std::uint32_t> fixed;  ///< parameters that `vary` does not change
  bool by_device = false;                      ///< the shipped profile for test and device replaces `stress`
  bool alternate = false;                      ///< spread out every fourth launch; several GPUs: every memory in turn
  bool vary = false;                           ///< other parameters, drawn at random, every few launches
  std::vector<Stress> sets;                    ///< not empty: each in turn for its share of `seconds`, nothing else
  std::set<std::vector<Value>> until;          ///< with `sets`: not empty: the run ends after all of these were seen
  std::uint64_t rounds = 0;                    ///< the most rounds of all instances; 0: no limit
  double seconds = 2;                          ///< of kernel time; 0: no limit
  std::uint64_t seed = 0;
  bool hardware_mbarriers = false;      ///< every mbarrier is a hardware mbarrier
  std::uint64_t record = 0;             ///< runs to record, besides the counted runs
  std::vector<std::string> in_gpu;      ///< detectors (in_gpu.h) that run the test, separately from the counted runs
  double tune_seconds = 0;              ///< not 0: search for the best parameters this long instead
  std::uint32_t max_steps = 1U << 12U;  ///< backward jumps of a thread before its run counts as a bound hit
  std::optional<Stm> stm;               ///< the software transactional memory that runs transactions
};

/// How often an outcome was seen, and under which parameters.
struct Sighting {
  std::vector<Value> values;
  std::uint64_t count = 0;
  std::uint64_t first_instance = 0;  ///< instances finished before the launch in which it appeared first
  Stress first;                      ///< parameters of that launch
  std::uint64_t first_seed = 0;      ///< and the seed of its permutations and choices
  double best_rate = 0;              ///< most sightings a second in one launch
  Stress best;                       ///< and that launch's parameters
};

/// One access or fence of a recorded run.
struct RecordedEntry {
  std::uint32_t instruction = 0;  ///< of its thread
  Value value = 0;                ///< read; 0 for a store, a reduction and a fence
  friend auto operator<=>(const RecordedEntry&, const RecordedEntry&) = default;
};

/// The recorder's data of a run: each thread's accesses and fences; and the order in which all threads took their
/// tickets, as the numbers of the threads. The order is a hint: a store takes effect some time after its ticket.
struct Recording {
  std::vector<std::vector<RecordedEntry>> threads;
  std::vector<std::uint32_t> order;
  friend auto operator<=>(const Recording&, const Recording&) = default;
};

/// The reports of a detector inside the kernel.
struct InGpuReport {
  std::string detector;
  std::uint64_t instances = 0;  ///< run with the detector inside; not part of the histogram
  double kernel_seconds = 0;
  std::uint64_t left_out = 0;         ///< instances in which an assumption or the filter was not met
  std::uint64_t without_verdict = 0;  ///< instances that were given up, or exceeded the detector's memory
  std::uint64_t racy = 0;             ///< instances with a race
  std::uint64_t unplaced = 0;         ///< reports for which the device's table was full
  /// As unpack_race() reads them, and the number of instances that reported each.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> races;
  std::string not_run;  ///< why it cannot run this test; empty: it ran
};

/// The results of a test on a GPU.
struct RunReport {
  Histogram histogram;
  std::vector<Sighting> sightings;  ///< in the histogram's order
  std::uint64_t instances = 0;
  std::uint64_t rounds = 0;
  std::uint64_t launches = 0;
  std::uint64_t uncounted = 0;  ///< instances whose outcome did not fit into the device's table
  double kernel_seconds = 0;
  double compile_milliseconds = 0;
  bool compiled = false;                                        ///< some kernel was not in the cache
  Stress current;                                               ///< parameters of the last or current launch
  std::string profile;                                          ///< the shipped profile in use; empty: none
  std::vector<std::pair<Recording, std::uint64_t>> recordings;  ///< distinct recordings and their counts
  std::uint64_t recorded = 0;       ///< runs of the recorder, which are not part of the histogram
  std::uint64_t unrecorded = 0;     ///< recorded runs without a recording (RecordingCounter)
  double record_seconds = 0;        ///< wall time of recording, reading and comparing them
  std::vector<InGpuReport> in_gpu;  ///< in the order of RunOptions::in_gpu
  std::optional<Stress> tuned;      ///< the best parameters found
  double tuned_rate = 0;            ///< sightings of the target a second under them
  std::uint64_t trials = 0;         ///< sets of parameters tried
  std::vector<std::string> notes;   ///< "memory for 65536 instances only"
};

/// Called before each launch and at the end with the results so far; false ends the run.
using OnProgress = std::function<bool(const RunReport&)>;

}  // namespace ambit::cuda
