// A vote counts the lanes that append an item. One of these lanes reserves space for all lanes. The shuffle is missing,
// so the other lanes do not get the start index.
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
  if (has_item) items[base + __popc(who & ((1u << lane) - 1))] = 10 + lane;
}

int main() {
  append<<<2, 4>>>();
  return cudaDeviceSynchronize();
}

// ambit: forall (items[2] == 11 && items[3] == 13)
// ambit: expect ptx      : Never, race on items[1] because "lane 3 of each block uses place 0 + 1, and no lane uses place 3"
// ambit: expect cuda-cpp : Never, race on items[1] because "lane 3 of each block uses place 0 + 1, and no lane uses place 3"
