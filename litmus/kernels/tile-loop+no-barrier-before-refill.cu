__global__ void stencil(const float *in, float *out, int tiles) {
  __shared__ float tile[2];
  int t = threadIdx.x;
  for (int k = 0; k < tiles; ++k) {
    tile[t] = in[k * 2 + t];
    __syncthreads();
    out[k * 2 + t] = tile[t] + tile[1 - t];
  }
}
// ambit: launch stencil<<<1, 2>>>(in[4], out[4], 2);
// ambit: expect ptx : race because "a thread may refill the tile while its neighbour still reads it"
// ambit: expect cuda-cpp : race because "a thread may refill the tile while its neighbour still reads it"
