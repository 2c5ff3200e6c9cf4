__global__ void put(const int *in, const int *order, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int to = order[i];
  out[to] = in[i];
}
