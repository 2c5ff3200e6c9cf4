#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "kernels/parameters.h"
#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/kernel_maker.h"
#include "runner/cuda/stress/run_report.h"
#include "runner/cuda/stress/stress.h"

namespace ambit::cuda {

struct RunLogs;

/// One part of a test's run, with its own kernel: the counted runs, the recorded runs, or the runs with one detector
/// inside the kernel.
struct RunPart {
  Stress stress;  ///< initial parameters
  bool records = false;
  const InGpuDetector* detector = nullptr;  ///< detector inside the kernel; null for the other parts
  bool hardware_mbarriers = false;
  std::optional<Stm> stm = std::nullopt;  ///< the software transactional memory that runs the test's transactions

  /// Returns the shape of the part's kernel for the parameters `now`. Only counted runs have batches.
  Shape shape(const Stress& now) const {
    return {.block_threads = now.block_threads,
            .batch = records || detector != nullptr ? 1 : now.batch,
            .records = records,
            .hardware_mbarriers = hardware_mbarriers,
            .detector = detector,
            .stm = stm};
  }
};

/// Returns the parts of a run in order. `recorder` has the parameters of recorded runs. Recorded runs use no profiles,
/// because profiles are tuned for high rates and would leave the recorder too little time. A test with asynchronous
/// operations, transactions or several GPUs has only counted runs, because the recorder and the detectors do not
/// support these features.
std::vector<RunPart> parts_of(const Program& program, const RunOptions& options, const Stress& recorder);

/// One test that runs on a device: its kernel, its memory, and its counts so far.
class TestRun {
 public:
  /// All references must outlive this object. `devices` are the devices for the GPUs of the test, in order; the first
  /// is the driver's device.
  TestRun(Driver& driver, const std::vector<std::uint32_t>& devices, KernelMaker& kernels, const Program& program,
          const RunOptions& options)
      : driver_(driver),
        devices_(devices),
        kernels_(kernels),
        program_(program),
        options_(options),
        random_(options.seed) {}
  ~TestRun();
  TestRun(const TestRun&) = delete;
  TestRun& operator=(const TestRun&) = delete;

  /// Runs all parts.
  Result<RunReport> run(const std::vector<RunPart>& parts, const OnProgress& on_progress);
  /// Searches for the parameters that show the target most often per second (RunOptions::tune_seconds). First tries the
  /// sets in `known`, then random sets, then variations of the best sets. The report includes the counts of the search.
  Result<RunReport> tune(const std::vector<Stress>& known, const OnProgress& on_progress);

 private:
  /// A kernel on the device with its memory, for one shape and one set of parameters.
  struct Loaded {
    Kernel kernel;
    /// One grid for each GPU of the test, or one for each of its dependent grids.
    std::vector<Driver::Grid> grids;
    std::optional<Driver::Grid> counter = std::nullopt;  ///< the grid that counts the outcomes of dependent grids
    ambit_kernel::Parameters parameters{};
    ambit_kernel::Buffers buffers{};
    std::vector<DevicePointer> memory;
    std::vector<unsigned*> scratchpads;  ///< one scratchpad for each GPU
    Driver::MappedMemory mapped;         ///< the cells, if the test has aliases or uses several GPUs
  };
  /// The arguments of one grid.
  struct GridArguments {
    ambit_kernel::Parameters parameters{};
    ambit_kernel::Buffers buffers{};
    std::array<void*, 3> pointers{};
  };

  // Each of these functions adds its results to the report. Each function returns false if `on_progress` ended the run.

  /// Launches kernels until the rounds or seconds are used up.
  Result<bool> count(const OnProgress& on_progress);
  /// Runs the test at least RunOptions::record times with a recorder around each access.
  Result<bool> record(const OnProgress& on_progress);
  /// Runs the test with a detector inside the kernel.
  Result<bool> detect(const OnProgress& on_progress);

  /// Runs each set in RunOptions::sets for an equal share of the time.
  Result<bool> count_sets(const OnProgress& on_progress);
  bool has_seen_all() const;
  double seconds_left() const;
  bool wants_more() const;
  Result<bool> change();
  Result<bool> use(const Stress& stress);
  void free_all();
  void free_memory();
  Result<bool> allocate_cells();
  bool is_on_several_gpus() const { return loaded_.kernel.layout.gpus() > 1; }
  bool is_apart() const;
  Result<bool> prepare();
  Result<bool> load(Kernel kernel);
  Result<bool> load_grids(const std::string& cubin);
  Result<bool> choose_size();
  Result<std::uint32_t> size_of_grid(std::size_t gpu);
  Result<bool> set_groups(std::uint32_t groups);
  std::uint32_t instances() const;
  Result<bool> allocate_all();
  Result<bool> try_allocate();
  void fill_parameters();
  void fill_arguments(std::vector<GridArguments>& arguments, unsigned& first_round);
  Result<double> launch(std::uint64_t rounds);
  Result<bool> step(double seconds);
  // The functions for tests whose grids depend on each other (dependent_grids.cpp).
  Result<bool> load_dependent(const std::string& cubin);
  Result<bool> choose_size_of_dependent();
  Result<double> launch_dependent(std::uint64_t rounds);
  Result<bool> collect(double seconds);
  Result<bool> read_logs(RunLogs& logs);
  Stress stress_of_detection(std::uint64_t launch) const;
  Result<bool> run_detector(InGpuReport& found, const OnProgress& on_progress);
  Result<bool> collect_races(InGpuReport& found);
  void add(std::vector<Value> outcome, unsigned flags, std::uint64_t count, double seconds);
  bool is_target(const std::vector<Value>& outcome) const;
  Result<double> rate_of(const Stress& stress, const OnProgress& on_progress);

  Driver& driver_;
  const std::vector<std::uint32_t>& devices_;
  KernelMaker& kernels_;
  const Program& program_;
  const RunOptions& options_;
  std::mt19937_64 random_;
  RunPart part_;
  Stress stress_;
  Loaded loaded_;
  RunReport report_;
  std::array<std::uint64_t, ambit_kernel::kTableSize> counts_before_{};
  std::uint64_t uncounted_before_ = 0;
  std::size_t cell_bytes_ = 0;  ///< bytes of all copies of all cells
  std::uint64_t target_count_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t rounds_ = 0;         ///< rounds of the last launch
  std::uint64_t next_rounds_ = 8;    ///< rounds of the next launch
  std::uint64_t spread_rounds_ = 8;  ///< rounds of the next launch that is spread out
  bool is_cancelled_ = false;
  /// Start time of the counted runs, after the preparations for the first launch.
  std::chrono::steady_clock::time_point began_;
};

}  // namespace ambit::cuda
