// Memory of the device and of the host ("Memory Management" and "Unified Addressing" in the runtime's manual).

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runner/cudart/function_names.h"
#include "runner/cudart/session.h"

using namespace ambit::cudart;  // NOLINT: the functions below have C linkage
using ambit::virtual_gpu::AllocationKind;
using ambit::virtual_gpu::Memory;

namespace {

constexpr std::size_t kPitch = 512;
constexpr std::size_t kPage = 4096;

Error allocate(void** pointer, std::size_t bytes) {
  Call call;
  if (call.session.sticky() != cudaSuccess) return call.session.note(call.session.sticky());
  if (pointer == nullptr) return call.session.note(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::uint64_t address = call.session.memory().allocate(bytes, AllocationKind::Device, calling_function());
  if (address == 0) return call.session.note(cudaErrorMemoryAllocation);
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

/// Allocates pinned or managed host memory. Kernels access this memory at its host address.
Error allocate_on_host(void** pointer, std::size_t bytes) {
  Call call;
  if (call.session.sticky() != cudaSuccess) return call.session.note(call.session.sticky());
  if (pointer == nullptr) return call.session.note(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  void* made = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (made == nullptr || !call.session.memory().adopt(made, bytes, calling_function())) {
    std::free(made);
    return call.session.note(cudaErrorMemoryAllocation);
  }
  call.session.host_memory()[made] = bytes;
  *pointer = made;
  return cudaSuccess;
}

Error release(void* pointer) {
  Call call;
  if (pointer == nullptr) return cudaSuccess;
  const bool is_host = call.session.host_memory().contains(pointer);
  if (!call.session.memory().release(address_of(pointer), calling_function())) {
    return call.session.note(cudaErrorInvalidValue);
  }
  if (is_host) {
    call.session.host_memory().erase(pointer);
    std::free(pointer);
  }
  return call.session.sticky() == cudaSuccess ? cudaSuccess : call.session.note(call.session.sticky());
}

Error allocate_on(const void* stream, void** pointer, std::size_t bytes) {
  Call call;
  call.session.watch().order().allocate_on(stream_number(stream));
  return allocate(pointer, bytes);
}

}  // namespace

extern "C" {

int cudaMalloc(void** pointer, std::size_t bytes) { return allocate(pointer, bytes); }
int cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) { return allocate_on(stream, pointer, bytes); }
int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* /*pool*/, void* stream) {
  return allocate_on(stream, pointer, bytes);
}
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return allocate(pointer, *pitch * height);
}
int cudaMalloc3D(PitchedPointer* pointer, Extent3 extent) {
  pointer->pitch = (extent.x + kPitch - 1) / kPitch * kPitch;
  pointer->width = extent.x;
  pointer->height = extent.y;
  return allocate(&pointer->pointer, pointer->pitch * extent.y * extent.z);
}
int cudaMallocHost(void** pointer, std::size_t bytes) { return allocate_on_host(pointer, bytes); }
int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned /*flags*/) { return allocate_on_host(pointer, bytes); }
int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned /*flags*/) {
  return allocate_on_host(pointer, bytes);
}
int cudaFree(void* pointer) {
  Call call;
  call.session.watch().order().host_waits_for_all();  // the driver also waits before it frees memory
  return release(pointer);
}
int cudaFreeAsync(void* pointer, void* stream) {
  Call call;
  call.session.watch().order().free_on(stream_number(stream));
  return release(pointer);
}
int cudaFreeHost(void* pointer) { return release(pointer); }

int cudaHostRegister(void* pointer, std::size_t bytes, unsigned /*flags*/) {
  Call call;
  const bool fits = pointer != nullptr && bytes != 0;
  if (!fits || !call.session.memory().adopt(pointer, bytes, calling_function())) {
    return call.session.note(cudaErrorHostMemoryAlreadyRegistered);
  }
  return cudaSuccess;
}
int cudaHostUnregister(void* pointer) {
  Call call;
  const bool was = call.session.memory().release(address_of(pointer), {});
  return was ? cudaSuccess : call.session.note(cudaErrorHostMemoryNotRegistered);
}
int cudaHostGetDevicePointer(void** device, void* host, unsigned /*flags*/) {
  Call call;
  if (call.session.memory().find(address_of(host), 1) == nullptr) return call.session.note(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}
int cudaHostGetFlags(unsigned* flags, void* /*host*/) {
  *flags = 0;
  return cudaSuccess;
}

int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  Call call;
  const Memory& memory = call.session.memory();
  *total = memory.capacity();
  *free = memory.capacity() - memory.bytes_in_use();
  return cudaSuccess;
}

int cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  Call call;
  const auto* allocation = call.session.memory().find(address_of(pointer), 1);
  void* known = const_cast<void*>(pointer);  // NOLINT: the ABI requires this type
  if (allocation == nullptr) {
    *attributes = {0, -2, nullptr, known};
  } else if (allocation->kind == AllocationKind::Host) {
    *attributes = {1, 0, known, known};
  } else {
    *attributes = {2, 0, known, nullptr};
  }
  return cudaSuccess;
}

// Managed memory is in host memory, so a prefetch has nothing to do.
int cudaMemPrefetchAsync() { return cudaSuccess; }
int cudaMemAdvise() { return cudaSuccess; }
int cudaStreamAttachMemAsync() { return cudaSuccess; }

}  // extern "C"
