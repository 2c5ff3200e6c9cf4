__device__ unsigned arrived = 0;
__device__ void grid_barrier(unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < blocks) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void k(int *x, int *out) {
  x[blockIdx.x] = 1;
  grid_barrier(gridDim.x);
  out[blockIdx.x] = x[1 - blockIdx.x];
}
// ambit: launch k<<<2, 1>>>(x[2], out[2]);
// ambit: expect ptx : norace because "each block executes a fence before it arrives at the grid barrier and after it leaves"
// ambit: expect cuda-cpp : norace because "each block executes a fence before it arrives at the grid barrier and after it leaves"
