__global__ void stencil(const float *in, float *out, int tiles) {
  __shared__ float tile[2];
  int t = threadIdx.x;
  for (int k = 0; k < tiles; ++k) {
    tile[t] = in[k * 2 + t];
    __syncthreads();
    out[k * 2 + t] = tile[t] + tile[1 - t];
    __syncthreads();
  }
}
// ambit: launch stencil<<<1, 2>>>(in[4], out[4], 2);
// ambit: expect ptx : norace because "the barrier at the end of the loop lets all threads read before the buffer is refilled"
// ambit: expect cuda-cpp : norace because "the barrier at the end of the loop lets all threads read before the buffer is refilled"
