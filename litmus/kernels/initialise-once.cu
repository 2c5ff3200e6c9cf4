#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__device__ int table;
__global__ void k(int *out) {
  if (blockIdx.x == 0) {
    table = 3;
    ready.store(1, cuda::memory_order_release);
  }
  if (ready.load(cuda::memory_order_acquire) == 1 && blockIdx.x == 1) *out = table;
}
// ambit: launch k<<<2, 1>>>(out[1]);
// ambit: expect ptx : norace because "the check reads from the release of the initialisation and acquires"
// ambit: expect cuda-cpp : norace because "the check reads from the release of the initialisation and acquires"
