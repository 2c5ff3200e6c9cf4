#include "runner/cuda/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

namespace ambit::cuda {
namespace {

// The driver's interface according to its reference manual, so that Ambit builds without cuda.h.
using CuResult = int;
using CuDevice = int;
constexpr CuResult kSuccess = 0;
constexpr CuResult kOutOfMemory = 2;
constexpr int kMultiprocessorCount = 16;
constexpr int kL2CacheSize = 38;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kAttributeCooperative = 2;
constexpr std::size_t kLeastAllocation = std::size_t{1} << 12;
constexpr std::size_t kMostKept = std::size_t{1} << 26;  ///< bytes of memory that is kept for another use
constexpr int kAttributeClusterDimension = 4;

struct LaunchAttribute {
  int id = 0;
  std::array<char, 4> padding{};
  union {
    std::array<char, 64> bytes;
    std::array<unsigned, 3> cluster;
    int cooperative;
  } value{};
};

struct MemoryLocation {
  int type = 1;  // a device
  int id = 0;
};

struct AllocationProperties {
  int type = 1;  // pinned
  int handle_types = 0;
  MemoryLocation location;
  void* win32 = nullptr;
  std::array<unsigned char, 8> flags{};
};

struct AccessDescription {
  MemoryLocation location;
  int flags = 3;  // read and write
};

struct LaunchConfig {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  void* stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

}  // namespace

struct Driver::Functions {
  CuResult (*error_name)(CuResult, const char**) = nullptr;
  CuResult (*error_text)(CuResult, const char**) = nullptr;
  CuResult (*init)(unsigned) = nullptr;
  CuResult (*version)(int*) = nullptr;
  CuResult (*device_count)(int*) = nullptr;
  CuResult (*device_get)(CuDevice*, int) = nullptr;
  CuResult (*device_name)(char*, int, CuDevice) = nullptr;
  CuResult (*device_attribute)(int*, int, CuDevice) = nullptr;
  CuResult (*device_memory)(std::size_t*, CuDevice) = nullptr;
  CuResult (*context_create)(void**, unsigned, CuDevice) = nullptr;
  CuResult (*context_destroy)(void*) = nullptr;
  CuResult (*module_load)(void**, const void*, unsigned, const int*, void* const*) = nullptr;
  CuResult (*module_unload)(void*) = nullptr;
  CuResult (*module_function)(void**, void*, const char*) = nullptr;
  CuResult (*allocate)(DevicePointer*, std::size_t) = nullptr;
  CuResult (*release)(DevicePointer) = nullptr;
  CuResult (*set_bytes)(DevicePointer, unsigned char, std::size_t) = nullptr;
  CuResult (*copy_to_host)(void*, DevicePointer, std::size_t) = nullptr;
  CuResult (*copy_to_device)(std::uint64_t, const void*, std::size_t) = nullptr;
  CuResult (*launch)(const LaunchConfig*, void*, void**, void**) = nullptr;
  CuResult (*max_blocks)(int*, void*, int, std::size_t) = nullptr;
  CuResult (*max_clusters)(int*, void*, const LaunchConfig*) = nullptr;
  CuResult (*granularity)(std::size_t*, const AllocationProperties*, int) = nullptr;
  CuResult (*memory_create)(std::uint64_t*, std::size_t, const AllocationProperties*, unsigned long long) = nullptr;
  CuResult (*memory_release)(std::uint64_t) = nullptr;
  CuResult (*address_reserve)(DevicePointer*, std::size_t, std::size_t, DevicePointer, unsigned long long) = nullptr;
  CuResult (*address_free)(DevicePointer, std::size_t) = nullptr;
  CuResult (*map)(DevicePointer, std::size_t, std::size_t, std::uint64_t, unsigned long long) = nullptr;
  CuResult (*unmap)(DevicePointer, std::size_t) = nullptr;
  CuResult (*set_access)(DevicePointer, std::size_t, const AccessDescription*, std::size_t) = nullptr;
  CuResult (*event_create)(void**, unsigned) = nullptr;
  CuResult (*event_record)(void*, void*) = nullptr;
  CuResult (*event_wait)(void*) = nullptr;
  CuResult (*event_time)(float*, void*, void*) = nullptr;

  /// The name of the first function that the driver does not have; empty if it has all.
  std::string load(void* library) {
    std::string missing;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr && missing.empty()) missing = name;
    };
    find(error_name, "cuGetErrorName");
    find(error_text, "cuGetErrorString");
    find(init, "cuInit");
    find(version, "cuDriverGetVersion");
    find(device_count, "cuDeviceGetCount");
    find(device_get, "cuDeviceGet");
    find(device_name, "cuDeviceGetName");
    find(device_attribute, "cuDeviceGetAttribute");
    find(device_memory, "cuDeviceTotalMem_v2");
    find(context_create, "cuCtxCreate_v2");
    find(context_destroy, "cuCtxDestroy_v2");
    find(module_load, "cuModuleLoadDataEx");
    find(module_unload, "cuModuleUnload");
    find(module_function, "cuModuleGetFunction");
    find(allocate, "cuMemAlloc_v2");
    find(release, "cuMemFree_v2");
    find(set_bytes, "cuMemsetD8_v2");
    find(copy_to_host, "cuMemcpyDtoH_v2");
    find(copy_to_device, "cuMemcpyHtoD_v2");
    find(launch, "cuLaunchKernelEx");
    find(max_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    find(max_clusters, "cuOccupancyMaxActiveClusters");
    find(granularity, "cuMemGetAllocationGranularity");
    find(memory_create, "cuMemCreate");
    find(memory_release, "cuMemRelease");
    find(address_reserve, "cuMemAddressReserve");
    find(address_free, "cuMemAddressFree");
    find(map, "cuMemMap");
    find(unmap, "cuMemUnmap");
    find(set_access, "cuMemSetAccess");
    find(event_create, "cuEventCreate");
    find(event_record, "cuEventRecord");
    find(event_wait, "cuEventSynchronize");
    find(event_time, "cuEventElapsedTime");
    return missing;
  }
};

Driver::Driver(void* library, std::unique_ptr<Functions> functions)
    : library_(library), functions_(std::move(functions)) {}

Driver::~Driver() {
  if (context_ != nullptr) functions_->context_destroy(context_);
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
                      "it comes with NVIDIA's driver; without one, --backend sim runs tests"};
  }
  auto functions = std::make_unique<Functions>();
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
  if (count == 0) return Diagnostic{nullptr, {}, "the CUDA driver sees no GPU", ""};
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
  CuDevice handle = 0;
  functions_->device_get(&handle, static_cast<int>(device));
  // 4: the waiting host thread sleeps instead of polling.
  if (const CuResult code = functions_->context_create(&context_, 4, handle); code != kSuccess) {
    return failed("cuCtxCreate", code);
  }
  for (void** event : {&start_event_, &end_event_}) {
    if (const CuResult code = functions_->event_create(event, 0); code != kSuccess)
      return failed("cuEventCreate", code);
  }
  multiprocessors_ = info.value().multiprocessors;
  device_ = handle;
  return info;
}

Result<Driver::Function> Driver::load(const std::string& image, const std::string& name, Compiled compiled) {
  constexpr int kOptimisationLevel = 7;  // CU_JIT_OPTIMIZATION_LEVEL; its value 0 travels in the pointer itself
  void* const level = nullptr;
  const unsigned options = compiled == Compiled::AsWritten ? 1 : 0;
  Function function;
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
  if (function.module != nullptr) functions_->module_unload(function.module);
  function = {};
}

namespace {

/// The configuration of a launch; `attributes` must outlive it.
LaunchConfig configure(const LaunchShape& shape, std::array<LaunchAttribute, 2>& attributes) {
  LaunchConfig config{.grid_x = shape.blocks,
                      .block_x = shape.block_threads,
                      .shared_bytes = shape.shared_bytes,
                      .attributes = attributes.data()};
  if (shape.cluster_blocks > 1) {
    attributes[0].id = kAttributeClusterDimension;
    attributes[0].value.cluster = {shape.cluster_blocks, 1, 1};
    config.attribute_count = 1;
  } else {
    // The driver then rejects a grid that is not resident as a whole, because the grid's barrier would hang.
    attributes[0].id = kAttributeCooperative;
    attributes[0].value.cooperative = 1;
    config.attribute_count = 1;
  }
  return config;
}

}  // namespace

Result<std::uint32_t> Driver::resident_blocks(const Function& function, const LaunchShape& shape) const {
  int blocks = 0;
  if (const CuResult code =
          functions_->max_blocks(&blocks, function.function, static_cast<int>(shape.block_threads), shape.shared_bytes);
      code != kSuccess) {
    return failed("cuOccupancyMaxActiveBlocksPerMultiprocessor", code);
  }
  const auto all = static_cast<std::uint32_t>(blocks) * multiprocessors_;
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

Result<double> Driver::launch(const Function& function, const LaunchShape& shape, void** arguments, std::uint64_t times,
                              const std::function<Result<bool>(std::uint64_t)>& before) {
  std::array<LaunchAttribute, 2> attributes;
  const LaunchConfig config = configure(shape, attributes);
  if (const CuResult code = functions_->event_record(start_event_, nullptr); code != kSuccess) {
    return failed("cuEventRecord", code);
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    if (auto ready = before(i); !ready) return ready.errors();
    if (const CuResult code = functions_->launch(&config, function.function, arguments, nullptr); code != kSuccess) {
      return failed("cuLaunchKernelEx", code);
    }
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

Result<DevicePointer> Driver::allocate(std::size_t bytes) {
  const bool is_kept = bytes <= kMostKept;
  if (is_kept) bytes = std::max<std::size_t>(std::bit_ceil(bytes), kLeastAllocation);
  is_out_of_memory_ = false;
  DevicePointer pointer = 0;
  if (const auto kept = kept_.find(bytes); is_kept && kept != kept_.end()) {
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
  if (is_kept) sizes_.emplace(pointer, bytes);
  return pointer;
}

void Driver::release_kept() {
  for (const auto& [bytes, pointer] : kept_) functions_->release(pointer);
  kept_.clear();
}

Result<Driver::AliasedMemory> Driver::allocate_aliased(std::size_t bytes, std::size_t copies) {
  release_kept();
  AllocationProperties properties;
  properties.location.id = device_;
  std::size_t unit = 0;
  if (const CuResult code = functions_->granularity(&unit, &properties, 0); code != kSuccess) {
    return failed("cuMemGetAllocationGranularity", code);
  }
  AliasedMemory memory;
  memory.span = (bytes + unit - 1) / unit * unit;
  memory.copies = 0;
  const CuResult created = functions_->memory_create(&memory.handle, memory.span, &properties, 0);
  is_out_of_memory_ = created == kOutOfMemory;
  if (created != kSuccess) return failed("cuMemCreate", created);
  const std::size_t whole = memory.span * copies;
  if (const CuResult code = functions_->address_reserve(&memory.pointer, whole, 0, 0, 0); code != kSuccess) {
    functions_->memory_release(memory.handle);
    return failed("cuMemAddressReserve", code);
  }
  AccessDescription access;
  access.location.id = device_;
  memory.copies = copies;
  for (std::size_t i = 0; i < copies; ++i) {
    const CuResult mapped = functions_->map(memory.pointer + i * memory.span, memory.span, 0, memory.handle, 0);
    if (mapped != kSuccess) return failed("cuMemMap", mapped);
  }
  if (const CuResult code = functions_->set_access(memory.pointer, whole, &access, 1); code != kSuccess) {
    return failed("cuMemSetAccess", code);
  }
  return memory;
}

void Driver::release(AliasedMemory& memory) {
  if (memory.pointer == 0) return;
  functions_->unmap(memory.pointer, memory.span * memory.copies);
  functions_->address_free(memory.pointer, memory.span * memory.copies);
  functions_->memory_release(memory.handle);
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

}  // namespace ambit::cuda
