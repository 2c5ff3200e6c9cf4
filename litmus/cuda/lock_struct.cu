// The program uses a lock class with an atomic member.
#include <cuda_runtime.h>

#include <cuda/atomic>

struct Lock {
  cuda::atomic<int, cuda::thread_scope_device> word;

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

// ambit: expect ptx          : Always, norace because "the acquiring exchange reads from the releasing store"
// ambit: expect cuda-cpp     : Always, norace because "release and acquire at device scope synchronise"
// ambit: expect hrf-indirect : Always, norace because "the release and the acquire have the same scope"
// ambit: expect hrf-relaxed  : Always, norace because "the release and the acquire have inclusive scopes"
