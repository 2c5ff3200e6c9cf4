__global__ void sum(const int *in, int *out) {
  __shared__ int partial[2];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = in[threadIdx.x];
  if (lane == 0) partial[warp] = v;
  if (threadIdx.x == 0) *out = partial[0] + partial[1];
}
// ambit: launch sum<<<1, 33>>>(in[33], out[1]);
// ambit: expect ptx : race because "the first warp may read partial sums before they are stored"
// ambit: expect cuda-cpp : race because "the first warp may read partial sums before they are stored"
