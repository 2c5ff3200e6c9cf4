// Like lock_struct.cu, but the operations of the lock class are relaxed.
#include <cuda_runtime.h>

#include <cuda/atomic>

struct Lock {
  cuda::atomic<int, cuda::thread_scope_device> word;

  __device__ void acquire() {
    while (word.exchange(1, cuda::memory_order_relaxed) != 0) {
    }
  }
  __device__ void release() { word.store(0, cuda::memory_order_relaxed); }
};
__device__ Lock guard;

__device__ void lock() { guard.acquire(); }
__device__ void unlock() { guard.release(); }

__global__ void increment(int *data) {
  lock();
  data[0] = data[0] + 1;
  unlock();
}

int main() {
  int *data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  increment<<<2, 1>>>(data);
  return cudaDeviceSynchronize();
}

// ambit: forall (data[0] == 2)

// ambit: expect ptx          : Sometimes, race on data[0] because "relaxed operations order nothing"
// ambit: expect cuda-cpp     : Sometimes, race on data[0] because "relaxed operations do not synchronise"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race on data[0] because "relaxed atomics never synchronise"
