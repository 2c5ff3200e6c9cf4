// One block sends a message to another block with a volatile flag, without fences.
#include <cstdio>

__device__ int payload;
__device__ volatile int ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    ready = 1;
  } else {
    while (ready == 0) {
    }
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

// ambit: expect ptx          : Sometimes, race on payload because "volatile accesses are relaxed: they order nothing"
// ambit: expect cuda-cpp     : Sometimes, race because "volatile accesses are not atomic and do not synchronise"
// ambit: expect hrf-indirect : Never, race because "HRF-indirect lists only SC executions and treats the flag as ordinary memory"
// ambit: expect hrf-relaxed  : Sometimes, race because "a volatile flag is ordinary memory"
