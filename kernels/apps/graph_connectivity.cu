// Connected components of a graph, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020). There
// are three kernels: init makes a tree of every vertex, link joins the trees of both ends of every edge, and compress
// makes every vertex point to its root. Each kernel distributes its work by work stealing (work_stealing.h).
//
// Each macro enables one race:
//   RACE_INIT_BARRIER, RACE_LINK_BARRIER, RACE_COMPRESS_BARRIER
//       no barrier between the write of base[block] and the reads of it
//   RACE_LINK_VICTIM, RACE_COMPRESS_VICTIM
//       a block steals from another block at block scope
#include "app.h"
#include "work_stealing.h"

#ifdef RACE_INIT_BARRIER
using InitBarrier = NoBarrier;
#else
using InitBarrier = Barrier;
#endif
#ifdef RACE_LINK_BARRIER
using LinkBarrier = NoBarrier;
#else
using LinkBarrier = Barrier;
#endif
#ifdef RACE_COMPRESS_BARRIER
using CompressBarrier = NoBarrier;
#else
using CompressBarrier = Barrier;
#endif
#ifdef RACE_LINK_VICTIM
using LinkSteal = AddInBlock;
#else
using LinkSteal = AddOnDevice;
#endif
#ifdef RACE_COMPRESS_VICTIM
using CompressSteal = AddInBlock;
#else
using CompressSteal = AddOnDevice;
#endif

// The state with which the blocks share the work.
struct Shares {
  int *head;
  const int *ends;
  int *base;
};

// Returns the root of v's tree while other threads join trees. A parent has a smaller number than its child.
__device__ int root_of(int *parents, int v) {
  for (;;) {
    const int parent = atomicAdd(&parents[v], 0);
    if (parent == v) return v;
    v = parent;
  }
}

__global__ void init(Shares shares, int *parents) {
  for_all_stolen(shares.head, shares.ends, shares.base, AddOnDevice(), AddOnDevice(), InitBarrier(),
                 [&](int v) { parents[v] = v; });
}

__global__ void link(Shares shares, const int *from, const int *to, int *parents) {
  for_all_stolen(shares.head, shares.ends, shares.base, AddOnDevice(), LinkSteal(), LinkBarrier(), [&](int edge) {
    int a = root_of(parents, from[edge]);
    int b = root_of(parents, to[edge]);
    while (a != b) {
      const int high = max(a, b);
      const int low = min(a, b);
      if (atomicCAS(&parents[high], high, low) == high) break;
      a = root_of(parents, high);
      b = root_of(parents, low);
    }
  });
}

__global__ void compress(Shares shares, int *parents) {
  for_all_stolen(shares.head, shares.ends, shares.base, AddOnDevice(), CompressSteal(), CompressBarrier(),
                 [&](int v) { atomicExch(&parents[v], root_of(parents, v)); });
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int vertices = options.number("vertices", 100000);
  const int edges = options.number("edges", 150000);
  const int blocks = options.number("blocks", 15);
  const int threads = options.number("threads", 400);
  options.finish();

  app::Random random(1);
  std::vector<int> from(edges);
  std::vector<int> to(edges);
  for (int &x : from) x = random.below(vertices);
  for (int &x : to) x = random.below(vertices);
  std::vector<int> expected(vertices);
  for (int v = 0; v < vertices; ++v) expected[v] = v;
  const auto root = [&](int v) {
    while (expected[v] != v) v = expected[v] = expected[expected[v]];
    return v;
  };
  for (int i = 0; i < edges; ++i) {
    const int a = root(from[i]);
    const int b = root(to[i]);
    if (a != b) expected[a > b ? a : b] = a > b ? b : a;
  }
  for (int v = 0; v < vertices; ++v) expected[v] = root(v);

  const Parts of_vertices(vertices, blocks);
  const Parts of_edges(edges, blocks);
  const app::Buffer<int> device_from(from);
  const app::Buffer<int> device_to(to);
  const app::Buffer<int> parents(vertices, 0);
  app::Buffer<int> head(of_vertices.begins);
  const app::Buffer<int> vertex_ends(of_vertices.ends);
  const app::Buffer<int> edge_ends(of_edges.ends);
  const app::Buffer<int> base(blocks, 0);
  const Shares vertex_shares{head.data(), vertex_ends.data(), base.data()};
  const Shares edge_shares{head.data(), edge_ends.data(), base.data()};
  init<<<blocks, threads>>>(vertex_shares, parents.data());
  app::finish_run();
  head.set(of_edges.begins);
  link<<<blocks, threads>>>(edge_shares, device_from.data(), device_to.data(), parents.data());
  app::finish_run();
  head.set(of_vertices.begins);
  compress<<<blocks, threads>>>(vertex_shares, parents.data());
  app::finish_run();
  return app::compare("graph connectivity", parents.values(), expected);
}
