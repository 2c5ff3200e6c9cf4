// Functions that nvcc's generated host code calls before main and around `<<<...>>>` (crt/host_runtime.h of the
// toolkit).

#include <vector>

#include "runner/cudart/session.h"

namespace ambit::cudart {
namespace {

/// The configuration between `<<<` and `>>>` of a launch whose arguments are still being evaluated.
struct CallConfiguration {
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes;
  void* stream;
};
thread_local std::vector<CallConfiguration> configurations;

Binary* binary_of(void** handle) { return reinterpret_cast<Binary*>(handle); }

}  // namespace
}  // namespace ambit::cudart

using namespace ambit::cudart;  // NOLINT: the functions below are C's

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Call call;
  return reinterpret_cast<void**>(call.session.add_binary(static_cast<const FatBinaryWrapper*>(wrapper)));
}
void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}

char __cudaInitModule(void** /*handle*/) {
  Call call;
  call.session.place_managed_variables();
  return 1;
}

void __cudaRegisterFunction(void** handle, const char* stub, char* /*device_function*/, const char* name,
                            int /*thread_limit*/, void* /*tid*/, void* /*bid*/, void* /*block*/, void* /*grid*/,
                            int* /*warp_size*/) {
  Call call;
  call.session.add_kernel(stub, binary_of(handle), name);
}

void __cudaRegisterVar(void** handle, char* variable, char* /*device_address*/, const char* name, int /*is_extern*/,
                       std::size_t size, int /*is_constant*/, int /*is_global*/) {
  Call call;
  call.session.add_variable(variable, {binary_of(handle), name, size, nullptr});
}

void __cudaRegisterManagedVar(void** handle, void** variable, char* /*device_address*/, const char* name,
                              int /*is_extern*/, std::size_t size, int /*is_constant*/, int /*is_global*/) {
  Call call;
  *variable = nullptr;
  call.session.add_variable(variable, {binary_of(handle), name, size, variable});
}

// Host and device access the variable at two addresses; its shadow on the host is not tracked.
void __cudaRegisterHostVar(void** /*handle*/, const char* /*name*/, char* /*variable*/, std::size_t /*size*/) {}
void __cudaRegisterUnifiedTable(void* /*table*/) {}

unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared_bytes, void* stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared_bytes, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const CallConfiguration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<void**>(stream) = last.stream;
  return cudaSuccess;
}

int __cudaGetKernel(void** kernel, const void* stub) {
  Call call;
  *kernel = call.session.find_kernel(stub);
  return *kernel == nullptr ? call.session.note(cudaErrorInvalidDeviceFunction) : cudaSuccess;
}

int cudaGetKernel(void** kernel, const void* stub) { return __cudaGetKernel(kernel, stub); }
int cudaGetFuncBySymbol(void** function, const void* stub) { return __cudaGetKernel(function, stub); }

int cudaFuncGetName(const char** name, const void* function) {
  Call call;
  const Kernel* kernel = call.session.find_kernel(function);
  if (kernel == nullptr) return call.session.note(cudaErrorInvalidDeviceFunction);
  *name = kernel->name.c_str();
  return cudaSuccess;
}

}  // extern "C"
