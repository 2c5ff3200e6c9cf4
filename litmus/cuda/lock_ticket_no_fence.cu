// Like lock_ticket.cu, but without fences.
#include <cuda_runtime.h>

struct Ticket {
  unsigned next;
  unsigned serving;
};
__device__ Ticket ticket = {0, 0};

__device__ void lock() {
  const unsigned mine = atomicAdd(&ticket.next, 1);
  while (atomicAdd(&ticket.serving, 0) != mine) {
  }
}

__device__ void unlock() {
  atomicAdd(&ticket.serving, 1);
}

__global__ void increment(int *data) {
  lock();
  data[0] = data[0] + 1;
  unlock();
}

int main() {
  int *data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  increment<<<2, 1>>>(data);
  return cudaDeviceSynchronize();
}

// ambit: forall (data[0] == 2)

// ambit: expect ptx          : Sometimes, race on data[0] because "relaxed atomics order nothing"
// ambit: expect cuda-cpp     : Sometimes, race on data[0] because "relaxed atomics do not synchronise"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race on data[0] because "relaxed atomics never synchronise"
