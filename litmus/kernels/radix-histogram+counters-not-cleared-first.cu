__global__ void histogram(const unsigned *keys, unsigned *counts) {
  __shared__ unsigned bins[2];
  if (threadIdx.x < 2) bins[threadIdx.x] = 0;
  atomicAdd(&bins[keys[threadIdx.x] & 1], 1u);
  __syncthreads();
  if (threadIdx.x < 2) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
// ambit: launch histogram<<<1, 3>>>(keys[3], counts[2]);
// ambit: expect ptx : race because "a thread may count before the counter is cleared"
// ambit: expect cuda-cpp : race because "a thread may count before the counter is cleared"
