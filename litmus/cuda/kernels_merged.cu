// One kernel does the work of two, so no kernel boundary orders the two parts.
#include <cuda_runtime.h>

__global__ void both(int *data, int *out) {
  const int i = threadIdx.x;
  data[i] *= 2;
  out[i] = data[i] + data[1 - i];
}

int main() {
  const int n = 2;
  int h[n];
  for (int i = 0; i < n; i++) {
    h[i] = 2 * i + 1;
  }
  int *data, *out;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(data, h, n * sizeof(int), cudaMemcpyHostToDevice);
  both<<<1, n>>>(data, out);
  return cudaDeviceSynchronize();
}

// ambit: exists (out[0] == 5)
// ambit: expect ptx      : Sometimes, race on data[1] because "thread 0 can read data[1] before thread 1 doubles it"
// ambit: expect cuda-cpp : race on data[1] because "thread 0 reads data[1] while thread 1 writes it"
