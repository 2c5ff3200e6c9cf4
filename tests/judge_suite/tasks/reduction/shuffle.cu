__global__ void warp_sum(const int *in, int *out) {
  __shared__ int part[2];
  int sum = in[blockIdx.x * 64 + threadIdx.x];
  for (int width = 16; width > 0; width /= 2) sum += __shfl_down_sync(0xffffffff, sum, width);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1];
}
