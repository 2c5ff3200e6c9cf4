// The loop lacks a barrier. The threads of steps 16 to 1 are in one warp, so most schedules give the right sums.
__global__ void block_sum(const int *in, int *out) {
  __shared__ int part[64];
  part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int width = 32; width > 0; width /= 2) {
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
