#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;
__device__ int table;
__global__ void k(int *out) {
  if (blockIdx.x == 0) {
    table = 3;
    ready.store(1, cuda::memory_order_release);
  }
  if (ready.load(cuda::memory_order_relaxed) == 1 && blockIdx.x == 1) *out = table;
}
// ambit: launch k<<<2, 1>>>(out[1]);
// ambit: expect ptx : race because "a relaxed check does not order the later use of the data"
// ambit: expect cuda-cpp : race because "a relaxed check does not order the later use of the data"
