// A ticket lock: the threads poll the counter with an atomic that changes nothing.
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
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
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

// ambit: expect ptx          : Always, norace because "the fence and the addition release together; the addition that reads the thread's own ticket and the fence acquire together"
// ambit: expect cuda-cpp     : Always, norace because "the fences synchronise, because one atomic between them reads from another"
// ambit: expect hrf-indirect : Always, norace because "each addition synchronises at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "with the fences, the additions are releases and acquires"
