// A vote counts the lanes that append an item. One of these lanes reserves space for all, and a shuffle passes the
// start index to the others.
#include <cuda_runtime.h>

__device__ int items[4];
__device__ int size = 0;

__global__ void append() {
  const int lane = threadIdx.x;
  const bool has_item = lane % 2 == 1;
  const unsigned who = __ballot_sync(0xf, has_item);
  const int leader = __ffs(who) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(&size, __popc(who));
  base = __shfl_sync(0xf, base, leader);
  if (has_item) items[base + __popc(who & ((1u << lane) - 1))] = 10 + lane;
}

int main() {
  append<<<2, 4>>>();
  return cudaDeviceSynchronize();
}

// ambit: forall (size == 4 && items[0] == 11 && items[1] == 13 && items[2] == 11 && items[3] == 13)
// ambit: expect ptx      : Always, norace because "each block adds 2 to size, and its lanes 1 and 3 get the ranks 0 and 1"
// ambit: expect cuda-cpp : Always, norace because "each block adds 2 to size, and its lanes 1 and 3 get the ranks 0 and 1"
