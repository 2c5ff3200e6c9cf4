// Threads beyond n return; the other threads smooth a tile in place. No barrier separates the reads from the writes.
#include <cuda_runtime.h>

__global__ void smooth(const int *in, int *out, int n) {
  __shared__ int s[32];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = in[i];
  __syncthreads();
  int left = s[(i + n - 1) % n];
  s[i] = left + 1;
  __syncthreads();
  out[i] = s[i];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 3 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemset(in, 0, 3 * sizeof(int));
  smooth<<<1, 4>>>(in, out, 3);
  return cudaDeviceSynchronize();
}

// ambit: expect ptx          : race, nodivergence because "the barrier waits for the three threads that have not exited; after it, a thread overwrites s[i] while its right neighbour reads it"
// ambit: expect cuda-cpp     : race, nodivergence because "the same two accesses are plain and unordered"
// ambit: expect hrf-indirect : race, nodivergence because "no barrier is between the read and the write"
// ambit: expect ptx under fair, hsa, obe, lobe : terminates because "no thread waits for thread 3, which has exited"
