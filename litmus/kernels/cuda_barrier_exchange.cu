// Two threads exchange values at a cuda::barrier. The wait of the barrier pauses for times that depend on a clock.
#include <cuda/barrier>
__global__ void exchange(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> meet;
  __shared__ int values[2];
  if (threadIdx.x == 0) init(&meet, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  meet.arrive_and_wait();
  out[threadIdx.x] = values[1 - threadIdx.x];
}
// ambit: launch exchange<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : norace because "each thread reads after both threads have arrived"
