#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/source.h"

namespace ambit::cuda {

/// A GPU as the driver describes it.
struct DeviceInfo {
  std::string name;
  std::uint32_t arch = 0;  ///< compute capability: 90 is sm_90
  std::uint32_t multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint32_t l2_bytes = 0;
};

/// An address in device memory.
using DevicePointer = std::uint64_t;

/// How a kernel is launched.
struct LaunchShape {
  std::uint32_t blocks = 1;
  std::uint32_t block_threads = 32;
  std::uint32_t cluster_blocks = 1;
  std::uint32_t shared_bytes = 0;
};

/// The CUDA driver and one device's context. dlopen opens the driver, so that one binary runs with and without a GPU.
/// An error names the function that failed and the driver's text for its return code.
class Driver {
 public:
  /// Errors: no driver, a driver without a required function, no device.
  static Result<std::unique_ptr<Driver>> open();
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// The newest CUDA version that the driver supports: "13.0".
  std::string version() const;
  std::uint32_t device_count() const { return device_count_; }
  Result<DeviceInfo> describe(std::uint32_t device) const;
  /// Makes the device's context current. Required before the functions below.
  Result<DeviceInfo> use(std::uint32_t device);

  struct Function {
    void* module = nullptr;
    void* function = nullptr;
  };
  enum class Compiled { Optimised, AsWritten };
  /// Loads machine code or PTX text. `compiled` says how the driver compiles PTX: optimised or, to look for errors of
  /// its compiler, as it is written.
  Result<Function> load(const std::string& image, const std::string& name, Compiled compiled = Compiled::Optimised);
  void unload(Function& function);
  /// The number of blocks of this kernel that the device runs at a time.
  Result<std::uint32_t> resident_blocks(const Function& function, const LaunchShape& shape) const;
  /// Starts the kernel `times` times, one after the other, and waits for the end of the last. `before` is called before
  /// each start, and may change what `arguments` point to. Returns the seconds from the first start to the last end.
  Result<double> launch(const Function& function, const LaunchShape& shape, void** arguments, std::uint64_t times,
                        const std::function<Result<bool>(std::uint64_t)>& before);
  Result<double> launch(const Function& function, const LaunchShape& shape, void** arguments) {
    return launch(function, shape, arguments, 1, [](std::uint64_t) { return true; });
  }

  /// Memory of at least so many bytes, whose content is undefined. What is released is kept for the next allocation of
  /// its size: to allocate takes longer than a short launch.
  Result<DevicePointer> allocate(std::size_t bytes);
  /// Memory under `copies` virtual addresses, `span` bytes apart.
  struct AliasedMemory {
    DevicePointer pointer = 0;  ///< 0: none
    std::size_t span = 0;
    std::size_t copies = 0;
    std::uint64_t handle = 0;
  };
  Result<AliasedMemory> allocate_aliased(std::size_t bytes, std::size_t copies);
  void release(AliasedMemory& memory);
  void release(DevicePointer pointer);
  Result<bool> clear(DevicePointer pointer, std::size_t bytes);
  Result<bool> write(DevicePointer to, const void* from, std::size_t bytes);
  Result<bool> read(void* to, DevicePointer from, std::size_t bytes);
  /// Whether the last error was a lack of device memory.
  bool is_out_of_memory() const { return is_out_of_memory_; }

 private:
  struct Functions;
  Driver(void* library, std::unique_ptr<Functions> functions);
  Diagnostic failed(const char* function, int code) const;
  void release_kept();

  void* library_;
  std::unique_ptr<Functions> functions_;
  std::uint32_t device_count_ = 0;
  std::uint32_t multiprocessors_ = 0;
  int device_ = 0;
  void* context_ = nullptr;
  void* start_event_ = nullptr;
  void* end_event_ = nullptr;
  bool is_out_of_memory_ = false;
  std::map<DevicePointer, std::size_t> sizes_;      ///< of what is allocated
  std::multimap<std::size_t, DevicePointer> kept_;  ///< released, by size
};

}  // namespace ambit::cuda
