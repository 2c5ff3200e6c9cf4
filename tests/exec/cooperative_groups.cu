// Sums per tile, block and grid. Clang needs no CUDA headers. The macros RACE_BLOCK and RACE_GRID each remove a sync().
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sum(const int *input, int *of_blocks, int *result) {
  __shared__ int of_tiles[2];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int own = input[grid.thread_rank()];
  for (unsigned half = tile.size() / 2; half > 0; half /= 2) own += tile.shfl_down(own, half);
  if (tile.thread_rank() == 0) of_tiles[tile.meta_group_rank()] = own;
#ifndef RACE_BLOCK
  block.sync();
#endif
  if (block.thread_rank() == 0) of_blocks[blockIdx.x] = of_tiles[0] + of_tiles[1];
#ifndef RACE_GRID
  cg::sync(grid);
#endif
  if (grid.thread_rank() == 0) {
    for (unsigned i = 0; i < gridDim.x; ++i) *result += of_blocks[i];
  }
}

int main() {
  constexpr int kBlocks = 3;
  constexpr int kThreads = 64;
  int *input = nullptr, *of_blocks = nullptr, *result = nullptr;
  cudaMallocManaged(&input, kBlocks * kThreads * sizeof(int));
  cudaMallocManaged(&of_blocks, kBlocks * sizeof(int));
  cudaMallocManaged(&result, sizeof(int));
  for (int i = 0; i < kBlocks * kThreads; ++i) input[i] = i;
  *result = 0;
  void *arguments[] = {&input, &of_blocks, &result};
  cudaLaunchCooperativeKernel(sum, kBlocks, kThreads, arguments);
  cudaDeviceSynchronize();
  std::printf("%d\n", *result);
  return *result == kBlocks * kThreads * (kBlocks * kThreads - 1) / 2 ? 0 : 3;
}
