#include "runner/cuda/launch/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/launch/driver_functions.h"

namespace ambit::cuda {
namespace {

constexpr CuResult kSuccess = 0;
constexpr CuResult kOutOfMemory = 2;
constexpr int kMultiprocessorCount = 16;
constexpr int kL2CacheSize = 38;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kHostAtomics = 86;        ///< CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED
constexpr unsigned kSleeps = 4;         ///< CU_CTX_SCHED_BLOCKING_SYNC: a waiting thread does not poll
constexpr int kAlreadyConnected = 704;  ///< CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
constexpr int kPeerAtomics = 3;         ///< CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
constexpr unsigned kApart = 1;          ///< CU_STREAM_NON_BLOCKING: does not wait for the context's default stream
constexpr unsigned kForAll = 3;         ///< CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP
constexpr int kAttributeCooperative = 2;
constexpr std::size_t kLeastAllocation = std::size_t{1} << 12;
constexpr std::size_t kMostKept = std::size_t{1} << 26;  ///< bytes of released memory that is kept for reuse
constexpr int kAttributeClusterDimension = 4;
constexpr int kAttributeProgrammaticOrder = 6;  ///< CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION

}  // namespace

Driver::Driver(void* library, std::unique_ptr<DriverFunctions> functions)
    : library_(library), functions_(std::move(functions)) {}

class Driver::Current {
 public:
  Current(const Driver& driver, std::size_t gpu) : driver_(driver), changes_(gpu > 0) {
    if (changes_) driver_.functions_->context_current(driver_.gpus_[gpu].context);
  }
  ~Current() {
    if (changes_) driver_.functions_->context_current(driver_.gpus_.front().context);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const Driver& driver_;
  bool changes_;
};

Driver::~Driver() {
  for (std::size_t gpu = 1; gpu < gpus_.size(); ++gpu) {
    const Current current(*this, gpu);
    functions_->stream_destroy(gpus_[gpu].stream);
  }
  std::set<void*> contexts;
  for (const Gpu& gpu : gpus_) contexts.insert(gpu.context);
  for (void* const context : contexts) functions_->context_destroy(context);
  dlclose(library_);
}

Diagnostic Driver::failed(const char* function, int code) const {
  const char* name = "?";
  const char* text = "";
  functions_->error_name(code, &name);
  functions_->error_text(code, &text);
  return {nullptr, {}, fmt::format("{}: {} ({})", function, name, text), ""};
}

Result<std::unique_ptr<Driver>> Driver::open() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Diagnostic{nullptr,
                      {},
                      "no CUDA driver: libcuda.so.1 was not found",
                      "install NVIDIA's driver, or run tests without a GPU: --backend sim"};
  }
  auto functions = std::make_unique<DriverFunctions>();
  if (const std::string missing = functions->load(library); !missing.empty()) {
    dlclose(library);
    return Diagnostic{nullptr,
                      {},
                      fmt::format("the CUDA driver is too old: it has no {}", missing),
                      "a driver for CUDA 12 or later is needed"};
  }
  std::unique_ptr<Driver> driver(new Driver(library, std::move(functions)));
  if (const CuResult code = driver->functions_->init(0); code != kSuccess) return driver->failed("cuInit", code);
  int count = 0;
  if (const CuResult code = driver->functions_->device_count(&count); code != kSuccess) {
    return driver->failed("cuDeviceGetCount", code);
  }
  if (count == 0) return Diagnostic{nullptr, {}, "the CUDA driver found no GPU", ""};
  driver->device_count_ = static_cast<std::uint32_t>(count);
  return driver;
}

std::string Driver::version() const {
  int number = 0;
  functions_->version(&number);
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

Result<DeviceInfo> Driver::describe(std::uint32_t device) const {
  CuDevice handle = 0;
  if (const CuResult code = functions_->device_get(&handle, static_cast<int>(device)); code != kSuccess) {
    return failed("cuDeviceGet", code);
  }
  DeviceInfo info;
  std::array<char, 256> name{};
  if (const CuResult code = functions_->device_name(name.data(), static_cast<int>(name.size()), handle);
      code != kSuccess) {
    return failed("cuDeviceGetName", code);
  }
  info.name = name.data();
  std::array<int, 4> values{};
  constexpr std::array<int, 4> kAttributes = {kCapabilityMajor, kCapabilityMinor, kMultiprocessorCount, kL2CacheSize};
  for (std::size_t i = 0; i < kAttributes.size(); ++i) {
    if (const CuResult code = functions_->device_attribute(&values[i], kAttributes[i], handle); code != kSuccess) {
      return failed("cuDeviceGetAttribute", code);
    }
  }
  info.arch = static_cast<std::uint32_t>(values[0] * 10 + values[1]);
  info.multiprocessors = static_cast<std::uint32_t>(values[2]);
  info.l2_bytes = static_cast<std::uint32_t>(values[3]);
  std::size_t bytes = 0;
  if (const CuResult code = functions_->device_memory(&bytes, handle); code != kSuccess) {
    return failed("cuDeviceTotalMem", code);
  }
  info.memory_bytes = bytes;
  return info;
}

Result<DeviceInfo> Driver::use(std::uint32_t device) {
  if (device >= device_count_) {
    return Diagnostic{nullptr, {}, fmt::format("there is no GPU {}: the driver sees {}", device, device_count_), ""};
  }
  Result<DeviceInfo> info = describe(device);
  if (!info) return info;
  if (auto added = add_gpu(device); !added) return added.errors();
  if (const CuResult code = functions_->stream_create(&order_stream_, 0); code != kSuccess) {
    return failed("cuStreamCreate", code);
  }
  for (void** event : {&start_event_, &end_event_}) {
    if (const CuResult code = functions_->event_create(event, 0); code != kSuccess)
      return failed("cuEventCreate", code);
  }
  return info;
}

/// Adds a GPU and makes its context current.
Result<bool> Driver::add_gpu(std::uint32_t device) {
  const Result<DeviceInfo> info = describe(device);
  if (!info) return info.errors();
  Gpu gpu;
  gpu.multiprocessors = info.value().multiprocessors;
  functions_->device_get(&gpu.device, static_cast<int>(device));
  const auto same = std::ranges::find(gpus_, gpu.device, &Gpu::device);
  if (same != gpus_.end()) {
    gpu.context = same->context;
  } else if (const CuResult code = functions_->context_create(&gpu.context, kSleeps, gpu.device); code != kSuccess) {
    return failed("cuCtxCreate", code);
  }
  gpus_.push_back(gpu);
  return true;
}

/// Returns an error if kernels of one device cannot use the memory of another.
Result<bool> Driver::check_link(int from, int to) const {
  if (from == to) return true;
  int reaches = 0;
  if (const CuResult code = functions_->peer_possible(&reaches, from, to); code != kSuccess) {
    return failed("cuDeviceCanAccessPeer", code);
  }
  int has_atomics = 0;
  if (reaches != 0) functions_->peer_attribute(&has_atomics, kPeerAtomics, from, to);
  if (has_atomics != 0) return true;
  return Diagnostic{
      nullptr,
      {},
      fmt::format("GPU {} {} the memory of GPU {}", from, reaches == 0 ? "does not reach" : "has no atomics on", to),
      "a test on several GPUs needs peer access with atomics, for example over NVLink"};
}

/// Returns an error if a device cannot run tests together with the devices in use.
Result<bool> Driver::check_joining(std::uint32_t device) const {
  if (device >= device_count_) {
    return Diagnostic{nullptr, {}, fmt::format("there is no GPU {}: the driver sees {}", device, device_count_), ""};
  }
  const Result<DeviceInfo> info = describe(device);
  if (!info) return info.errors();
  for (const Gpu& gpu : gpus_) {
    const Result<DeviceInfo> other = describe(static_cast<std::uint32_t>(gpu.device));
    if (!other) return other.errors();
    if (info.value().arch != other.value().arch) {
      return Diagnostic{
          nullptr,
          {},
          fmt::format("GPU {} is sm_{} and GPU {} is sm_{}", gpu.device, other.value().arch, device, info.value().arch),
          "a test on several GPUs needs GPUs of one architecture"};
    }
    if (auto linked = check_link(gpu.device, static_cast<int>(device)); !linked) return linked;
    if (auto linked = check_link(static_cast<int>(device), gpu.device); !linked) return linked;
  }
  return true;
}

/// Lets the kernels of one GPU access the memory of another.
Result<bool> Driver::connect(const Gpu& from, const Gpu& to) {
  if (from.context == to.context) return true;
  functions_->context_current(from.context);
  const CuResult code = functions_->peer_enable(to.context, 0);
  if (code != kSuccess && code != kAlreadyConnected) return failed("cuCtxEnablePeerAccess", code);
  return true;
}

Result<bool> Driver::use_together(const std::vector<std::uint32_t>& devices) {
  while (gpus_.size() < devices.size()) {
    const std::uint32_t device = devices[gpus_.size()];
    if (auto joins = check_joining(device); !joins) return joins;
    const std::size_t before = gpus_.size();
    Result<bool> joined = join(device);
    functions_->context_current(gpus_.front().context);
    if (!joined) gpus_.resize(before);
    if (!joined) return joined;
  }
  return true;
}

/// Adds a GPU to the GPUs in use. Any context may be current afterwards.
Result<bool> Driver::join(std::uint32_t device) {
  if (auto added = add_gpu(device); !added) return added;
  Gpu& gpu = gpus_.back();
  functions_->context_current(gpu.context);
  if (const CuResult code = functions_->stream_create(&gpu.stream, kApart); code != kSuccess) {
    return failed("cuStreamCreate", code);
  }
  for (const Gpu& other : gpus_) {
    if (auto linked = connect(gpu, other); !linked) return linked;
    if (auto linked = connect(other, gpu); !linked) return linked;
  }
  return true;
}

Result<Driver::Function> Driver::load(const std::string& image, const std::string& name, Compiled compiled,
                                      std::size_t gpu) {
  const Current current(*this, gpu);
  constexpr int kOptimisationLevel = 7;  // CU_JIT_OPTIMIZATION_LEVEL; the pointer itself holds the value 0
  void* const level = nullptr;
  const unsigned options = compiled == Compiled::AsWritten ? 1 : 0;
  Function function;
  function.gpu = gpu;
  if (const CuResult code =
          functions_->module_load(&function.module, image.data(), options, &kOptimisationLevel, &level);
      code != kSuccess) {
    return failed("cuModuleLoadDataEx", code);
  }
  if (const CuResult code = functions_->module_function(&function.function, function.module, name.c_str());
      code != kSuccess) {
    return failed("cuModuleGetFunction", code);
  }
  return function;
}

void Driver::unload(Function& function) {
  const Current current(*this, function.gpu);
  if (function.module != nullptr) functions_->module_unload(function.module);
  function = {};
}

namespace {

/// Returns the configuration of a launch. `attributes` must outlive the configuration.
LaunchConfig configure(const LaunchShape& shape, std::array<LaunchAttribute, 2>& attributes) {
  LaunchConfig config{.grid_x = shape.blocks,
                      .block_x = shape.block_threads,
                      .shared_bytes = shape.shared_bytes,
                      .attributes = attributes.data()};
  const auto add = [&](int id) -> LaunchAttribute& {
    LaunchAttribute& attribute = attributes[config.attribute_count++];
    attribute.id = id;
    return attribute;
  };
  if (shape.cluster_blocks > 1) {
    add(kAttributeClusterDimension).value.cluster = {shape.cluster_blocks, 1, 1};
  } else if (shape.start == LaunchShape::Start::Whole) {
    // Makes the driver reject a grid that is not fully resident, because the grid's barrier would hang.
    add(kAttributeCooperative).value.cooperative = 1;
  }
  if (shape.start == LaunchShape::Start::Dependent) add(kAttributeProgrammaticOrder).value.programmatic_order = 1;
  return config;
}

}  // namespace

Result<std::uint32_t> Driver::resident_blocks(const Function& function, const LaunchShape& shape) const {
  const Current current(*this, function.gpu);
  int blocks = 0;
  if (const CuResult code =
          functions_->max_blocks(&blocks, function.function, static_cast<int>(shape.block_threads), shape.shared_bytes);
      code != kSuccess) {
    return failed("cuOccupancyMaxActiveBlocksPerMultiprocessor", code);
  }
  const auto all = static_cast<std::uint32_t>(blocks) * gpus_[function.gpu].multiprocessors;
  if (shape.cluster_blocks == 1) return all;
  std::array<LaunchAttribute, 2> attributes;
  LaunchShape whole = shape;
  whole.blocks = all / shape.cluster_blocks * shape.cluster_blocks;
  const LaunchConfig config = configure(whole, attributes);
  int clusters = 0;
  if (const CuResult code = functions_->max_clusters(&clusters, function.function, &config); code != kSuccess) {
    return failed("cuOccupancyMaxActiveClusters", code);
  }
  return static_cast<std::uint32_t>(clusters) * shape.cluster_blocks;
}

Result<bool> Driver::start(const Grid& grid) {
  const Current current(*this, grid.function.gpu);
  std::array<LaunchAttribute, 2> attributes;
  LaunchConfig config = configure(grid.shape, attributes);
  const bool is_whole = grid.shape.start == LaunchShape::Start::Whole;
  config.stream = is_whole ? gpus_[grid.function.gpu].stream : order_stream_;
  if (const CuResult code = functions_->launch(&config, grid.function.function, grid.arguments, nullptr);
      code != kSuccess) {
    return failed("cuLaunchKernelEx", code);
  }
  return true;
}

/// Waits until a GPU is idle.
Result<bool> Driver::synchronize(const Gpu& gpu) {
  functions_->context_current(gpu.context);
  const CuResult code = functions_->context_wait();
  functions_->context_current(gpus_.front().context);
  if (code != kSuccess) return failed("cuCtxSynchronize (the kernel)", code);
  return true;
}

Result<double> Driver::launch(std::span<const Grid> grids, std::uint64_t times,
                              const std::function<Result<bool>(std::uint64_t)>& before) {
  const bool is_together = std::ranges::any_of(grids, [](const Grid& grid) { return grid.function.gpu > 0; });
  if (const CuResult code = functions_->event_record(start_event_, nullptr); code != kSuccess) {
    return failed("cuEventRecord", code);
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    if (auto ready = before(i); !ready) return ready.errors();
    // The grids on all GPUs must see the writes of `before`, and `before` must not write while a grid is running.
    for (std::size_t gpu = 0; is_together && gpu < gpus_.size(); ++gpu) {
      if (auto done = synchronize(gpus_[gpu]); !done) return done.errors();
    }
    for (const Grid& grid : grids) {
      if (auto started = start(grid); !started) return started.errors();
    }
  }
  for (std::size_t gpu = 1; is_together && gpu < gpus_.size(); ++gpu) {
    if (auto done = synchronize(gpus_[gpu]); !done) return done.errors();
  }
  if (const CuResult code = functions_->event_record(end_event_, nullptr); code != kSuccess) {
    return failed("cuEventRecord", code);
  }
  if (const CuResult code = functions_->event_wait(end_event_); code != kSuccess) {
    return failed("cuEventSynchronize (the kernel)", code);
  }
  float milliseconds = 0;
  if (const CuResult code = functions_->event_time(&milliseconds, start_event_, end_event_); code != kSuccess) {
    return failed("cuEventElapsedTime", code);
  }
  return static_cast<double>(milliseconds) / 1000;
}

Result<DevicePointer> Driver::allocate(std::size_t bytes, std::size_t gpu) {
  const Current current(*this, gpu);
  const bool is_kept = bytes <= kMostKept;
  if (is_kept) bytes = std::max<std::size_t>(std::bit_ceil(bytes), kLeastAllocation);
  is_out_of_memory_ = false;
  DevicePointer pointer = 0;
  if (const auto kept = kept_.find({gpu, bytes}); is_kept && kept != kept_.end()) {
    pointer = kept->second;
    kept_.erase(kept);
  } else {
    CuResult code = functions_->allocate(&pointer, bytes);
    if (code == kOutOfMemory) {
      release_kept();
      code = functions_->allocate(&pointer, bytes);
    }
    is_out_of_memory_ = code == kOutOfMemory;
    if (code != kSuccess) return failed("cuMemAlloc", code);
  }
  if (is_kept) sizes_.emplace(pointer, Size{gpu, bytes});
  return pointer;
}

void Driver::release_kept() {
  for (const auto& [size, pointer] : kept_) functions_->release(pointer);
  kept_.clear();
}

Result<std::size_t> Driver::mapping_unit() const {
  AllocationProperties properties;
  properties.location.id = gpus_.front().device;
  std::size_t unit = 0;
  if (const CuResult code = functions_->granularity(&unit, &properties, 0); code != kSuccess) {
    return failed("cuMemGetAllocationGranularity", code);
  }
  return unit;
}

Result<Driver::MappedMemory> Driver::allocate_mapped(std::size_t part_bytes, const std::vector<std::size_t>& homes,
                                                     std::size_t copies) {
  release_kept();
  is_out_of_memory_ = false;
  const Result<std::size_t> unit = mapping_unit();
  if (!unit) return unit.errors();
  part_bytes = (part_bytes + unit.value() - 1) / unit.value() * unit.value();
  MappedMemory memory;
  memory.span = part_bytes * homes.size();
  const std::size_t whole = memory.span * copies;
  if (const CuResult code = functions_->address_reserve(&memory.pointer, whole, 0, 0, 0); code != kSuccess) {
    return failed("cuMemAddressReserve", code);
  }
  memory.copies = copies;
  Result<bool> mapped = map_all(memory, part_bytes, homes);
  if (mapped) return memory;
  release(memory);
  return mapped.errors();
}

Result<bool> Driver::map_all(MappedMemory& memory, std::size_t part_bytes, const std::vector<std::size_t>& homes) {
  for (std::size_t part = 0; part < homes.size(); ++part) {
    AllocationProperties properties;
    properties.location.id = gpus_[homes[part]].device;
    std::uint64_t& handle = memory.handles.emplace_back();
    if (const CuResult code = functions_->memory_create(&handle, part_bytes, &properties, 0); code != kSuccess) {
      memory.handles.pop_back();
      is_out_of_memory_ = code == kOutOfMemory;
      return failed("cuMemCreate", code);
    }
    for (std::size_t copy = 0; copy < memory.copies; ++copy) {
      const DevicePointer at = memory.pointer + copy * memory.span + part * part_bytes;
      const CuResult code = functions_->map(at, part_bytes, 0, handle, 0);
      if (code != kSuccess) return failed("cuMemMap", code);
    }
  }
  std::set<int> devices;
  for (const Gpu& gpu : gpus_) devices.insert(gpu.device);
  std::vector<AccessDescription> access;
  for (const int device : devices) access.emplace_back().location.id = device;
  if (const CuResult code =
          functions_->set_access(memory.pointer, memory.span * memory.copies, access.data(), access.size());
      code != kSuccess) {
    return failed("cuMemSetAccess", code);
  }
  return true;
}

Result<bool> Driver::has_atomics_on_host() const {
  const auto is_other = [&](const Gpu& gpu) { return gpu.device != gpus_.front().device; };
  if (std::ranges::none_of(gpus_, is_other)) return true;
  for (const Gpu& gpu : gpus_) {
    int has_atomics = 0;
    if (const CuResult code = functions_->device_attribute(&has_atomics, kHostAtomics, gpu.device); code != kSuccess) {
      return failed("cuDeviceGetAttribute", code);
    }
    if (has_atomics == 0) return false;
  }
  return true;
}

Result<Driver::MappedMemory> Driver::allocate_on_host(std::size_t bytes) {
  void* pointer = nullptr;
  const CuResult code = functions_->host_allocate(&pointer, bytes, kForAll);
  is_out_of_memory_ = code == kOutOfMemory;
  if (code != kSuccess) return failed("cuMemHostAlloc", code);
  MappedMemory memory;
  memory.pointer = reinterpret_cast<DevicePointer>(pointer);
  memory.span = bytes;
  memory.copies = 1;
  memory.is_on_host = true;
  return memory;
}

void Driver::release(MappedMemory& memory) {
  if (memory.pointer == 0) return;
  if (memory.is_on_host) {
    functions_->host_release(reinterpret_cast<void*>(memory.pointer));
  } else {
    functions_->unmap(memory.pointer, memory.span * memory.copies);
    functions_->address_free(memory.pointer, memory.span * memory.copies);
    for (const std::uint64_t handle : memory.handles) functions_->memory_release(handle);
  }
  memory = {};
}

void Driver::release(DevicePointer pointer) {
  if (pointer == 0) return;
  const auto size = sizes_.find(pointer);
  if (size == sizes_.end()) {
    functions_->release(pointer);
    return;
  }
  kept_.emplace(size->second, pointer);
  sizes_.erase(size);
}

Result<bool> Driver::clear(DevicePointer pointer, std::size_t bytes) {
  if (const CuResult code = functions_->set_bytes(pointer, 0, bytes); code != kSuccess)
    return failed("cuMemsetD8", code);
  return true;
}

Result<bool> Driver::write(DevicePointer to, const void* from, std::size_t bytes) {
  if (const CuResult code = functions_->copy_to_device(to, from, bytes); code != kSuccess) {
    return failed("cuMemcpyHtoD", code);
  }
  return true;
}

Result<bool> Driver::read(void* to, DevicePointer from, std::size_t bytes) {
  if (const CuResult code = functions_->copy_to_host(to, from, bytes); code != kSuccess) {
    return failed("cuMemcpyDtoH", code);
  }
  return true;
}

Result<bool> Driver::encode(const KernelTensorMap& map, DevicePointer array, TensorMapBytes& made) const {
  const std::vector<std::uint64_t> sizes(map.sizes.begin(), map.sizes.end());
  std::vector<std::uint64_t> strides;  // strides in bytes, from the second dimension on
  for (const std::uint64_t size : sizes) {
    strides.push_back((strides.empty() ? map.element.bits / 8U : strides.back()) * size);
  }
  const std::vector<std::uint32_t> steps(sizes.size(), 1);
  const CuResult code = functions_->encode_tiled(
      made.bytes.data(), static_cast<int>(tensor_element(map.element)), static_cast<unsigned>(sizes.size()),
      reinterpret_cast<void*>(array), sizes.data(), strides.data(), map.box.data(), steps.data(), 0, 0, 0, 0);
  if (code != kSuccess) return failed("cuTensorMapEncodeTiled", code);
  return true;
}

}  // namespace ambit::cuda
