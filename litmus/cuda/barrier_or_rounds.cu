// Threads repeat rounds until no thread changes a label; the barrier returns the same result to all threads.
#include <cuda_runtime.h>

__device__ int label[3] = {3, 2, 1};

__global__ void smallest() {
  const int t = threadIdx.x;
  int changed;
  do {
    const int mine = label[t];
    const int other = label[(t + 1) % 3];
    changed = other < mine;
    __syncthreads();
    if (changed) label[t] = other;
  } while (__syncthreads_or(changed));
}

// ambit: launch smallest<<<1, 3>>>();
// ambit: forall (label[0] == 1 && label[1] == 1 && label[2] == 1)
// ambit: expect ptx      : Always, norace, nodivergence because "all threads leave the loop in the first round in which no thread changes its label"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "all threads leave the loop in the first round in which no thread changes its label"
