// Lanes beyond n return. The other lanes vote and synchronise with the full mask, which also names the exited lanes.
// Since compute capability 7.0, "all non-exited threads named in mask" take part.
#include <cuda_runtime.h>

__global__ void k(int *s, int *out, int n) {
  int lane = threadIdx.x;
  if (lane >= n) return;
  s[lane] = lane;
  __syncwarp();
  out[lane] = s[(lane + 1) % n] + 10 * __popc(__ballot_sync(0xffffffff, 1));
}

int main() {
  int *s, *out;
  cudaMalloc(&s, 4 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(s, 0, 4 * sizeof(int));
  k<<<1, 4>>>(s, out, 3);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 31 && out[1] == 32 && out[2] == 30)
// ambit: expect ptx      : Always, norace, nodivergence because "__syncwarp orders the stores of the three remaining lanes, and the ballot counts these lanes"
// ambit: expect cuda-cpp : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair : terminates because "no thread waits for lane 3, which has exited"
