// Sum of an array in one kernel: each block adds up its part in shared memory. The block that finishes last adds up the
// sums of the blocks.
//
// Each macro enables one race:
//   RACE_FENCE   the fence between a block's sum and its ticket has block scope
//   RACE_TREE    no barrier between the steps of the tree addition in a block
#include "../apps/app.h"

#ifdef RACE_FENCE
#define FENCE_BEFORE_TICKET() __threadfence_block()
#else
#define FENCE_BEFORE_TICKET() __threadfence()
#endif
#ifdef RACE_TREE
#define BARRIER_OF_STEP()
#else
#define BARRIER_OF_STEP() __syncthreads()
#endif

constexpr int kThreads = 128;

__global__ void sum(const int *input, int size, int *of_blocks, unsigned *ticket, int *result) {
  __shared__ int part[kThreads];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  int own = 0;
  for (int i = blockIdx.x * kThreads + t; i < size; i += gridDim.x * kThreads) own += input[i];
  part[t] = own;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    BARRIER_OF_STEP();
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) {
    of_blocks[blockIdx.x] = part[0];
    FENCE_BEFORE_TICKET();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || t != 0) return;
  int total = 0;
  for (int block = 0; block < gridDim.x; ++block) total += of_blocks[block];
  *result = total;
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 1000000);
  const int blocks = options.number("blocks", 30);
  options.finish();
  app::Random random(1);
  std::vector<int> input(size);
  int expected = 0;
  for (int &x : input) expected += x = random.below(100);
  const app::Buffer<int> device_input(input);
  const app::Buffer<int> of_blocks(blocks, 0);
  const app::Buffer<unsigned> ticket(1, 0);
  const app::Buffer<int> result(1, 0);
  sum<<<blocks, kThreads>>>(device_input.data(), size, of_blocks.data(), ticket.data(), result.data());
  app::finish_run();
  return app::compare("last block", result.values(), std::vector<int>{expected});
}
