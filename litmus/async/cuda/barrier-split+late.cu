// Each thread writes, arrives, and then reads another thread's value before it waits. Source: CUDA C++ Programming
// Guide, Asynchronous Barrier
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void exchange(int *out) {
  __shared__ int a[2];
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  a[threadIdx.x] = 1;
  barrier::arrival_token token = bar.arrive();
  out[threadIdx.x] = a[1 - threadIdx.x];
  bar.wait(std::move(token));
}

// ambit: launch exchange<<<1, 2>>>(out[2]);
// ambit: expect ptx : race on b0:a[0] because "an arrival without a wait does not acquire"
