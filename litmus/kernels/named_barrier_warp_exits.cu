// Like named_barrier_lanes_exit.cu, but the whole consumer warp exits before the barrier. Exits do not release a
// barrier with a thread count (PTX ISA, exit: "barriers waiting on all threads"), so the producer waits forever.
#include <cuda_runtime.h>

__global__ void k(int *out, int n) {
  __shared__ int s[2];
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (warp == 1 && n == 0) return;
  if (warp == 0 && lane < 2) s[lane] = lane + 1;
  __barrier_sync_count(1, 64);
  if (warp == 1) out[lane] = s[lane];
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  k<<<1, 64>>>(out, 0);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx : norace, divergence because "only 32 of the 64 expected threads arrive, because exited threads do not arrive"
