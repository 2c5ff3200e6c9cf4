// With these declarations, the host's compiler can compile a CUDA source of kernels/. They replace nvcc's keywords,
// launches, and the parts of the runtime that these sources use. The device code is compiled, too, but never called:
// the stored PTX runs instead (fat_binary.h). Each kernel or variable is registered at its first use, under its name in
// the PTX.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "fat_binary.h"

#define __global__ __attribute__((noinline, used))
#define __device__
#define __host__
#define __shared__ static
#define __constant__ __attribute__((used))
#define __restrict__

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

inline void __syncthreads() {}
inline void __syncwarp(unsigned = 0) {}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __trap() { std::abort(); }
inline long long clock64() { return 0; }
template <class T>
T __shfl_sync(unsigned, T value, int) {
  return value;
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int) {
  return value;
}
#define AMBIT_ATOMIC(name)    \
  template <class T, class U> \
  T name(T* at, U) {          \
    return *at;               \
  }
AMBIT_ATOMIC(atomicAdd)
AMBIT_ATOMIC(atomicAdd_block)
AMBIT_ATOMIC(atomicExch)
AMBIT_ATOMIC(atomicExch_block)
AMBIT_ATOMIC(atomicInc)
#undef AMBIT_ATOMIC
template <class T>
T atomicCAS(T* at, int, int) {
  return *at;
}
template <class T>
T atomicCAS_block(T* at, int, int) {
  return *at;
}
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }

// ---- the runtime ----

using cudaError_t = int;
constexpr cudaError_t cudaSuccess = 0;
constexpr int cudaMemcpyHostToDevice = 1;
constexpr int cudaMemcpyDeviceToHost = 2;
extern "C" {
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaFree(void* pointer);
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind);
int cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared, void* stream);
int cudaDeviceSynchronize();
int cudaGetLastError();
const char* cudaGetErrorString(int error);
}
template <class T>
int cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

namespace host_cuda {

inline void** binary() {
  static void** handle = register_ptx(std::getenv("AMBIT_TEST_PTX"));
  return handle;
}

inline const char* symbol_at(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) != 0 && info.dli_sname != nullptr) return info.dli_sname;
  std::fprintf(stderr, "error: a kernel or variable without a symbol\n");
  std::exit(2);
}

inline bool is_new(const void* address) {
  static std::set<const void*> known;
  return known.insert(address).second;
}

template <class... Parameters>
struct Launch {
  void (*kernel)(Parameters...);
  dim3 grid, block;

  void operator()(Parameters... arguments) const {
    const void* function = reinterpret_cast<const void*>(kernel);
    if (is_new(function)) {
      __cudaRegisterFunction(binary(), static_cast<const char*>(function), nullptr, symbol_at(function), -1, nullptr,
                             nullptr, nullptr, nullptr, nullptr);
    }
    void* all[] = {&arguments...};
    cudaLaunchKernel(function, grid, block, all, 0, nullptr);
  }
};

// host_source.cmake translates `kernel<<<grid, block>>>` to a call of this function.
template <class... Parameters>
Launch<Parameters...> launch(void (*kernel)(Parameters...), dim3 grid, dim3 block) {
  return {kernel, grid, block};
}

}  // namespace host_cuda

template <class T>
int cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes) {
  char* address = reinterpret_cast<char*>(&symbol);
  if (host_cuda::is_new(address)) {
    __cudaRegisterVar(host_cuda::binary(), address, address, host_cuda::symbol_at(address), 0, sizeof symbol, 1, 0);
  }
  return cudaMemcpyToSymbol(static_cast<const void*>(address), from, bytes, 0, cudaMemcpyHostToDevice);
}
