// The threads add up a tree of sums. The only barrier is before the first step.
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

// ambit: expect ptx          : Sometimes, race because "thread 0 may add s[1] before thread 1 has added s[3] to it"
// ambit: expect cuda-cpp     : Sometimes, race because "the steps of different threads are not ordered"
// ambit: expect hrf-indirect : Sometimes, race because "thread 0 may run ahead, even in an SC execution"
// ambit: expect hrf-relaxed  : Sometimes, race because "the steps of different threads are not ordered"
