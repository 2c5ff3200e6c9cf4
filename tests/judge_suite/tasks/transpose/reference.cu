__global__ void transpose(const float *in, float *out) {
  out[threadIdx.x * 16 + threadIdx.y] = in[threadIdx.y * 16 + threadIdx.x];
}
