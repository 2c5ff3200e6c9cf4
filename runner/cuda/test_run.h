#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "kernels/parameters.h"
#include "runner/cuda/driver.h"
#include "runner/cuda/emit_kernel.h"
#include "runner/cuda/runner.h"
#include "runner/cuda/stress.h"

namespace ambit::cuda {

struct RunLogs;

/// One test being run on a device: its kernel, its memory, what was counted so far.
class TestRun {
 public:
  /// `recorder`: the parameters of recorded runs. Profiles are made for rates, and crowd the recorder out.
  TestRun(Runner& runner, const Program& program, const RunOptions& options, const Stress& recorder);
  ~TestRun();
  TestRun(const TestRun&) = delete;
  TestRun& operator=(const TestRun&) = delete;

  /// Launch after launch until the rounds or seconds are over.
  Result<RunReport> run(const OnProgress& on_progress);
  /// Looks for the parameters under which the target is seen most often a second (RunOptions::tune_seconds), first at
  /// random, then around the best found. What is counted meanwhile is in the report as well.
  Result<RunReport> tune(const OnProgress& on_progress);
  /// Runs the test with a recorder around each access, RunOptions::record times at least, and adds the recordings that
  /// differ to the report.
  Result<bool> record(const OnProgress& on_progress);
  /// Runs the test once more for each detector of RunOptions::in_gpu, with it inside the kernel, and adds what they
  /// found to the report. False: `on_progress` ended it.
  Result<bool> detect(const OnProgress& on_progress);

 private:
  /// A kernel on the device with its memory: for one shape and one set of parameters.
  struct Loaded {
    Kernel kernel;
    Driver::Function function;
    LaunchShape shape;
    ambit_kernel::Parameters parameters{};
    ambit_kernel::Buffers buffers{};
    std::vector<DevicePointer> memory;
    Driver::AliasedMemory aliased;  ///< the cells, where the test has aliases
  };

  bool wants_more() const;
  Result<bool> change();
  Result<bool> use(const Stress& stress);
  void free_all();
  void free_memory();
  Result<bool> allocate_aliased(std::size_t bytes);
  Result<bool> prepare();
  Result<bool> choose_size();
  void set_groups(std::uint32_t groups);
  std::uint32_t instances() const;
  Result<bool> allocate_all();
  Result<bool> try_allocate();
  void fill_parameters();
  Result<double> launch(std::uint64_t rounds);
  Result<bool> step(double seconds);
  Result<bool> collect(double seconds);
  Result<bool> read_logs(RunLogs& logs);
  Stress stress_of_detection(std::uint64_t launch) const;
  Result<bool> run_detector(const OnProgress& on_progress);
  Result<bool> collect_races(InGpuReport& found);
  void add(std::vector<Value> outcome, unsigned flags, std::uint64_t count, double seconds);
  bool is_target(const std::vector<Value>& outcome) const;
  Result<double> rate_of(const Stress& stress, const OnProgress& on_progress);

  Runner& runner_;
  Driver& driver_;
  const Program& program_;
  const RunOptions& options_;
  Stress recorder_;
  std::mt19937_64 random_;
  Stress stress_;
  Loaded loaded_;
  RunReport report_;
  std::array<std::uint64_t, ambit_kernel::kTableSize> counts_before_{};
  std::uint64_t uncounted_before_ = 0;
  std::uint64_t target_count_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t rounds_ = 0;         ///< of the last launch
  std::uint64_t next_rounds_ = 8;    ///< of the next one
  std::uint64_t spread_rounds_ = 8;  ///< of the next one that is spread out
  bool is_cancelled_ = false;
  bool is_recording_ = false;
  const InGpuDetector* detector_ = nullptr;  ///< inside the kernel; null: none
};

}  // namespace ambit::cuda
