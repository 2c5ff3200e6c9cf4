// The driver's interface, copied from its reference manual, so that Ambit builds without cuda.h. Only driver.cpp
// includes this file.
#pragma once

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace ambit::cuda {

using CuResult = int;
using CuDevice = int;

struct LaunchAttribute {
  int id = 0;
  std::array<char, 4> padding{};
  union {
    std::array<char, 64> bytes;
    std::array<unsigned, 3> cluster;
    int cooperative;
    int programmatic_order;
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

/// The functions of the driver's library that Driver calls.
struct DriverFunctions {
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
  CuResult (*context_current)(void*) = nullptr;
  CuResult (*context_wait)() = nullptr;
  CuResult (*peer_possible)(int*, CuDevice, CuDevice) = nullptr;
  CuResult (*peer_attribute)(int*, int, CuDevice, CuDevice) = nullptr;
  CuResult (*peer_enable)(void*, unsigned) = nullptr;
  CuResult (*stream_create)(void**, unsigned) = nullptr;
  CuResult (*stream_destroy)(void*) = nullptr;
  CuResult (*module_load)(void**, const void*, unsigned, const int*, void* const*) = nullptr;
  CuResult (*module_unload)(void*) = nullptr;
  CuResult (*module_function)(void**, void*, const char*) = nullptr;
  CuResult (*allocate)(std::uint64_t*, std::size_t) = nullptr;
  CuResult (*release)(std::uint64_t) = nullptr;
  CuResult (*host_allocate)(void**, std::size_t, unsigned) = nullptr;
  CuResult (*host_release)(void*) = nullptr;
  CuResult (*set_bytes)(std::uint64_t, unsigned char, std::size_t) = nullptr;
  CuResult (*copy_to_host)(void*, std::uint64_t, std::size_t) = nullptr;
  CuResult (*copy_to_device)(std::uint64_t, const void*, std::size_t) = nullptr;
  CuResult (*launch)(const LaunchConfig*, void*, void**, void**) = nullptr;
  CuResult (*max_blocks)(int*, void*, int, std::size_t) = nullptr;
  CuResult (*max_clusters)(int*, void*, const LaunchConfig*) = nullptr;
  CuResult (*granularity)(std::size_t*, const AllocationProperties*, int) = nullptr;
  CuResult (*memory_create)(std::uint64_t*, std::size_t, const AllocationProperties*, unsigned long long) = nullptr;
  CuResult (*memory_release)(std::uint64_t) = nullptr;
  CuResult (*address_reserve)(std::uint64_t*, std::size_t, std::size_t, std::uint64_t, unsigned long long) = nullptr;
  CuResult (*address_free)(std::uint64_t, std::size_t) = nullptr;
  CuResult (*map)(std::uint64_t, std::size_t, std::size_t, std::uint64_t, unsigned long long) = nullptr;
  CuResult (*unmap)(std::uint64_t, std::size_t) = nullptr;
  CuResult (*set_access)(std::uint64_t, std::size_t, const AccessDescription*, std::size_t) = nullptr;
  CuResult (*encode_tiled)(void*, int, unsigned, void*, const std::uint64_t*, const std::uint64_t*,
                           const std::uint32_t*, const std::uint32_t*, int, int, int, int) = nullptr;
  CuResult (*event_create)(void**, unsigned) = nullptr;
  CuResult (*event_record)(void*, void*) = nullptr;
  CuResult (*event_wait)(void*) = nullptr;
  CuResult (*event_time)(float*, void*, void*) = nullptr;

  /// Loads all functions. Returns the name of the first function that the driver does not have, or an empty text.
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
    find(context_current, "cuCtxSetCurrent");
    find(context_wait, "cuCtxSynchronize");
    find(peer_possible, "cuDeviceCanAccessPeer");
    find(peer_attribute, "cuDeviceGetP2PAttribute");
    find(peer_enable, "cuCtxEnablePeerAccess");
    find(stream_create, "cuStreamCreate");
    find(stream_destroy, "cuStreamDestroy_v2");
    find(module_load, "cuModuleLoadDataEx");
    find(module_unload, "cuModuleUnload");
    find(module_function, "cuModuleGetFunction");
    find(allocate, "cuMemAlloc_v2");
    find(release, "cuMemFree_v2");
    find(host_allocate, "cuMemHostAlloc");
    find(host_release, "cuMemFreeHost");
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
    find(encode_tiled, "cuTensorMapEncodeTiled");
    find(event_create, "cuEventCreate");
    find(event_record, "cuEventRecord");
    find(event_wait, "cuEventSynchronize");
    find(event_time, "cuEventElapsedTime");
    return missing;
  }
};

}  // namespace ambit::cuda
