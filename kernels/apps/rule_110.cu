// Cellular automaton 110, one step in each launch, based on the application in the ScoR suite (Kamath, George,
// Basu, ISCA 2020).
//
// Each thread owns a piece of the cells and changes it in place. The thread publishes the old values of its first and
// last cell, sets its flag, and waits for the flags of both neighbours. Flags and fences have block scope between
// threads of one block, and device scope if a neighbour is in another block. If another block polls a flag, all threads
// poll this flag at device scope. All blocks must run at the same time.
//
// Each macro enables one race:
//   RACE_BORDER_FENCE   the first and last thread of a block execute their fences at block scope
//   RACE_RIGHT_POLL     the last thread of a block polls its neighbour's flag at block scope
#include "app.h"

#ifdef RACE_BORDER_FENCE
#define FENCE_AT_BORDER() __threadfence_block()
#else
#define FENCE_AT_BORDER() __threadfence()
#endif
#ifdef RACE_RIGHT_POLL
#define POLL_RIGHT_BORDER(flag) atomicAdd_block(flag, 0)
#else
#define POLL_RIGHT_BORDER(flag) atomicAdd(flag, 0)
#endif

__host__ __device__ inline int rule(int left, int centre, int right) {
  return (110 >> (left * 4 + centre * 2 + right)) & 1;
}

__global__ void step(int *cells, int size, int piece, int *first, int *last, int *flags, int round) {
  const int threads = gridDim.x * blockDim.x;
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_left_border = threadIdx.x == 0;
  const bool is_right_border = threadIdx.x == blockDim.x - 1;
  const int begin = min(size, me * piece);
  const int end = min(size, begin + piece);
  first[me] = begin < end ? cells[begin] : 0;
  last[me] = begin < end ? cells[end - 1] : 0;
  if (is_left_border || is_right_border) {
    FENCE_AT_BORDER();
    atomicExch(&flags[me], round);
  } else {
    __threadfence_block();
    atomicExch_block(&flags[me], round);
  }
  int left = 0;
  int right = 0;
  if (me > 0) {
    if (is_left_border) {
      while (atomicAdd(&flags[me - 1], 0) != round) {
      }
      __threadfence();
    } else if (threadIdx.x == 1) {
      while (atomicAdd(&flags[me - 1], 0) != round) {
      }
      __threadfence_block();
    } else {
      while (atomicAdd_block(&flags[me - 1], 0) != round) {
      }
      __threadfence_block();
    }
    left = last[me - 1];
  }
  if (me + 1 < threads) {
    if (is_right_border) {
      while (POLL_RIGHT_BORDER(&flags[me + 1]) != round) {
      }
      __threadfence();
    } else if (threadIdx.x + 2 == blockDim.x) {
      while (atomicAdd(&flags[me + 1], 0) != round) {
      }
      __threadfence_block();
    } else {
      while (atomicAdd_block(&flags[me + 1], 0) != round) {
      }
      __threadfence_block();
    }
    right = first[me + 1];
  }
  for (int i = begin; i < end; ++i) {
    const int old = cells[i];
    const int next = i + 1 < end ? cells[i + 1] : (i + 1 < size ? right : 0);
    cells[i] = rule(left, old, next);
    left = old;
  }
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 250000);
  const int steps = options.number("steps", 10);
  const int blocks = options.number("blocks", 15);
  const int threads = options.number("threads", 1024);
  options.finish();

  app::Random random(1);
  std::vector<int> cells(size);
  for (int &x : cells) x = random.below(2);
  const app::Buffer<int> device_cells(cells);
  const app::Buffer<int> first(static_cast<std::size_t>(blocks) * threads, 0);
  const app::Buffer<int> last(static_cast<std::size_t>(blocks) * threads, 0);
  const app::Buffer<int> flags(static_cast<std::size_t>(blocks) * threads, 0);
  const int piece = (size + blocks * threads - 1) / (blocks * threads);
  for (int round = 1; round <= steps; ++round) {
    step<<<blocks, threads>>>(device_cells.data(), size, piece, first.data(), last.data(), flags.data(), round);
    app::finish_run();
    std::vector<int> next(size);
    for (int i = 0; i < size; ++i) {
      next[i] = rule(i > 0 ? cells[i - 1] : 0, cells[i], i + 1 < size ? cells[i + 1] : 0);
    }
    cells = std::move(next);
  }
  return app::compare("rule 110", device_cells.values(), cells);
}
