// One block sends a message to another block; the atomic flag has release and acquire order.
#include <cstdio>
#include <cuda/atomic>

__device__ int payload;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    result[0] = payload;
  }
}

int main() {
  int *result, seen = 0;
  cudaMallocManaged(&result, sizeof(int));
  message<<<2, 1>>>(result);
  cudaDeviceSynchronize();
  cudaMemcpy(&seen, result, sizeof(int), cudaMemcpyDefault);
  printf("%d\n", seen);
}

// ambit: exists (result[0] != 42)

// ambit: expect ptx          : Never, norace because "the acquiring load reads from the releasing store"
// ambit: expect cuda-cpp     : Never, norace because "release and acquire synchronise"
// ambit: expect hrf-indirect : Never, norace because "the release and the acquire have the same scope"
// ambit: expect hrf-relaxed  : Never, norace because "the release and the acquire have inclusive scopes"
