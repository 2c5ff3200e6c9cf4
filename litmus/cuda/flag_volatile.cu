// One block sends a message to another block with a volatile flag and fences, the usual form before libcu++.
#include <cstdio>

__device__ int payload;
__device__ volatile int ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    __threadfence();
    ready = 1;
  } else {
    while (ready == 0) {
    }
    __threadfence();
    result[0] = payload;
  }
}

int main() {
  int *result, seen = 0;
  cudaMallocManaged(&result, sizeof(int));
  message<<<2, 1>>>(result);
  cudaDeviceSynchronize();
  cudaMemcpy(&seen, result, sizeof(int), cudaMemcpyDefault);
  printf("%d\n", seen);
}

// ambit: exists (result[0] != 42)

// ambit: expect ptx          : Never, norace because "volatile accesses are strong, so they release and acquire together with the fences"
// ambit: expect cuda-cpp     : race on ready because "volatile accesses are not atomic"
// ambit: expect hrf-indirect : race on ready because "a volatile flag is ordinary memory"
// ambit: expect hrf-relaxed  : race on ready because "a volatile flag is ordinary memory"
