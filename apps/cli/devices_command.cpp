#include <fmt/format.h>

#include <iostream>

#include "apps/cli/commands.h"
#include "runner/cuda/launch/driver.h"
#include "runner/cuda/launch/nvrtc.h"

namespace ambit::cli {
namespace {

void print_missing(std::string_view what, const Diagnostics& errors) {
  for (const Diagnostic& error : errors) {
    std::cout << fmt::format("{}: {}\n", what, error.message);
    if (!error.hint.empty()) std::cout << fmt::format("  {}\n", error.hint);
  }
}

/// Prints the driver, the devices and the compiler, or says that they are missing. Fails if no test can run on a GPU of
/// this machine.
int run_devices() {
  bool is_ready = true;
  const auto driver = cuda::Driver::open();
  if (driver.ok()) {
    std::cout << fmt::format("driver: for CUDA {}\n", driver.value()->version());
    for (std::uint32_t i = 0; i < driver.value()->device_count(); ++i) {
      const auto info = driver.value()->describe(i);
      if (!info.ok()) {
        print_missing(fmt::format("device {}", i), info.errors());
        continue;
      }
      const cuda::DeviceInfo& device = info.value();
      std::cout << fmt::format("device {}: {}, sm_{}, {} multiprocessors, {:.0f} GiB, L2 cache {:.0f} MiB\n", i,
                               device.name, device.arch, device.multiprocessors,
                               static_cast<double>(device.memory_bytes) / (1U << 30U),
                               static_cast<double>(device.l2_bytes) / (1U << 20U));
      if (device.arch < 75) std::cout << "  not supported: tests need sm_75 or later\n";
    }
  } else {
    print_missing("driver", driver.errors());
    is_ready = false;
  }
  const auto nvrtc = cuda::Nvrtc::open();
  if (nvrtc.ok()) {
    std::cout << fmt::format("compiler: NVRTC {} ({})\n", nvrtc.value()->version(), nvrtc.value()->path());
  } else {
    print_missing("compiler", nvrtc.errors());
    is_ready = false;
  }
  std::cout << (is_ready ? "tests can run with --backend cuda\n" : "no test can run with --backend cuda here\n");
  return is_ready ? kOk : kFailed;
}

}  // namespace

Action declare_devices(Command) {
  return [] { return run_devices(); };
}

}  // namespace ambit::cli
