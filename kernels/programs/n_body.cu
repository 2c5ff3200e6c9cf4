// Forces between all pairs of bodies on a line, computed by tiles. Each block keeps one tile, with the position of one
// body for each thread, in shared memory. The forces are integers, so that the order of the additions does not matter.
//
// Each macro enables one race:
//   RACE_LOAD   no barrier between the load of a tile and its use
//   RACE_NEXT   no barrier between the use of a tile and the load of the next tile
#include "../apps/app.h"

#ifdef RACE_LOAD
#define BARRIER_BEHIND_LOAD()
#else
#define BARRIER_BEHIND_LOAD() __syncthreads()
#endif
#ifdef RACE_NEXT
#define BARRIER_BEFORE_NEXT()
#else
#define BARRIER_BEFORE_NEXT() __syncthreads()
#endif

constexpr int kThreads = 64;

__host__ __device__ int force(int at, int other) {
  const int distance = other - at;
  return distance == 0 ? 0 : 1000000 / distance;
}

__global__ void add_forces(const int *positions, int size, int *forces) {
  __shared__ int tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreads + t;
  const int own = i < size ? positions[i] : 0;
  int sum = 0;
  for (int begin = 0; begin < size; begin += kThreads) {
    tile[t] = begin + t < size ? positions[begin + t] : own;
    BARRIER_BEHIND_LOAD();
    for (int other = 0; other < min(kThreads, size - begin); ++other) sum += force(own, tile[other]);
    BARRIER_BEFORE_NEXT();
  }
  if (i < size) forces[i] = sum;
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int size = options.number("size", 2000);
  options.finish();
  app::Random random(3);
  std::vector<int> input(size);
  for (int &x : input) x = random.below(100000);
  const app::Buffer<int> positions(input);
  const app::Buffer<int> forces(size, 0);
  add_forces<<<(size + kThreads - 1) / kThreads, kThreads>>>(positions.data(), size, forces.data());
  app::finish_run();
  std::vector<int> expected(size, 0);
  for (int i = 0; i < size; ++i) {
    for (int other = 0; other < size; ++other) expected[i] += force(input[i], input[other]);
  }
  return app::compare("n body", forces.values(), expected);
}
