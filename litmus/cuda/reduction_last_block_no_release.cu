// Like reduction_last_block.cu, but without the first fence.
#include <cuda_runtime.h>

constexpr int kBlocks = 3;
__device__ int partial[kBlocks];
__device__ unsigned arrived = 0;
__device__ int total = 0;

__global__ void sum(const int *input) {
  partial[blockIdx.x] = input[blockIdx.x];  // a copy takes the place of a real reduction
  const unsigned ticket = atomicInc(&arrived, gridDim.x);
  if (ticket == gridDim.x - 1) {  // the last block adds up
    __threadfence();
    int result = 0;
    for (int i = 0; i < kBlocks; ++i) result += partial[i];
    total = result;
  }
}

int main() {
  const int h_input[kBlocks] = {1, 2, 4};
  int *input;
  cudaMalloc(&input, kBlocks * sizeof(int));
  cudaMemcpy(input, h_input, kBlocks * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<kBlocks, 1>>>(input);
  return cudaDeviceSynchronize();
}

// ambit: forall (total == 7)

// ambit: expect ptx          : Sometimes, race because "an increment without a fence before it is not a release pattern"
// ambit: expect cuda-cpp     : Sometimes, race because "nothing releases"
// ambit: expect hrf-indirect : Always, norace because "HRF-indirect has no relaxed atomics"
// ambit: expect hrf-relaxed  : Sometimes, race because "without a fence before it, the increment is not a release"
