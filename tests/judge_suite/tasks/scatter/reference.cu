__global__ void scatter(const int *in, const int *order, int *out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[order[i]] = in[i];
}
