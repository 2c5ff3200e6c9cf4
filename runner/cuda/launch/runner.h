#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/kernel_maker.h"
#include "runner/cuda/stress/run_report.h"

namespace ambit::cuda {

/// Runs tests on the GPUs of this machine in this process. A kernel that hangs makes the process hang: see isolated.h.
class Runner {
 public:
  /// Opens driver and device. The compiler is opened when a kernel is not in the cache. If `checks_machine_code` is
  /// true, all kernels are compiled, and a kernel runs only if its machine code is as expected. `devices` are the GPUs
  /// for tests on several GPUs; the first GPU runs all other tests. If `devices` is empty, all GPUs are used in the
  /// driver's order.
  static Result<std::unique_ptr<Runner>> open(std::vector<std::uint32_t> devices, std::string cache_folder,
                                              bool checks_machine_code);

  const DeviceInfo& device() const { return device_; }
  Driver& driver() { return *driver_; }

  /// Compiles the first kernel of run() on another thread. `program` must live until run() is called with `program`, or
  /// until this object is destroyed.
  void compile_ahead(const Program& program, const RunOptions& options);

  /// Returns whether the device still works. After a kernel's fault, every call in the kernel's context returns that
  /// fault.
  bool is_healthy();

  /// Keeps every kernel in memory, for tests that run more than once.
  void keep_kernels() { kernels_.keep_all(); }

  /// Runs a test, or tunes its parameters if RunOptions::tune_seconds is set.
  Result<RunReport> run(const Program& program, const RunOptions& options, const OnProgress& on_progress);

 private:
  RunOptions fitting(const Program& program, const RunOptions& options, std::string* profile) const;
  Runner(std::unique_ptr<Driver> driver, std::vector<std::uint32_t> devices, DeviceInfo device,
         std::string cache_folder, bool checks_machine_code);
  std::unique_ptr<Driver> driver_;
  std::vector<std::uint32_t> devices_;
  DeviceInfo device_;
  KernelMaker kernels_;
};

}  // namespace ambit::cuda
