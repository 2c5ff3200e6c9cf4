// Breadth-first search, one kernel per level: each thread checks the neighbours of one vertex of the frontier. The
// first thread that reaches a new vertex puts it into the next frontier.
//
// Each macro enables one race:
//   RACE_VISIT   threads check and claim a vertex with plain accesses
//   RACE_SIZE    atomics of block scope increment the next frontier's size
#include "../apps/app.h"

#ifdef RACE_SIZE
#define ADD_TO_SIZE(size) atomicAdd_block(size, 1)
#else
#define ADD_TO_SIZE(size) atomicAdd(size, 1)
#endif

__device__ bool is_new(int *distances, int vertex, int level) {
#ifdef RACE_VISIT
  if (distances[vertex] >= 0) return false;
  distances[vertex] = level;
  return true;
#else
  return atomicCAS(&distances[vertex], -1, level) == -1;
#endif
}

__global__ void visit(const int *begins, const int *neighbours, const int *frontier, int size, int level,
                      int *distances, int *next, int *next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int vertex = frontier[i];
  for (int edge = begins[vertex]; edge < begins[vertex + 1]; ++edge) {
    if (is_new(distances, neighbours[edge], level)) next[ADD_TO_SIZE(next_size)] = neighbours[edge];
  }
}

int main(int argc, char **argv) {
  constexpr int kThreads = 64;
  app::Options options(argc, argv);
  const int vertices = options.number("vertices", 20000);
  const int degree = options.number("degree", 4);
  options.finish();
  app::Random random(4);
  std::vector<int> begins(vertices + 1);
  std::vector<int> neighbours;
  for (int vertex = 0; vertex < vertices; ++vertex) {
    for (int i = 0; i < degree; ++i) neighbours.push_back(random.below(vertices));
    begins[vertex + 1] = static_cast<int>(neighbours.size());
  }
  std::vector<int> expected(vertices, -1);
  std::vector<int> order{0};
  expected[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (int edge = begins[order[i]]; edge < begins[order[i] + 1]; ++edge) {
      if (expected[neighbours[edge]] >= 0) continue;
      expected[neighbours[edge]] = expected[order[i]] + 1;
      order.push_back(neighbours[edge]);
    }
  }
  const app::Buffer<int> device_begins(begins);
  const app::Buffer<int> device_neighbours(neighbours);
  const app::Buffer<int> distances(vertices, -1);
  // With a race, a frontier may contain a vertex more than once.
  app::Buffer<int> frontier(static_cast<std::size_t>(vertices) * degree, 0);
  app::Buffer<int> next(static_cast<std::size_t>(vertices) * degree, 0);
  app::Buffer<int> next_size(1, 0);
  std::vector<int> start(vertices, -1);
  start[0] = 0;
  app::check(cudaMemcpy(distances.data(), start.data(), vertices * sizeof(int), cudaMemcpyHostToDevice), "cudaMemcpy");
  int size = 1;
  int *from = frontier.data();
  int *to = next.data();
  for (int level = 1; size > 0; ++level) {
    next_size.set({0});
    const int blocks = (size + kThreads - 1) / kThreads;
    visit<<<blocks, kThreads>>>(device_begins.data(), device_neighbours.data(), from, size, level, distances.data(), to,
                                next_size.data());
    app::finish_run();
    size = next_size.values()[0];
    std::swap(from, to);
  }
  return app::compare("breadth-first search", distances.values(), expected);
}
