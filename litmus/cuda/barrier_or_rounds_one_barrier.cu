// Threads repeat rounds until no thread changes a label, but no barrier separates the reads of a round from its writes.
#include <cuda_runtime.h>

__device__ int label[3] = {3, 2, 1};

__global__ void smallest() {
  const int t = threadIdx.x;
  int changed;
  do {
    const int mine = label[t];
    const int other = label[(t + 1) % 3];
    changed = other < mine;
    if (changed) label[t] = other;
  } while (__syncthreads_or(changed));
}

// ambit: launch smallest<<<1, 3>>>();
// ambit: expect ptx      : race on label[1], nodivergence because "thread 0 may read label[1] while thread 1 writes it"
// ambit: expect cuda-cpp : race on label[1], nodivergence because "thread 0 may read label[1] while thread 1 writes it"
