__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[2][3];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[2 * y + x];
  out[2 * y + x] = tile[x][y];
}
// ambit: launch transpose<<<1, dim3(2, 2)>>>(in[4], out[4]);
// ambit: expect ptx : race because "a thread may read a column before other threads have stored its rows"
// ambit: expect cuda-cpp : race because "a thread may read a column before other threads have stored its rows"
