// Blocks exchange values across a grid barrier of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int posted[2];

__global__ void exchange(int *result) {
  const cg::grid_group grid = cg::this_grid();
  posted[blockIdx.x] = grid.thread_rank() + 5;
  grid.sync();
  result[blockIdx.x] = posted[1 - blockIdx.x];
}

int main() {
  int *result;
  cudaMalloc(&result, 2 * sizeof(int));
  void *arguments[] = {&result};
  cudaLaunchCooperativeKernel((void *)exchange, 2, 1, arguments);
  return cudaDeviceSynchronize();
}

// ambit: launch exchange<<<2, 1>>>(result[2]);
// ambit: forall (result[0] == 6 && result[1] == 5)
// ambit: expect ptx          : Always, norace because "the grid's barrier orders all earlier accesses for all threads"
// ambit: expect cuda-cpp     : Always, norace because "the grid's barrier synchronises its threads"
// ambit: expect hrf-indirect : Always, norace because "a barrier is a release and an acquire at device scope"
// ambit: expect hrf-relaxed  : Always, norace because "a barrier orders all threads that take part"
