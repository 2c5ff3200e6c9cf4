// Launches, and host queries about kernels ("Execution Control" and "Occupancy" in the runtime's manual).

#include <algorithm>
#include <cstring>

#include "runner/cudart/session.h"
#include "runner/virtual/occupancy.h"

using namespace ambit::cudart;  // NOLINT: the functions below have C linkage

namespace {

using ambit::virtual_gpu::kMostSharedOfBlock;
using ambit::virtual_gpu::kSharedOfProcessor;
using ambit::virtual_gpu::kSharedOfSystem;

/// cudaFuncAttribute.
enum FunctionAttribute : int { MaximumDynamicShared = 8, PreferredCarveout = 9 };

int active_blocks(const ambit::virtual_gpu::KernelInfo& info, int threads, std::size_t dynamic_shared) {
  if (threads <= 0) return 0;
  return static_cast<int>(ambit::virtual_gpu::blocks_of_processor(static_cast<std::uint32_t>(threads),
                                                                  info.static_shared_bytes + dynamic_shared));
}

}  // namespace

extern "C" {

int cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, void* stream) {
  Call call;
  return call.session.launch({function, grid, block, {}, arguments, shared, stream, false});
}
int __cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, void* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
int cudaLaunchCooperativeKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared,
                                void* stream) {
  Call call;
  return call.session.launch({function, grid, block, {}, arguments, shared, stream, true});
}

int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* function, void** arguments) {
  Call call;
  if (configuration == nullptr) return call.session.note(cudaErrorInvalidValue);
  LaunchRequest request{function,
                        configuration->grid,
                        configuration->block,
                        {},
                        arguments,
                        configuration->dynamic_shared_bytes,
                        configuration->stream,
                        false};
  for (unsigned i = 0; i < configuration->attribute_count; ++i) {
    const LaunchAttribute& attribute = configuration->attributes[i];
    if (attribute.id == kCooperativeAttribute) request.is_cooperative = attribute.value.number != 0;
    if (attribute.id == kClusterAttribute) {
      request.cluster = {attribute.value.cluster.x, attribute.value.cluster.y, attribute.value.cluster.z};
    }
  }
  return call.session.launch(request);
}

/// Host functions run immediately, because all work runs in the order in which it is issued.
int cudaLaunchHostFunc(void* /*stream*/, void (*function)(void*), void* data) {
  function(data);
  return cudaSuccess;
}

int cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function) {
  Call call;
  Kernel* kernel = nullptr;
  const ambit::virtual_gpu::KernelInfo* info = nullptr;
  const Error error = call.session.loaded_kernel(function, kernel, info);
  if (error != cudaSuccess) return call.session.note(error);
  *attributes = {info->static_shared_bytes,
                 info->constant_bytes,
                 info->local_bytes,
                 static_cast<int>(info->maximum_threads),
                 static_cast<int>(std::min(info->registers, 255U)),
                 info->target == 0 ? 90 : static_cast<int>(info->target),  // ptxVersion
                 90,                                                       // binaryVersion
                 0,
                 kernel->maximum_dynamic_shared_bytes,
                 -1};
  return cudaSuccess;
}

int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  Call call;
  Kernel* kernel = call.session.find_kernel(function);
  if (kernel == nullptr) return call.session.note(cudaErrorInvalidDeviceFunction);
  if (attribute == MaximumDynamicShared) {
    if (value < 0 || value > static_cast<int>(kMostSharedOfBlock)) return call.session.note(cudaErrorInvalidValue);
    kernel->maximum_dynamic_shared_bytes = value;
  }
  return cudaSuccess;
}
int cudaFuncSetCacheConfig(const void* /*function*/, int /*configuration*/) { return cudaSuccess; }
int cudaFuncSetSharedMemConfig(const void* /*function*/, int /*configuration*/) { return cudaSuccess; }

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                           std::size_t shared, unsigned /*flags*/) {
  Call call;
  Kernel* kernel = nullptr;
  const ambit::virtual_gpu::KernelInfo* info = nullptr;
  const Error error = call.session.loaded_kernel(function, kernel, info);
  if (error != cudaSuccess) return call.session.note(error);
  *blocks = active_blocks(*info, threads, shared);
  return cudaSuccess;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks, int /*threads*/) {
  Call call;
  Kernel* kernel = nullptr;
  const ambit::virtual_gpu::KernelInfo* info = nullptr;
  const Error error = call.session.loaded_kernel(function, kernel, info);
  if (error != cudaSuccess) return call.session.note(error);
  if (blocks <= 0) return call.session.note(cudaErrorInvalidValue);
  const int each = std::min(static_cast<int>(kSharedOfProcessor) / blocks - static_cast<int>(kSharedOfSystem),
                            static_cast<int>(kMostSharedOfBlock));
  *bytes = static_cast<std::size_t>(std::max(0, each - static_cast<int>(info->static_shared_bytes)));
  return cudaSuccess;
}

}  // extern "C"
