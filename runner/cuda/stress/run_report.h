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
#include "runner/cuda/stress/stress.h"

namespace ambit::cuda {

/// Options for the run of one test.
struct RunOptions {
  Stress stress;
  std::map<std::string, std::uint32_t> fixed;  ///< parameters that `vary` does not change
  bool by_device = false;                      ///< a shipped profile for the test and the device replaces `stress`
  bool alternate = false;    ///< every fourth launch uses spread_out(); on several GPUs, memories are used in turn
  bool vary = false;         ///< every few launches, the run draws new random parameters
  std::vector<Stress> sets;  ///< if not empty, only these sets run, and each gets an equal share of `seconds`
  /// Used only with `sets`: if `until` is not empty, the run ends as soon as all outcomes in `until` have been seen.
  std::set<std::vector<Value>> until;
  std::uint64_t rounds = 0;  ///< limit on the number of rounds; 0 for no limit
  double seconds = 2;        ///< seconds of kernel time; 0 for no limit
  std::uint64_t seed = 0;
  bool hardware_mbarriers = false;      ///< every mbarrier is a hardware mbarrier
  std::uint64_t record = 0;             ///< number of runs to record, in addition to the counted runs
  std::vector<std::string> in_gpu;      ///< detectors (in_gpu.h) that run the test, separately from the counted runs
  double tune_seconds = 0;              ///< seconds of a search for the best parameters; 0 for a normal run
  std::uint32_t max_steps = 1U << 12U;  ///< limit on a thread's backward jumps; a run that exceeds it is a bound hit
  std::optional<Stm> stm;               ///< the software transactional memory that runs transactions
};

/// How often an outcome was seen, and with which parameters.
struct Sighting {
  std::vector<Value> values;
  std::uint64_t count = 0;
  /// Number of instances that finished before the launch in which the outcome first appeared.
  std::uint64_t first_instance = 0;
  Stress first;                  ///< parameters of the launch in which the outcome first appeared
  std::uint64_t first_seed = 0;  ///< seed of the permutations and random choices of that launch
  double best_rate = 0;          ///< largest number of sightings per second in one launch
  Stress best;                   ///< parameters of the launch with the best rate
};

/// One access or fence of a recorded run.
struct RecordedEntry {
  std::uint32_t instruction = 0;  ///< number of the instruction in its thread
  Value value = 0;                ///< value read; 0 for a store, a reduction or a fence
  friend auto operator<=>(const RecordedEntry&, const RecordedEntry&) = default;
};

/// The recording of a run: each thread's accesses and fences, and a list of thread numbers. The list shows the order in
/// which the threads took their tickets. This order is only a hint, because a store takes effect some time after the
/// thread took the ticket.
struct Recording {
  std::vector<std::vector<RecordedEntry>> threads;
  std::vector<std::uint32_t> order;
  friend auto operator<=>(const Recording&, const Recording&) = default;
};

/// The reports of a detector inside the kernel.
struct InGpuReport {
  std::string detector;
  std::uint64_t instances = 0;  ///< instances of the kernel with the detector; not counted in the histogram
  double kernel_seconds = 0;
  std::uint64_t left_out = 0;         ///< instances in which an assumption or the filter was not met
  std::uint64_t without_verdict = 0;  ///< instances that were given up or exceeded the detector's memory
  std::uint64_t racy = 0;             ///< instances with a race
  std::uint64_t unplaced = 0;         ///< reports that did not fit into the device's table
  /// Races in the form that unpack_race() reads, and the number of instances that reported each race.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> races;
  std::string not_run;  ///< why the detector cannot run this test; empty if the detector ran
};

/// The results of a test on a GPU.
struct RunReport {
  Histogram histogram;
  std::vector<Sighting> sightings;  ///< sightings of the outcomes, in the order of the histogram
  std::uint64_t instances = 0;
  std::uint64_t rounds = 0;
  std::uint64_t launches = 0;
  std::uint64_t uncounted = 0;  ///< instances whose outcome did not fit into the device's table
  double kernel_seconds = 0;
  double compile_milliseconds = 0;
  bool compiled = false;                                        ///< some kernel was not in the cache
  Stress current;                                               ///< parameters of the current or last launch
  std::string profile;                                          ///< name of the shipped profile in use; may be empty
  std::vector<std::pair<Recording, std::uint64_t>> recordings;  ///< distinct recordings and their counts
  std::uint64_t recorded = 0;       ///< number of recorded runs; not counted in the histogram
  std::uint64_t unrecorded = 0;     ///< recorded runs whose recording was not kept (RecordingCounter)
  double record_seconds = 0;        ///< wall time for recording, and for reading and comparing the recordings
  std::vector<InGpuReport> in_gpu;  ///< in the order of RunOptions::in_gpu
  std::optional<Stress> tuned;      ///< the best parameters that the search found
  double tuned_rate = 0;            ///< sightings of the target per second with these parameters
  std::uint64_t trials = 0;         ///< number of parameter sets that were tried
  std::vector<std::string> notes;   ///< notes such as "memory for 65536 instances only"
};

/// Called with the results so far, before each launch and at the end. If the function returns false, the run ends.
using OnProgress = std::function<bool(const RunReport&)>;

}  // namespace ambit::cuda
