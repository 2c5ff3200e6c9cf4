// The sum of a block, without any barrier. The models cannot enumerate 1024 threads in a few seconds.
__global__ void reduce(const int* in, int* out) {
  __shared__ int partial[256];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) partial[t] += partial[t + step];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
// ambit: launch reduce<<<4, 256>>>(in[1024], out[4]);
