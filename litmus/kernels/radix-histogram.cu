__global__ void histogram(const unsigned *keys, unsigned *counts) {
  __shared__ unsigned bins[2];
  if (threadIdx.x < 2) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[keys[threadIdx.x] & 1], 1u);
  __syncthreads();
  if (threadIdx.x < 2) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
// ambit: launch histogram<<<1, 3>>>(keys[3], counts[2]);
// ambit: expect ptx : norace because "a barrier separates clearing from counting"
// ambit: expect cuda-cpp : norace because "a barrier separates clearing from counting"
