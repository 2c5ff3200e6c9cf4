#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ptx/module.h"
#include "runner/virtual/device.h"

namespace ambit::virtual_gpu {

/// A virtual device with one module, for tests that launch kernels.
class KernelRun {
 public:
  /// Loads `text`, which is a whole PTX module. The test fails if the module cannot be parsed or loaded.
  explicit KernelRun(const std::string& text);

  /// Allocates an array with these values on the device, and returns its address.
  template <class T>
  std::uint64_t array(const std::vector<T>& values) {
    const std::uint64_t address = device.memory().allocate(values.size() * sizeof(T), AllocationKind::Device, "test");
    device.memory().copy_to_device(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  std::uint64_t fresh(std::uint64_t bytes) { return device.memory().allocate(bytes, AllocationKind::Device, "test"); }
  template <class T>
  std::vector<T> read(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    device.memory().copy_to_host(values.data(), address, count * sizeof(T));
    return values;
  }

  /// Launches a kernel. All of its parameters must be 64 bits wide.
  Result<LaunchReport> launch(const std::string& kernel, Extent grid, Extent block,
                              const std::vector<std::uint64_t>& parameters, std::uint32_t shared_bytes = 0);
  /// Like launch(), but the test fails unless the launch completes.
  LaunchReport run(const std::string& kernel, Extent grid, Extent block, const std::vector<std::uint64_t>& parameters,
                   std::uint32_t shared_bytes = 0);

  Device device;
  Context context;
  std::string printed;
  Extent cluster;  ///< the cluster size of all later launches
  std::uint32_t module = 0;
};

/// Returns a module with one kernel `k(.param .u64 p0, ...)`, which has `parameters` parameters and the given body. The
/// kernel's registers are %p<20>, %rs<20>, %r<40>, %rd<40>, %f<20>, %fd<20>, %h<20> (b16).
std::string kernel_text(unsigned parameters, const std::string& body, const std::string& before = {});

/// Returns all findings and all stopped threads as text, for the message of a failed test.
std::string text_of(const Device& device, const LaunchReport& report);

}  // namespace ambit::virtual_gpu
