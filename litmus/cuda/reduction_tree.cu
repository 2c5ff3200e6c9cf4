// The threads add up a tree of sums in shared memory, with a barrier after each step.
#include <cuda_runtime.h>

#define THREADS 4

template <int N>
__global__ void sum(int *out) {
  __shared__ int s[N];
  const int t = threadIdx.x;
  s[t] = t + 1;
  __syncthreads();
  for (int step = N / 2; step > 0; step /= 2) {
    if (t < step) s[t] += s[t + step];
    __syncthreads();
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

// ambit: expect ptx          : Always, norace because "the barrier separates the steps, and all threads reach it"
// ambit: expect cuda-cpp     : Always, norace because "the barrier synchronises the block"
// ambit: expect hrf-indirect : Always, norace because "the barrier is a release and an acquire of the block"
// ambit: expect hrf-relaxed  : Always, norace because "the barrier orders the block"
