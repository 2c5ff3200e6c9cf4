__global__ void softmax(const float *in, float *out) {
  const float own = in[blockIdx.x * 32 + threadIdx.x];
  float largest = own;
  for (int step = 16; step > 0; step /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, step));
  const float power = __expf(own - largest);
  float sum = power;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  out[blockIdx.x * 32 + threadIdx.x] = power / sum;
}
