#pragma once

#include <cstddef>
#include <cstdint>

// Declarations of the binary interface of the CUDA runtime, so that the library builds where CUDA is not installed.
// Documentation: "CUDA Runtime API", sections "Data types used by CUDA Runtime" and "Difference between the driver and
// runtime APIs"; nvcc's generated host code calls the functions that begin with __cuda (crt/host_runtime.h of the
// toolkit).

namespace ambit::cudart {

/// cudaError_t.
enum Error : int {
#define X(number, name, text) name = (number),
#include "runner/cudart/errors.inc"
#undef X
};

/// dim3, uint3.
struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

/// cudaMemcpyKind.
enum CopyKind : int { HostToHost = 0, HostToDevice = 1, DeviceToHost = 2, DeviceToDevice = 3, Default = 4 };

struct PitchedPointer {  // cudaPitchedPtr
  void* pointer;
  std::size_t pitch;
  std::size_t width;
  std::size_t height;
};
struct Extent3 {  // cudaExtent, cudaPos
  std::size_t x;
  std::size_t y;
  std::size_t z;
};
struct Copy3D {  // cudaMemcpy3DParms
  void* from_array;
  Extent3 from_position;
  PitchedPointer from;
  void* to_array;
  Extent3 to_position;
  PitchedPointer to;
  Extent3 extent;
  CopyKind kind;
};

/// cudaPointerAttributes. Version 13 added 64 reserved bytes.
struct PointerAttributes {
  int type;  ///< 0 unregistered, 1 host, 2 device, 3 managed
  int device;
  void* device_pointer;
  void* host_pointer;
};

/// cudaFuncAttributes.
struct FunctionAttributes {
  std::size_t shared_bytes;
  std::size_t constant_bytes;
  std::size_t local_bytes;
  int maximum_threads;
  int registers;
  int ptx_version;
  int binary_version;
  int cache_mode;
  int maximum_dynamic_shared_bytes;
  int preferred_carveout;
};

/// cudaLaunchAttribute: its number, and 64 bytes for its value.
struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    int number;
    struct {
      unsigned x, y, z;
    } cluster;
    char bytes[64];
  } value;
};
constexpr int kCooperativeAttribute = 2;
constexpr int kClusterAttribute = 4;

/// cudaLaunchConfig_t.
struct LaunchConfiguration {
  Dim3 grid;
  Dim3 block;
  std::size_t dynamic_shared_bytes;
  void* stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};

/// The argument of __cudaRegisterFatBinary (__fatBinC_Wrapper_t of the toolkit's fatbinary_section.h).
struct FatBinaryWrapper {
  std::uint32_t magic;  ///< kWrapperMagic
  std::uint32_t version;
  const void* data;
  const void* file_name;
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;

}  // namespace ambit::cudart
