// Like barrier_syncthreads_33_threads.cu, but with two threads and without the barrier.
#include <cuda_runtime.h>

__global__ void rotate(int *out) {
  extern __shared__ int s[];
  const unsigned t = threadIdx.x, n = blockDim.x;
  s[t] = t * 10;
  out[t] = s[(t + 1) % n];
}

int main() {
  const int n = 2;
  int *out;
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(out, 0xff, n * sizeof(int));
  rotate<<<1, n, n * sizeof(int)>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 10 && out[1] == 0)

// ambit: expect ptx          : Sometimes, race because "nothing orders the writes before the other thread's reads"
// ambit: expect cuda-cpp     : Sometimes, race because "nothing orders the writes before the other thread's reads"
// ambit: expect hrf-indirect : Sometimes, race because "nothing orders the writes before the other thread's reads"
// ambit: expect hrf-relaxed  : Sometimes, race because "nothing orders the writes before the other thread's reads"
