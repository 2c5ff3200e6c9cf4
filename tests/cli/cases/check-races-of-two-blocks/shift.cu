__global__ void shift(int *out) {
  __shared__ int s[4];
  s[threadIdx.x] = 1;
  out[blockIdx.x * 4 + threadIdx.x] = s[(threadIdx.x + 1) % 4];
}
