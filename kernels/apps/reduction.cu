// Sum of an array, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020).
//
// Each thread adds up its elements. Then the upper half of a block's threads passes its sums to the lower half, using a
// flag for each thread. The block repeats this step until one warp is left. The lanes of this warp synchronise at warp
// barriers. The block that takes the last ticket adds up the sums of the blocks.
//
// Each macro enables one race:
//   RACE_HAND_OVER   threads 32 to 63 have no fence between their sum and their flag
//   RACE_TICKET      the fence before the ticket has block scope
#include "app.h"

#ifdef RACE_TICKET
#define FENCE_BEFORE_TICKET() __threadfence_block()
#else
#define FENCE_BEFORE_TICKET() __threadfence()
#endif

template <int kThreads>
__global__ void sum(const int *input, int size, int *partial, int *flags, int *of_blocks, unsigned *tickets, int *result) {
  const int t = threadIdx.x;
  int *mine = partial + blockIdx.x * kThreads;
  int *flag = flags + blockIdx.x * kThreads;
  int own = 0;
  for (int i = blockIdx.x * kThreads + t; i < size; i += gridDim.x * kThreads) own += input[i];
  mine[t] = own;
  for (int half = kThreads / 2; half >= 32; half /= 2) {
    if (t >= half && t < 2 * half) {
#ifdef RACE_HAND_OVER
      if (t < 32 || t >= 64) __threadfence_block();
#else
      __threadfence_block();
#endif
      atomicExch_block(&flag[t], 1);
    } else if (t < half) {
      while (atomicAdd_block(&flag[t + half], 0) == 0) {
      }
      __threadfence_block();
      mine[t] += mine[t + half];
    }
  }
  if (t >= 32) return;
  for (int half = 16; half > 0; half /= 2) {
    __syncwarp();
    const int other = t < half ? mine[t + half] : 0;
    __syncwarp();
    if (t < half) mine[t] += other;
  }
  if (t != 0) return;
  of_blocks[blockIdx.x] = mine[0];
  FENCE_BEFORE_TICKET();
  const unsigned ticket = atomicInc(tickets, gridDim.x - 1);
  if (ticket != gridDim.x - 1) return;
  __threadfence();
  int total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += of_blocks[block];
  *result = total;
}

int main(int argc, char **argv) {
  constexpr int kThreads = 512;
  app::Options options(argc, argv);
  const int size = options.number("size", 1000000);
  const int blocks = options.number("blocks", 30);
  options.finish();

  app::Random random(1);
  std::vector<int> input(size);
  int expected = 0;
  for (int &x : input) expected += x = random.below(100);
  const app::Buffer<int> device_input(input);
  const app::Buffer<int> partial(static_cast<std::size_t>(blocks) * kThreads, 0);
  const app::Buffer<int> flags(static_cast<std::size_t>(blocks) * kThreads, 0);
  const app::Buffer<int> of_blocks(blocks, 0);
  const app::Buffer<unsigned> tickets(1, 0);
  const app::Buffer<int> result(1, 0);
  sum<kThreads><<<blocks, kThreads>>>(device_input.data(), size, partial.data(), flags.data(), of_blocks.data(),
                                      tickets.data(), result.data());
  app::finish_run();
  return app::compare("reduction", result.values(), std::vector<int>{expected});
}
