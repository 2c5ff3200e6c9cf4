#include "runner/cuda/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "runner/cuda/code_check.h"
#include "runner/cuda/test_run.h"

namespace ambit::cuda {

Runner::Runner(std::unique_ptr<Driver> driver, DeviceInfo device, std::string cache_folder)
    : driver_(std::move(driver)), device_(std::move(device)), cache_(std::move(cache_folder)) {}

Result<std::unique_ptr<Runner>> Runner::open(std::uint32_t device, std::string cache_folder) {
  Result<std::unique_ptr<Driver>> driver = Driver::open();
  if (!driver) return driver.errors();
  Result<DeviceInfo> info = driver.value()->use(device);
  if (!info) return info.errors();
  return std::unique_ptr<Runner>(
      new Runner(std::move(driver).value(), std::move(info).value(), std::move(cache_folder)));
}

Result<std::string> Runner::compile(const Kernel& kernel, const Program& program, RunReport& report) {
  if (device_.arch < kernel.lowest_arch) {
    return Diagnostic{program.source,
                      {},
                      fmt::format("this test's instructions need sm_{}, and {} is sm_{}", kernel.lowest_arch,
                                  device_.name, device_.arch),
                      ""};
  }
  const auto start = std::chrono::steady_clock::now();
  const std::string key =
      KernelCache::key(kernel.source, fmt::format("sm_{} driver {}", device_.arch, driver_->version()));
  std::optional<std::string> cubin = cache_.find(key);
  if (!cubin) {
    if (!nvrtc_) {
      auto nvrtc = Nvrtc::open();
      if (!nvrtc) return nvrtc.errors();
      nvrtc_ = std::move(nvrtc).value();
    }
    Result<Nvrtc::Code> code = nvrtc_->compile(kernel.source, program.name + ".cu", device_.arch);
    if (!code) return code.errors();
    if (const std::string wrong = check_ptx(kernel, code.value().ptx); !wrong.empty()) {
      return Diagnostic{program.source, {}, "the compiler did not keep the test's instructions: " + wrong, ""};
    }
    cubin = std::move(code.value().cubin);
    cache_.keep(key, *cubin);
    report.compiled = true;
  }
  report.compile_milliseconds +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::move(*cubin);
}

Result<RunReport> Runner::run(const Program& program, const RunOptions& options, const OnProgress& on_progress) {
  TestRun test(*this, program, options);
  Result<RunReport> report = options.tune_seconds > 0 ? test.tune(on_progress) : test.run(on_progress);
  if (report) {
    std::sort(report.value().sightings.begin(), report.value().sightings.end(),
              [](const Sighting& a, const Sighting& b) { return a.values < b.values; });
  }
  return report;
}

}  // namespace ambit::cuda
