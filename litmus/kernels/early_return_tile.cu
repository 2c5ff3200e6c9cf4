// The usual guard precedes a tile in shared memory: threads beyond n return, the other threads meet at the barriers.
#include <cuda_runtime.h>

__global__ void smooth(const int *in, int *out, int n) {
  __shared__ int s[32];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = in[i];
  __syncthreads();
  int left = s[(i + n - 1) % n];
  __syncthreads();
  s[i] = left + 1;
  __syncthreads();
  out[i] = s[(i + 1) % n];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 3 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemset(in, 0, 3 * sizeof(int));
  smooth<<<1, 4>>>(in, out, 3);
  return cudaDeviceSynchronize();
}

// ambit: forall (out[0] == 1 && out[1] == 1 && out[2] == 1)
// ambit: expect ptx          : Always, norace, nodivergence because "the barriers wait for the threads that have not exited and order all accesses of the tile"
// ambit: expect cuda-cpp     : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect hrf-indirect : Always, norace, nodivergence because "the same argument as for ptx"
// ambit: expect sc           : Always, nodivergence because "the same argument as for ptx"
// ambit: expect ptx under fair, hsa, obe, lobe : terminates because "no thread waits for thread 3, which has exited"
