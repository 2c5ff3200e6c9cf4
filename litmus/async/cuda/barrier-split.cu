// Each thread writes, arrives, works, waits, and then reads another thread's value. Source: CUDA C++ Programming Guide,
// Asynchronous Barrier
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void exchange(int *out) {
  __shared__ int a[2];
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  a[threadIdx.x] = 1;
  barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  out[threadIdx.x] = a[1 - threadIdx.x];
}

// ambit: launch exchange<<<1, 2>>>(out[2]);
// ambit: forall (out[0] == 1 && out[1] == 1)
// ambit: expect ptx : Always, norace because "each thread reads after the wait"
// ambit: expect ptx under fair : terminates because "both threads arrive"
