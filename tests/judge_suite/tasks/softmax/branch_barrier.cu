// The two halves of the warp wait at different barriers.
__global__ void softmax(const float *in, float *out) {
  __shared__ float power[32];
  const float *row = in + blockIdx.x * 32;
  if (threadIdx.x < 16) {
    power[threadIdx.x] = expf(row[threadIdx.x]);
    __syncthreads();
  } else {
    power[threadIdx.x] = expf(row[threadIdx.x]) + 0.0f * row[0];
    __syncthreads();
  }
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += power[i];
  out[blockIdx.x * 32 + threadIdx.x] = power[threadIdx.x] / sum;
}
