#include "tests/compiled_kernels/virtual_runs.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "base/context.h"
#include "base/source.h"
#include "ptx/module.h"
#include "runner/shadow/watch.h"
#include "runner/virtual/device.h"

namespace ambit::compiled_kernels {
namespace {

using virtual_gpu::Device;

virtual_gpu::Schedule schedule_of(unsigned run) {
  virtual_gpu::Schedule schedule;
  schedule.seed = run + 1;
  if (run % 3 == 2) {
    schedule.kind = virtual_gpu::ScheduleKind::Pct;
    schedule.expected_accesses = 20;
  } else {
    schedule.kind = virtual_gpu::ScheduleKind::Random;
    schedule.quantum = 1 + run % 7;
  }
  return schedule;
}

/// The buffers of a kernel in a device's memory.
class DeviceBuffers {
 public:
  DeviceBuffers(const RandomKernel& kernel, Device& device, std::uint32_t module) : kernel_(kernel), device_(device) {
    for (const Buffer& buffer : kernel.buffers) {
      const std::size_t bytes = buffer.words().size() * 4;
      if (buffer.is_argument) {
        addresses_.push_back(device.memory().allocate(bytes, virtual_gpu::AllocationKind::Device, buffer.name));
      } else {
        const virtual_gpu::Symbol* symbol = device.find_symbol(module, buffer.name);
        addresses_.push_back(symbol == nullptr ? 0 : symbol->address);
      }
    }
  }

  void reset() {
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      Words words(kernel_.buffers[i].words().size(), 0);
      std::ranges::copy(kernel_.buffers[i].initial, words.begin());
      if (addresses_[i] != 0) device_.memory().copy_to_device(addresses_[i], words.data(), words.size() * 4);
    }
  }

  Words words() const {
    Words all;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      Words words(kernel_.buffers[i].words().size(), 0);
      if (addresses_[i] == 0) {  // the compiler dropped the variable
        std::ranges::copy(kernel_.buffers[i].initial, words.begin());
      } else {
        device_.memory().copy_to_host(words.data(), addresses_[i], words.size() * 4);
      }
      all.insert(all.end(), words.begin(), words.end());
    }
    return all;
  }

  std::vector<std::uint8_t> parameters(const virtual_gpu::KernelInfo& info) const {
    std::vector<std::uint8_t> bytes(info.parameter_bytes);
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
      const bool is_number = info.parameters[i].bytes == 4;
      const std::uint64_t value = is_number ? static_cast<std::uint64_t>(kernel_.number) : addresses_.at(i);
      std::memcpy(bytes.data() + info.parameters[i].offset, &value, info.parameters[i].bytes);
    }
    return bytes;
  }

 private:
  const RandomKernel& kernel_;
  Device& device_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace

Runs run(const RandomKernel& kernel, const std::string& module, unsigned runs) {
  Runs result;
  auto read = ptx::read_module(std::make_shared<const SourceFile>(SourceFile{"kernels.ptx", module}));
  if (!read.ok()) return {render(read.errors())};
  Device device(std::uint64_t{1} << 30U);
  device.options().step_budget = 100'000;
  shadow::WatchOptions options;
  options.detectors = {{"barracuda", {}}};
  const std::filesystem::path report =
      std::filesystem::temp_directory_path() / ("ambit-compiled-kernels-" + std::to_string(getpid()));
  options.report_file = report.string();
  {
    shadow::Watch watch(options, device);
    const auto loaded = device.load(std::make_shared<const ptx::Module>(std::move(read.value())));
    if (!loaded.ok()) return {render(loaded.errors())};
    DeviceBuffers buffers(kernel, device, loaded.value());
    virtual_gpu::Launch launch;
    launch.module = loaded.value();
    launch.kernel = kernel.name;
    launch.grid = {kernel.blocks, 1, 1};
    launch.block = {kernel.threads, 1, 1};
    launch.parameters = buffers.parameters(*device.find_kernel(loaded.value(), kernel.name));
    for (unsigned i = 0; i < runs && result.error.empty(); ++i) {
      buffers.reset();
      device.options().schedule = schedule_of(i);
      Context context;
      const auto launched = device.launch(launch, context);
      if (!launched.ok()) {
        result.error = render(launched.errors());
      } else if (launched.value().end != virtual_gpu::LaunchEnd::Completed) {
        result.error = launched.value().findings.empty() ? std::string(to_string(launched.value().end))
                                                         : launched.value().findings.back().message;
      } else {
        watch.launched(kernel.name, launched.value());
        result.outcomes.insert(buffers.words());
      }
    }
    watch.flush(true);
  }
  const auto found = shadow::read_report(report.string());
  if (found.ok()) result.has_race = !found.value().races.empty();
  std::filesystem::remove(report);
  return result;
}

}  // namespace ambit::compiled_kernels
