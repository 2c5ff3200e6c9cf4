// A producer warp and a consumer warp meet at a named barrier of 64 threads. Some lanes of the consumer have no work
// and exit first. The barrier counts whole warps: a warp arrives when its remaining lanes arrive (PTX ISA, barrier).
#include <cuda_runtime.h>

__global__ void k(int *out, int n) {
  __shared__ int s[2];
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (warp == 1 && lane >= n) return;
  if (warp == 0 && lane < 2) s[lane] = lane + 1;
  __barrier_sync_count(1, 64);
  if (warp == 1) out[lane] = s[lane];
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  k<<<1, 64>>>(out, 2);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 1 && out[1] == 2)
// ambit: expect ptx : Always, norace, nodivergence because "both warps arrive; the second warp arrives with its two remaining lanes"
