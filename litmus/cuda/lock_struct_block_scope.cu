// Two blocks use a lock class with block scope.
#include <cuda_runtime.h>

#include <cuda/atomic>

struct Lock {
  cuda::atomic<int, cuda::thread_scope_block> word;

  __device__ void acquire() {
    while (word.exchange(1, cuda::memory_order_acquire) != 0) {
    }
  }
  __device__ void release() { word.store(0, cuda::memory_order_release); }
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

// ambit: expect ptx          : Sometimes, race because "the operations are not morally strong"
// ambit: expect cuda-cpp     : Sometimes, race because "the scope of each operation does not include the other thread"
// ambit: expect hrf-indirect : Always, race because "synchronising operations of different blocks conflict"
// ambit: expect hrf-relaxed  : Sometimes, race because "atomics conflict if their scopes are not inclusive"
