__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[2][3];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[2 * y + x];
  __syncthreads();
  out[2 * y + x] = tile[x][y];
}
// ambit: launch transpose<<<1, dim3(2, 2)>>>(in[4], out[4]);
// ambit: expect ptx : norace because "the barrier separates rows from columns"
// ambit: expect cuda-cpp : norace because "the barrier separates rows from columns"
