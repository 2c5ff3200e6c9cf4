// Lets clang 16 and later compile a CUDA program without NVIDIA's headers (`ambit exec file.cu` without nvcc). Declares
// keywords, vectors and built-in variables, synchronisation, atomics, exchanges in a warp, and the functions of the
// runtime library. Cooperative groups are in clang_cooperative_groups.cuh. Textures and mathematical functions that
// need more than one instruction are not supported. Each function compiles to the same instructions as nvcc's function
// of the same name.
#ifndef AMBIT_CLANG_RUNTIME
#define AMBIT_CLANG_RUNTIME

#include <stddef.h>
#include <stdint.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#undef __restrict__
#define __restrict__ __restrict
#define CUDART_CB
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
// Omits line information, so that each instruction gets the line of the call in the program.
#define AMBIT_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define AMBIT_BOTH static __host__ __device__ __forceinline__ __attribute__((nodebug))

// ---- vectors and built-in variables ----

#define AMBIT_VECTOR(T, name, alignment2, alignment4)                                             \
  struct name##1 {                                                                                \
    T x;                                                                                          \
  };                                                                                              \
  struct alignas(alignment2) name##2 {                                                            \
    T x, y;                                                                                       \
  };                                                                                              \
  struct name##3 {                                                                                \
    T x, y, z;                                                                                    \
  };                                                                                              \
  struct alignas(alignment4) name##4 {                                                            \
    T x, y, z, w;                                                                                 \
  };                                                                                              \
  AMBIT_BOTH name##1 make_##name##1(T x) { return {x}; }                                          \
  AMBIT_BOTH name##2 make_##name##2(T x, T y) { return {x, y}; }                                  \
  AMBIT_BOTH name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                          \
  AMBIT_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
AMBIT_VECTOR(signed char, char, 2, 4)
AMBIT_VECTOR(unsigned char, uchar, 2, 4)
AMBIT_VECTOR(short, short, 4, 8)
AMBIT_VECTOR(unsigned short, ushort, 4, 8)
AMBIT_VECTOR(int, int, 8, 16)
AMBIT_VECTOR(unsigned, uint, 8, 16)
AMBIT_VECTOR(long long, longlong, 16, 16)
AMBIT_VECTOR(unsigned long long, ulonglong, 16, 16)
AMBIT_VECTOR(float, float, 8, 16)
AMBIT_VECTOR(double, double, 16, 16)
#undef AMBIT_VECTOR

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#include <__clang_cuda_builtin_vars.h>
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

// ---- the device library ----

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void* malloc(size_t) noexcept;
__device__ void free(void*) noexcept;
__device__ __attribute__((noreturn)) void __assertfail(const char*, const char*, unsigned, const char*, size_t);
__device__ inline __attribute__((nodebug, noreturn)) void __assert_fail(const char* message, const char* file,
                                                                        unsigned line, const char* function) noexcept {
  __assertfail(message, file, line, function, 1);
}
// clang compiles a call of this function to a call of vprintf.
__device__ int printf(const char*, ...);
}

// ---- synchronisation ----

AMBIT_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
AMBIT_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
AMBIT_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
AMBIT_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
AMBIT_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
AMBIT_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
AMBIT_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
AMBIT_DEVICE void __trap() { asm volatile("trap;"); }
AMBIT_DEVICE void __nanosleep(unsigned time) { asm volatile("nanosleep.u32 %0;" ::"r"(time)); }
AMBIT_DEVICE long long clock64() {
  long long time;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(time));
  return time;
}
AMBIT_DEVICE int clock() { return static_cast<int>(clock64()); }

// ---- atomics ----

#define AMBIT_ATOMIC_AS(name, scope, T, operation, letter)                                  \
  AMBIT_DEVICE T name(T* at, T value) {                                                     \
    T old;                                                                                  \
    asm volatile("atom" scope "." operation " %0, [%1], %2;"                                \
                 : "=" letter(old)                                                          \
                 : "l"(at), letter(value)                                                   \
                 : "memory");                                                               \
    return old;                                                                             \
  }
#define AMBIT_ATOMIC(name, T, operation, letter)               \
  AMBIT_ATOMIC_AS(name, ".gpu", T, operation, letter)          \
  AMBIT_ATOMIC_AS(name##_block, ".cta", T, operation, letter)  \
  AMBIT_ATOMIC_AS(name##_system, ".sys", T, operation, letter)
#define AMBIT_ATOMIC_INTEGERS(name, operation)                \
  AMBIT_ATOMIC(name, int, operation ".s32", "r")              \
  AMBIT_ATOMIC(name, unsigned, operation ".u32", "r")         \
  AMBIT_ATOMIC(name, unsigned long long, operation ".u64", "l")
AMBIT_ATOMIC_INTEGERS(atomicMin, "min")
AMBIT_ATOMIC_INTEGERS(atomicMax, "max")
AMBIT_ATOMIC(atomicMin, long long, "min.s64", "l")
AMBIT_ATOMIC(atomicMax, long long, "max.s64", "l")
AMBIT_ATOMIC_INTEGERS(atomicAdd, "add")
AMBIT_ATOMIC(atomicAdd, float, "add.f32", "f")
AMBIT_ATOMIC(atomicAdd, double, "add.f64", "d")
#define AMBIT_ATOMIC_BITS(name, operation)                  \
  AMBIT_ATOMIC(name, int, operation ".b32", "r")            \
  AMBIT_ATOMIC(name, unsigned, operation ".b32", "r")       \
  AMBIT_ATOMIC(name, unsigned long long, operation ".b64", "l")
AMBIT_ATOMIC_BITS(atomicAnd, "and")
AMBIT_ATOMIC_BITS(atomicOr, "or")
AMBIT_ATOMIC_BITS(atomicXor, "xor")
AMBIT_ATOMIC_BITS(atomicExch, "exch")
AMBIT_ATOMIC(atomicExch, float, "exch.b32", "f")
AMBIT_ATOMIC(atomicInc, unsigned, "inc.u32", "r")
AMBIT_ATOMIC(atomicDec, unsigned, "dec.u32", "r")
#define AMBIT_SUBTRACT(suffix)                                                                          \
  AMBIT_DEVICE int atomicSub##suffix(int* at, int value) { return atomicAdd##suffix(at, -value); }      \
  AMBIT_DEVICE unsigned atomicSub##suffix(unsigned* at, unsigned value) { return atomicAdd##suffix(at, 0u - value); }
AMBIT_SUBTRACT()
AMBIT_SUBTRACT(_block)
AMBIT_SUBTRACT(_system)
#define AMBIT_COMPARE_AS(name, scope, T, type, letter)                      \
  AMBIT_DEVICE T name(T* at, T compare, T value) {                          \
    T old;                                                                  \
    asm volatile("atom" scope ".cas." type " %0, [%1], %2, %3;"             \
                 : "=" letter(old)                                          \
                 : "l"(at), letter(compare), letter(value)                  \
                 : "memory");                                               \
    return old;                                                             \
  }
#define AMBIT_COMPARE(T, type, letter)                          \
  AMBIT_COMPARE_AS(atomicCAS, ".gpu", T, type, letter)          \
  AMBIT_COMPARE_AS(atomicCAS_block, ".cta", T, type, letter)    \
  AMBIT_COMPARE_AS(atomicCAS_system, ".sys", T, type, letter)
AMBIT_COMPARE(int, "b32", "r")
AMBIT_COMPARE(unsigned, "b32", "r")
AMBIT_COMPARE(unsigned long long, "b64", "l")
AMBIT_COMPARE(unsigned short, "b16", "h")
#undef AMBIT_COMPARE
#undef AMBIT_COMPARE_AS
#undef AMBIT_SUBTRACT
#undef AMBIT_ATOMIC_BITS
#undef AMBIT_ATOMIC_INTEGERS
#undef AMBIT_ATOMIC
#undef AMBIT_ATOMIC_AS

// ---- warps ----

AMBIT_DEVICE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
AMBIT_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
AMBIT_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
AMBIT_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
AMBIT_DEVICE unsigned __match_any_sync(unsigned mask, unsigned value) {
  unsigned lanes;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"(value), "r"(mask));
  return lanes;
}
// `limit` clamps the source lane; the upper bits of the operand divide the warp into groups (PTX ISA, shfl.sync).
#define AMBIT_SHUFFLE(name, mode, limit)                                                              \
  AMBIT_DEVICE unsigned ambit_##name(unsigned mask, unsigned value, unsigned lane, unsigned width) {  \
    unsigned result;                                                                                  \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                         \
                 : "=r"(result)                                                                       \
                 : "r"(value), "r"(lane), "r"((32u - width) << 8 | (limit)), "r"(mask));              \
    return result;                                                                                    \
  }                                                                                                   \
  template <typename T>                                                                               \
  AMBIT_DEVICE T name(unsigned mask, T value, int lane, int width = 32) {                             \
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a value of 4 or 8 bytes");                       \
    unsigned words[sizeof(T) / 4];                                                                    \
    __builtin_memcpy(words, &value, sizeof(T));                                                       \
    for (unsigned& word : words) word = ambit_##name(mask, word, lane, width);                        \
    __builtin_memcpy(&value, words, sizeof(T));                                                       \
    return value;                                                                                     \
  }
AMBIT_SHUFFLE(__shfl_sync, "idx", 31u)
AMBIT_SHUFFLE(__shfl_up_sync, "up", 0u)
AMBIT_SHUFFLE(__shfl_down_sync, "down", 31u)
AMBIT_SHUFFLE(__shfl_xor_sync, "bfly", 31u)
#undef AMBIT_SHUFFLE
#define AMBIT_REDUCE(name, T, operation)                                                              \
  AMBIT_DEVICE T name(unsigned mask, T value) {                                                       \
    T result;                                                                                         \
    asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask));      \
    return result;                                                                                    \
  }
AMBIT_REDUCE(__reduce_add_sync, int, "add.s32")
AMBIT_REDUCE(__reduce_add_sync, unsigned, "add.u32")
AMBIT_REDUCE(__reduce_min_sync, int, "min.s32")
AMBIT_REDUCE(__reduce_min_sync, unsigned, "min.u32")
AMBIT_REDUCE(__reduce_max_sync, int, "max.s32")
AMBIT_REDUCE(__reduce_max_sync, unsigned, "max.u32")
AMBIT_REDUCE(__reduce_and_sync, unsigned, "and.b32")
AMBIT_REDUCE(__reduce_or_sync, unsigned, "or.b32")
AMBIT_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef AMBIT_REDUCE

// ---- numbers ----

AMBIT_DEVICE int __popc(unsigned value) { return __builtin_popcount(value); }
AMBIT_DEVICE int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
AMBIT_DEVICE int __clz(int value) { return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value)); }
AMBIT_DEVICE int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
AMBIT_DEVICE int __ffs(int value) { return __builtin_ffs(value); }
AMBIT_DEVICE int __ffsll(long long value) { return __builtin_ffsll(value); }
AMBIT_DEVICE unsigned __brev(unsigned value) { return __builtin_bitreverse32(value); }
AMBIT_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
AMBIT_DEVICE int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
AMBIT_DEVICE unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
AMBIT_DEVICE float __int_as_float(int value) { return __builtin_bit_cast(float, value); }
AMBIT_DEVICE float __uint_as_float(unsigned value) { return __builtin_bit_cast(float, value); }
#define AMBIT_LEAST_AND_MOST(T)                              \
  AMBIT_BOTH T min(T a, T b) { return b < a ? b : a; }       \
  AMBIT_BOTH T max(T a, T b) { return a < b ? b : a; }
AMBIT_LEAST_AND_MOST(int)
AMBIT_LEAST_AND_MOST(unsigned)
AMBIT_LEAST_AND_MOST(long)
AMBIT_LEAST_AND_MOST(unsigned long)
AMBIT_LEAST_AND_MOST(long long)
AMBIT_LEAST_AND_MOST(unsigned long long)
#undef AMBIT_LEAST_AND_MOST
#define AMBIT_NUMBER(T, name, instruction, letter)                        \
  AMBIT_DEVICE T name(T value) {                                          \
    T result;                                                             \
    asm(instruction " %0, %1;" : "=" letter(result) : letter(value));     \
    return result;                                                        \
  }
AMBIT_NUMBER(float, sqrtf, "sqrt.rn.f32", "f")
AMBIT_NUMBER(double, sqrt, "sqrt.rn.f64", "d")
AMBIT_NUMBER(float, rsqrtf, "rsqrt.approx.f32", "f")
AMBIT_NUMBER(float, fabsf, "abs.f32", "f")
AMBIT_NUMBER(double, fabs, "abs.f64", "d")
AMBIT_NUMBER(float, floorf, "cvt.rmi.f32.f32", "f")
AMBIT_NUMBER(float, ceilf, "cvt.rpi.f32.f32", "f")
AMBIT_NUMBER(float, __sinf, "sin.approx.f32", "f")
AMBIT_NUMBER(float, __cosf, "cos.approx.f32", "f")
AMBIT_NUMBER(float, __log2f, "lg2.approx.f32", "f")
#undef AMBIT_NUMBER
AMBIT_DEVICE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
AMBIT_DEVICE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
AMBIT_DEVICE float fminf(float a, float b) { return __builtin_fminf(a, b); }
AMBIT_DEVICE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }

// ---- the runtime library ----

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorNotReady = 600 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrCooperativeLaunch = 95
};
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;

extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* at, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t second);
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream);
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared);
// clang generates a call of this function for <<< >>>.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = 0);
}

template <typename T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <typename T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}
template <typename T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return cudaGetSymbolAddress(address, reinterpret_cast<const void*>(&symbol));
}
template <typename T>
cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                        cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <typename T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads, shared);
}
#undef AMBIT_DEVICE
#undef AMBIT_BOTH

#endif
