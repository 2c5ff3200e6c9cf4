// The last block to arrive adds up the partial sums of all blocks.
#include <cuda_runtime.h>

constexpr int kBlocks = 3;
__device__ int partial[kBlocks];
__device__ unsigned arrived = 0;
__device__ int total = 0;

__global__ void sum(const int *input) {
  partial[blockIdx.x] = input[blockIdx.x];  // a copy takes the place of a real reduction
  __threadfence();
  const unsigned ticket = atomicInc(&arrived, gridDim.x);
  if (ticket == gridDim.x - 1) {  // only the last block adds up the sums
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

// ambit: expect ptx          : Always, norace because "the fence and the increment release together, and the last increment and the fence acquire together through the chain of increments"
// ambit: expect cuda-cpp     : Always, norace because "each increment continues the release sequences of earlier increments"
// ambit: expect hrf-indirect : Always, norace because "each increment synchronises at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "with the fences, the increments are releases and acquires"
