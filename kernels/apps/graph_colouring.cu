// Colouring of a graph, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020). Each round has
// three kernels: select the vertices with the highest priority among their uncoloured neighbours, colour these
// vertices, and count the remaining vertices. Each kernel distributes the vertices by work stealing (work_stealing.h).
//
// Each macro enables one race; K is SELECT, COLOUR or COUNT:
//   RACE_K_HEAD      a block takes work from its own part at block scope, while other blocks steal from this part
//   RACE_K_BARRIER   no barrier between the write of base[block] and the reads of it
#include "app.h"
#include "work_stealing.h"

#ifdef RACE_SELECT_HEAD
using SelectAdd = AddInBlock;
#else
using SelectAdd = AddOnDevice;
#endif
#ifdef RACE_COLOUR_HEAD
using ColourAdd = AddInBlock;
#else
using ColourAdd = AddOnDevice;
#endif
#ifdef RACE_COUNT_HEAD
using CountAdd = AddInBlock;
#else
using CountAdd = AddOnDevice;
#endif
#ifdef RACE_SELECT_BARRIER
using SelectBarrier = NoBarrier;
#else
using SelectBarrier = Barrier;
#endif
#ifdef RACE_COLOUR_BARRIER
using ColourBarrier = NoBarrier;
#else
using ColourBarrier = Barrier;
#endif
#ifdef RACE_COUNT_BARRIER
using CountBarrier = NoBarrier;
#else
using CountBarrier = Barrier;
#endif

// A graph. The neighbours of v are neighbours[offsets[v]] to neighbours[offsets[v + 1] - 1].
struct Graph {
  const int *offsets;
  const int *neighbours;
  const unsigned *priorities;
};
// The variables with which the blocks share the work.
struct Shares {
  int *head;
  const int *ends;
  int *base;
};

__host__ __device__ inline bool goes_first(const unsigned *priorities, int v, int other) {
  return priorities[v] != priorities[other] ? priorities[v] > priorities[other] : v > other;
}

__host__ __device__ inline bool is_next(const Graph &graph, const int *colours, int v) {
  if (colours[v] >= 0) return false;
  for (int i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
    const int other = graph.neighbours[i];
    if (colours[other] < 0 && goes_first(graph.priorities, other, v)) return false;
  }
  return true;
}

__host__ __device__ inline int free_colour(const Graph &graph, const int *colours, int v) {
  for (int colour = 0;; ++colour) {
    bool is_used = false;
    for (int i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      is_used = is_used || colours[graph.neighbours[i]] == colour;
    }
    if (!is_used) return colour;
  }
}

__global__ void select(Graph graph, Shares shares, const int *colours, int *selected) {
  for_all_stolen(shares.head, shares.ends, shares.base, SelectAdd(), AddOnDevice(), SelectBarrier(),
                 [&](int v) { selected[v] = is_next(graph, colours, v) ? 1 : 0; });
}

__global__ void colour(Graph graph, Shares shares, int *colours, const int *selected) {
  for_all_stolen(shares.head, shares.ends, shares.base, ColourAdd(), AddOnDevice(), ColourBarrier(), [&](int v) {
    if (selected[v] != 0) colours[v] = free_colour(graph, colours, v);
  });
}

__global__ void count(Shares shares, const int *colours, int *left) {
  for_all_stolen(shares.head, shares.ends, shares.base, CountAdd(), AddOnDevice(), CountBarrier(), [&](int v) {
    if (colours[v] < 0) atomicAdd(left, 1);
  });
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int vertices = options.number("vertices", 30000);
  const int edges = options.number("edges", 50000);
  const int blocks = options.number("blocks", 15);
  const int threads = options.number("threads", 256);
  options.finish();

  app::Random random(1);
  std::vector<std::vector<int>> lists(vertices);
  for (int i = 0; i < edges; ++i) {
    const int a = random.below(vertices);
    const int b = random.below(vertices);
    if (a == b) continue;
    lists[a].push_back(b);
    lists[b].push_back(a);
  }
  std::vector<int> offsets = {0};
  std::vector<int> neighbours;
  for (const std::vector<int> &list : lists) {
    neighbours.insert(neighbours.end(), list.begin(), list.end());
    offsets.push_back(static_cast<int>(neighbours.size()));
  }
  neighbours.push_back(0);
  std::vector<unsigned> priorities(vertices);
  for (unsigned &x : priorities) x = random.next();

  const Parts parts(vertices, blocks);
  const app::Buffer<int> device_offsets(offsets);
  const app::Buffer<int> device_neighbours(neighbours);
  const app::Buffer<unsigned> device_priorities(priorities);
  app::Buffer<int> head(parts.begins);
  const app::Buffer<int> ends(parts.ends);
  const app::Buffer<int> base(blocks, 0);
  const app::Buffer<int> colours(vertices, -1);
  const app::Buffer<int> selected(vertices, 0);
  app::Buffer<int> left(1, 0);
  const Graph graph{device_offsets.data(), device_neighbours.data(), device_priorities.data()};
  const Shares shares{head.data(), ends.data(), base.data()};
  // A race may lose vertices. Without the limit of 1000 rounds, the loop would then never end.
  int remaining = vertices;
  for (int round = 0; remaining > 0 && round < 1000; ++round, remaining = left.values()[0]) {
    left.set({0});
    head.set(parts.begins);
    select<<<blocks, threads>>>(graph, shares, colours.data(), selected.data());
    app::finish_run();
    head.set(parts.begins);
    colour<<<blocks, threads>>>(graph, shares, colours.data(), selected.data());
    app::finish_run();
    head.set(parts.begins);
    count<<<blocks, threads>>>(shares, colours.data(), left.data());
    app::finish_run();
  }

  const Graph host_graph{offsets.data(), neighbours.data(), priorities.data()};
  std::vector<int> expected(vertices, -1);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    std::vector<int> next;
    for (int v = 0; v < vertices; ++v) {
      if (is_next(host_graph, expected.data(), v)) next.push_back(v);
    }
    for (const int v : next) expected[v] = free_colour(host_graph, expected.data(), v);
    has_changed = !next.empty();
  }
  return app::compare("graph colouring", colours.values(), expected);
}
