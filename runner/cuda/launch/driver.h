#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/source.h"

namespace ambit::cuda {

struct DriverFunctions;
struct KernelTensorMap;

/// A tensor map in the hardware's format.
struct alignas(64) TensorMapBytes {
  std::array<unsigned char, 128> bytes{};
};

/// A GPU as described by the driver.
struct DeviceInfo {
  std::string name;
  std::uint32_t arch = 0;  ///< compute capability: 90 means sm_90
  std::uint32_t multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint32_t l2_bytes = 0;
};

/// An address in device memory.
using DevicePointer = std::uint64_t;

/// The launch parameters of a kernel.
struct LaunchShape {
  std::uint32_t blocks = 1;
  std::uint32_t block_threads = 32;
  std::uint32_t cluster_blocks = 1;
  std::uint32_t shared_bytes = 0;
  /// Whole: the driver rejects the launch unless all blocks can be resident at the same time. InOrder: the kernel
  /// starts after the earlier work in the stream. Dependent: the kernel starts as soon as the previous kernel permits
  /// the start (programmatic dependent launch).
  enum class Start : std::uint8_t { Whole, InOrder, Dependent } start = Start::Whole;
};

/// The CUDA driver, and a context for each GPU in use (usually one GPU). Ambit opens the driver with dlopen, so that
/// the same binary runs with and without a GPU. An error names the function that failed, and gives the driver's text
/// for the return code.
class Driver {
 public:
  /// Errors: no driver, a driver without a required function, no device.
  static Result<std::unique_ptr<Driver>> open();
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Returns the newest CUDA version that the driver supports: "13.0".
  std::string version() const;
  std::uint32_t device_count() const { return device_count_; }
  Result<DeviceInfo> describe(std::uint32_t device) const;
  /// Makes the device's context current. Must be called before the functions below.
  Result<DeviceInfo> use(std::uint32_t device);
  /// Opens the GPUs that run one test together; the first of `devices` is the device of use(). The place of a GPU is
  /// its index in `devices`. Kernels on each GPU can access the memory of all GPUs. A device that is listed several
  /// times runs several grids at the same time. Devices that are already open stay open. Errors: an unknown device;
  /// GPUs of different architectures; a link without peer access or without atomics.
  Result<bool> use_together(const std::vector<std::uint32_t>& devices);

  struct Function {
    void* module = nullptr;
    void* function = nullptr;
    std::size_t gpu = 0;  ///< place of the function's GPU
  };
  enum class Compiled { Optimised, AsWritten };
  /// Loads machine code or PTX text. Compiled::Optimised lets the driver optimise PTX. Compiled::AsWritten turns
  /// optimisation off, which helps to find errors of the driver's compiler. `gpu` is the place of the GPU.
  Result<Function> load(const std::string& image, const std::string& name, Compiled compiled = Compiled::Optimised,
                        std::size_t gpu = 0);
  void unload(Function& function);
  /// Returns the number of blocks of this kernel that can be resident on the device.
  Result<std::uint32_t> resident_blocks(const Function& function, const LaunchShape& shape) const;
  /// The part of a launch on one GPU: one grid.
  struct Grid {
    Function function;
    LaunchShape shape;
    void** arguments = nullptr;
  };
  /// Launches the grids `times` times and waits until the last launch has ended. Grids on several GPUs run at the same
  /// time. Before each launch, calls `before`, which may change the data of the arguments. Returns the seconds from the
  /// start of the first launch to the end of the last launch.
  Result<double> launch(std::span<const Grid> grids, std::uint64_t times,
                        const std::function<Result<bool>(std::uint64_t)>& before);
  Result<double> launch(const Function& function, const LaunchShape& shape, void** arguments) {
    const Grid grid{function, shape, arguments};
    return launch({&grid, 1}, 1, [](std::uint64_t) { return true; });
  }

  /// Returns GPU memory of at least this size, with undefined content. Keeps released memory for the next allocation of
  /// the same size, because an allocation takes longer than a short launch.
  Result<DevicePointer> allocate(std::size_t bytes, std::size_t gpu = 0);
  /// Memory that is mapped at `copies` virtual addresses, which are `span` bytes apart.
  struct MappedMemory {
    DevicePointer pointer = 0;  ///< 0 if nothing is mapped
    std::size_t span = 0;
    std::size_t copies = 0;
    std::vector<std::uint64_t> handles;  ///< handles of the parts
    bool is_on_host = false;
  };
  /// Allocates memory that consists of consecutive parts of `part_bytes` bytes. `homes` gives, for each part, the GPU
  /// whose memory holds the part. All GPUs in use can access all parts. If there are several parts, `part_bytes` is a
  /// multiple of mapping_unit().
  Result<MappedMemory> allocate_mapped(std::size_t part_bytes, const std::vector<std::size_t>& homes,
                                       std::size_t copies);
  Result<std::size_t> mapping_unit() const;
  /// Returns whether read-modify-writes of the GPUs in use are atomic in host memory.
  Result<bool> has_atomics_on_host() const;
  /// Returns host memory that all GPUs can access.
  Result<MappedMemory> allocate_on_host(std::size_t bytes);
  void release(MappedMemory& memory);
  void release(DevicePointer pointer);
  Result<bool> clear(DevicePointer pointer, std::size_t bytes);
  Result<bool> write(DevicePointer to, const void* from, std::size_t bytes);
  Result<bool> read(void* to, DevicePointer from, std::size_t bytes);
  /// Makes the tensor map of an array at a device address. The map is a plain tile, neither interleaved nor swizzled.
  Result<bool> encode(const KernelTensorMap& map, DevicePointer array, TensorMapBytes& made) const;
  /// Returns whether the last error was insufficient device memory.
  bool is_out_of_memory() const { return is_out_of_memory_; }

 private:
  Driver(void* library, std::unique_ptr<DriverFunctions> functions);
  /// A GPU in use: a device and the stream in which it runs its part of a test.
  struct Gpu {
    int device = 0;
    std::uint32_t multiprocessors = 0;
    void* context = nullptr;
    void* stream = nullptr;  ///< null for the default stream of the context
  };
  /// Makes a GPU's context current until the end of the scope; afterwards the first GPU's context is current.
  class Current;

  Diagnostic failed(const char* function, int code) const;
  void release_kept();
  Result<bool> add_gpu(std::uint32_t device);
  Result<bool> connect(const Gpu& from, const Gpu& to);
  Result<bool> check_link(int from, int to) const;
  Result<bool> check_joining(std::uint32_t device) const;
  Result<bool> join(std::uint32_t device);
  Result<bool> map_all(MappedMemory& memory, std::size_t part_bytes, const std::vector<std::size_t>& homes);
  Result<bool> start(const Grid& grid);
  Result<bool> synchronize(const Gpu& gpu);

  void* library_;
  std::unique_ptr<DriverFunctions> functions_;
  std::uint32_t device_count_ = 0;
  std::vector<Gpu> gpus_;         ///< GPUs in use, indexed by place
  void* order_stream_ = nullptr;  ///< stream for kernels whose start is not Start::Whole
  void* start_event_ = nullptr;
  void* end_event_ = nullptr;
  bool is_out_of_memory_ = false;
  using Size = std::pair<std::size_t, std::size_t>;  ///< place of the GPU, number of bytes
  std::map<DevicePointer, Size> sizes_;              ///< sizes of allocated memory
  std::multimap<Size, DevicePointer> kept_;          ///< released memory
};

}  // namespace ambit::cuda
