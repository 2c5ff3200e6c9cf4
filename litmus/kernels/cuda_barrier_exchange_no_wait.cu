// Like cuda_barrier_exchange.cu, but the threads arrive without waiting.
#include <cuda/barrier>
__global__ void exchange(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> meet;
  __shared__ int values[2];
  if (threadIdx.x == 0) init(&meet, blockDim.x);
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  (void)meet.arrive();
  out[threadIdx.x] = values[1 - threadIdx.x];
}
// ambit: launch exchange<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : race because "an arrival does not wait for the other thread's store"
