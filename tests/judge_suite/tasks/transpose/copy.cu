// Copies the matrix but does not transpose it, so only the diagonal is right.
__global__ void transpose(const float *in, float *out) {
  out[threadIdx.y * 16 + threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
}
