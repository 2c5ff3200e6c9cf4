// One thread copies with cuda::memcpy_async at a barrier; another thread waits and reads. Source: CUDA C++ Programming
// Guide, memcpy_async
#include <cuda/barrier>

__global__ void load(const int *in, int *out) {
  __shared__ int tile[2];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::memcpy_async(tile, in, sizeof(tile), bar);
    auto token = bar.arrive();
  } else {
    bar.arrive_and_wait();
    out[0] = tile[0];
  }
}

// ambit: launch load<<<1, 2>>>(in[2], out[1]);
// ambit: expect ptx : norace because "the thread that copies arrives after its copy"
