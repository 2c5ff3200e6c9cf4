__global__ void softmax(const float *in, float *out) {
  const float *row = in + blockIdx.x * 32;
  float largest = row[0];
  for (int i = 1; i < 32; ++i) largest = fmaxf(largest, row[i]);
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += expf(row[i] - largest);
  out[blockIdx.x * 32 + threadIdx.x] = expf(row[threadIdx.x] - largest) / sum;
}
