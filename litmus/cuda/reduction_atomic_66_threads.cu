// The launch has 66 threads in two blocks; 60 of them store their numbers in their own cells. The first lane of each
// warp also adds to a counter. No thread reads another thread's data.
#include <cuda_runtime.h>

__global__ void kmain(unsigned *data, unsigned *counter, const unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = i + 1;
  if (threadIdx.x % warpSize == 0) atomicAdd(counter, 1);
}

int main() {
  const unsigned blocks = 2, threads = 33, n = blocks * threads - 6;
  unsigned *data, *counter;
  cudaMalloc(&data, n * sizeof(unsigned));
  cudaMalloc(&counter, sizeof(unsigned));
  kmain<<<blocks, threads>>>(data, counter, n);
  return cudaDeviceSynchronize();
}

// ambit: forall (counter[0] == 3 && data[0] == 1 && data[33] == 34 && data[59] == 60)
// ambit: expect ptx          : Always, norace because "each thread writes its own cell, and device atomics lose no addition"
// ambit: expect cuda-cpp     : Always, norace because "each thread writes its own cell, and device atomics lose no addition"
// ambit: expect hrf-indirect : Always, norace because "each thread writes its own cell, and the synchronising operations have one scope"
// ambit: expect hrf-relaxed  : Always, norace because "each thread writes its own cell, and the scopes of the atomics are inclusive"
