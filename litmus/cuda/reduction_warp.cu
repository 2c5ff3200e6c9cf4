// One warp adds up the tree of sums, with __syncwarp between reads and writes.
#include <cuda_runtime.h>

#define THREADS 4

template <int N>
__global__ void sum(int *out) {
  __shared__ int s[N];
  const int t = threadIdx.x;
  s[t] = t + 1;
  __syncwarp();
  for (int step = N / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncwarp();
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  int *out;
  cudaMalloc((void **)&out, sizeof(int));
  sum<THREADS><<<1, THREADS>>>(out);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == THREADS * (THREADS + 1) / 2)

// ambit: expect ptx          : Always, norace because "all threads of the launch are lanes of the warp that executes __syncwarp"
// ambit: expect cuda-cpp     : Always, norace because "__syncwarp orders the memory accesses of its lanes"
// ambit: expect hrf-indirect : Always, norace because "the warp's barrier orders its lanes"
// ambit: expect hrf-relaxed  : Always, norace because "the warp's barrier orders its lanes"
