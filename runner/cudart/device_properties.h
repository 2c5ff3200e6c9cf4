#pragma once

#include <cstddef>
#include <cstring>

namespace ambit::cudart {

/// Returns the version of the library that a program has loaded: 11, 12 or 13.
int library_version();

/// The fields of cudaDeviceProp that the runtime fills. `kHasOld` includes the fields that version 13 removed.
template <bool kHasOld>
struct DeviceProperties {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luid_mask;
  std::size_t memory;
  std::size_t shared_of_block;
  int registers_of_block;
  int warp;
  std::size_t pitch;
  int threads_of_block;
  int block[3];
  int grid[3];
  int clock_rate[kHasOld];
  std::size_t constant;
  int major;
  int minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int overlap[kHasOld];
  int processors;
  int has_timeout[kHasOld];
  int is_integrated;
  int can_map_host;
  int compute_mode[kHasOld];
  int textures[25 + kHasOld];  ///< maxTexture1D to maxTextureCubemapLayered
  int surfaces[14];            ///< maxSurface1D to maxSurfaceCubemapLayered
  std::size_t surface_alignment;
  int has_concurrent_kernels;
  int has_ecc;
  int pci[3];
  int has_tcc;
  int copy_engines;
  int has_unified_addresses;
  int memory_clock[kHasOld];
  int bus_width;
  int cache;
  int persisting_cache;
  int threads_of_processor;
  int has_priorities;
  int has_global_cache;
  int has_local_cache;
  std::size_t shared_of_processor;
  int registers_of_processor;
  int has_managed_memory;
  int is_multi_gpu;
  int multi_gpu_group;
  int has_host_atomics;
  int double_ratio[kHasOld];
  int has_pageable_access;
  int has_concurrent_managed_access;
  int has_preemption;
  int can_use_host_pointers;
  int has_cooperative_launch;
  int has_multi_device_launch[kHasOld];
  std::size_t shared_of_block_on_request;
  int has_host_page_tables;
  int has_direct_managed_access;
  int blocks_of_processor;
  int access_window;
  std::size_t reserved_shared;
};

/// Returns the properties of the virtual GPU.
template <bool kHasOld>
DeviceProperties<kHasOld> virtual_properties(std::size_t memory) {
  DeviceProperties<kHasOld> made;
  std::memset(&made, 0, sizeof made);
  std::strcpy(made.name, "Ambit virtual GPU");  // NOLINT: fits
  made.memory = memory;
  made.shared_of_block = 48 << 10;
  made.registers_of_block = 65536;
  made.warp = 32;
  made.pitch = 0x7fffffff;
  made.threads_of_block = 1024;
  made.block[0] = made.block[1] = 1024;
  made.block[2] = 64;
  made.grid[0] = 0x7fffffff;
  made.grid[1] = made.grid[2] = 65535;
  made.constant = 64 << 10;
  made.major = 9;
  made.texture_alignment = 512;
  made.texture_pitch_alignment = 32;
  made.processors = 132;
  made.can_map_host = 1;
  made.has_concurrent_kernels = 1;
  made.copy_engines = 1;
  made.has_unified_addresses = 1;
  made.bus_width = 5120;
  made.cache = 50 << 20;
  made.threads_of_processor = 2048;
  made.has_priorities = 1;
  made.shared_of_processor = 228 << 10;
  made.registers_of_processor = 65536;
  made.has_managed_memory = 1;
  made.has_concurrent_managed_access = 1;
  made.has_cooperative_launch = 1;
  made.shared_of_block_on_request = 227 << 10;
  made.blocks_of_processor = 32;
  made.reserved_shared = 1024;
  return made;
}

}  // namespace ambit::cudart
