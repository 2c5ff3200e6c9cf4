__device__ void warp_sum(int *s, int lane) {
  if (lane < 2) s[lane] += s[lane + 2];
  __syncwarp();
  if (lane < 1) s[lane] += s[lane + 1];
}
__global__ void reduce(const int *in, int *out) {
  __shared__ int s[4];
  s[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  warp_sum(s, threadIdx.x);
  if (threadIdx.x == 0) *out = s[0];
}
// ambit: launch reduce<<<1, 4>>>(in[4], out[1]);
// ambit: expect ptx : norace because "__syncwarp orders the lanes' accesses between two steps"
// ambit: expect cuda-cpp : norace because "__syncwarp orders the lanes' accesses between two steps"
