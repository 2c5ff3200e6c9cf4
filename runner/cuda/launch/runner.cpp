#include "runner/cuda/launch/runner.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runner/cuda/emit/layout.h"
#include "runner/cuda/launch/test_run.h"
#include "runner/cuda/stress/profiles.h"

namespace ambit::cuda {

Runner::Runner(std::unique_ptr<Driver> driver, std::vector<std::uint32_t> devices, DeviceInfo device,
               std::string cache_folder, bool checks_machine_code)
    : driver_(std::move(driver)),
      devices_(std::move(devices)),
      device_(std::move(device)),
      kernels_(device_, driver_->version(), std::move(cache_folder), checks_machine_code) {}

Result<std::unique_ptr<Runner>> Runner::open(std::vector<std::uint32_t> devices, std::string cache_folder,
                                             bool checks_machine_code) {
  Result<std::unique_ptr<Driver>> driver = Driver::open();
  if (!driver) return driver.errors();
  if (devices.empty()) {
    devices.resize(driver.value()->device_count());
    std::iota(devices.begin(), devices.end(), 0U);
  }
  Result<DeviceInfo> info = driver.value()->use(devices.front());
  if (!info) return info.errors();
  return std::unique_ptr<Runner>(new Runner(std::move(driver).value(), std::move(devices), std::move(info).value(),
                                            std::move(cache_folder), checks_machine_code));
}

bool Runner::is_healthy() {
  const Result<DevicePointer> memory = driver_->allocate(16);
  if (!memory) return false;
  const bool works = driver_->clear(memory.value(), 16).ok();
  driver_->release(memory.value());
  return works;
}

/// Returns the options for one test, with the parameters of the profile for the test and this device. A test on several
/// GPUs runs with its cells first in one memory, then in the next, unless the user selects a memory. If the profile is
/// for two GPUs, the test runs half of the time with the unchanged parameters of the profile.
RunOptions Runner::fitting(const Program& program, const RunOptions& options, std::string* profile) const {
  RunOptions result = options;
  const auto shipped = options.by_device ? shipped_profile(program, device_.name) : std::nullopt;
  if (shipped) {
    if (profile != nullptr) *profile = shipped->name;
    result.stress = shipped->stress;
    set_fixed(result.stress, options.fixed);
  }
  const bool has_one_set = options.vary || options.seconds <= 0 || options.rounds > 0;
  if (!is_on_several_gpus(program) || has_one_set || options.fixed.contains("cell_memory")) return result;
  if (!options.sets.empty()) {
    result.sets = in_every_memory(options.sets);
  } else if (options.alternate) {
    result.sets = in_every_memory({result.stress, spread_out(result.stress, options.fixed)});
    const std::size_t share = shipped && shipped->is_for_two_gpus ? result.sets.size() : 0;
    result.sets.insert(result.sets.begin(), share, result.stress);
  }
  return result;
}

void Runner::compile_ahead(const Program& program, const RunOptions& given) {
  std::vector<Shape> shapes;
  for (const RunPart& part : parts_of(program, fitting(program, given, nullptr), given.stress)) {
    shapes.push_back(part.shape(part.stress));
  }
  kernels_.make_ahead(program, std::move(shapes));
}

Result<RunReport> Runner::run(const Program& program, const RunOptions& given, const OnProgress& on_progress) {
  std::string profile;
  const RunOptions options = fitting(program, given, &profile);
  TestRun test(*driver_, devices_, kernels_, program, options);
  const auto tuned = [&] {
    std::vector<Stress> known = shipped_profiles(device_.name);
    known.push_back(given.stress);
    known.push_back(spread_out(given.stress, given.fixed));
    return test.tune(is_on_several_gpus(program) ? in_every_memory(known) : known, on_progress);
  };
  Result<RunReport> report =
      options.tune_seconds > 0 ? tuned() : test.run(parts_of(program, options, given.stress), on_progress);
  if (report) {
    report.value().profile = profile;
    std::sort(report.value().sightings.begin(), report.value().sightings.end(),
              [](const Sighting& a, const Sighting& b) { return a.values < b.values; });
  }
  return report;
}

}  // namespace ambit::cuda
