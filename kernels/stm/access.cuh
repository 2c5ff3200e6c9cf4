// Accesses of one 32-bit word with an order, at device scope, as PTX names them. The transactional memories of this
// folder use nothing else, so that the order of each of their accesses is in one place.
#pragma once

namespace stm {

#if defined(__CUDA_ARCH__)

/// ld.relaxed: a strong read. A plain load would race with the stores of other transactions.
__device__ inline unsigned load_relaxed(const unsigned* at) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

/// ld.acquire: what was released with the value is visible behind it.
__device__ inline unsigned load_acquire(const unsigned* at) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

__device__ inline void store_relaxed(unsigned* at, unsigned value) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// st.release: what the thread did or saw before is visible to who acquires the value.
__device__ inline void store_release(unsigned* at, unsigned value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// atom.acquire.cas: the old value.
__device__ inline unsigned cas_acquire(unsigned* at, unsigned expected, unsigned desired) {
  unsigned old;
  asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(at), "r"(expected), "r"(desired)
               : "memory");
  return old;
}

__device__ inline void fence_acq_rel() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ inline void fence_sc() { asm volatile("fence.sc.gpu;" ::: "memory"); }

/// Gives other threads time.
__device__ inline void sleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory"); }

#else  // the host's part of a program: only its types count

__device__ inline unsigned load_relaxed(const unsigned* at) { return *at; }
__device__ inline unsigned load_acquire(const unsigned* at) { return *at; }
__device__ inline void store_relaxed(unsigned* at, unsigned value) { *at = value; }
__device__ inline void store_release(unsigned* at, unsigned value) { *at = value; }
__device__ inline unsigned cas_acquire(unsigned* at, unsigned, unsigned) { return *at; }
__device__ inline void fence_acq_rel() {}
__device__ inline void fence_sc() {}
__device__ inline void sleep(unsigned) {}

#endif

/// Where the tests slow a step down to make rare interleavings frequent.
#ifndef STM_PAUSE
#define STM_PAUSE(step)
#endif

}  // namespace stm
