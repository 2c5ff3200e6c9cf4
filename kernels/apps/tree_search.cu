// Search of unbalanced trees, based on the application in the ScoR suite (Kamath, George, Basu, ISCA 2020). The kernel
// generate creates the nodes of all trees, and the kernel search finds the nodes that match.
//
// The warps work together on stacks: lane 0 takes a stack's lock, all lanes fence and synchronise, and the lanes take
// up to 32 nodes. In generate, each block has a local stack (its lock has block scope) and a stack from which other
// blocks steal (its lock has device scope). Generate ends when a counter of open nodes is 0. In the kernel search, each
// block has one stack. Other blocks steal from it. A mark shows that the stack is empty.
//
// Each macro enables one race; K is GENERATE or SEARCH:
//   RACE_K_STEAL           a block that steals takes the lock of the stack at block scope
//   RACE_K_UNLOCK          a stack's lock is released at block scope although other blocks steal from the stack
//   RACE_GENERATE_COUNTER  the counter of open nodes is changed at block scope
//   RACE_SEARCH_COUNTER    the mark of an empty stack is set at block scope
#include "app.h"

#if defined(RACE_GENERATE_STEAL)
#define GENERATE_STEAL true
#else
#define GENERATE_STEAL false
#endif
#if defined(RACE_SEARCH_STEAL)
#define SEARCH_STEAL true
#else
#define SEARCH_STEAL false
#endif
#if defined(RACE_GENERATE_UNLOCK)
#define GENERATE_UNLOCK true
#else
#define GENERATE_UNLOCK false
#endif
#if defined(RACE_SEARCH_UNLOCK)
#define SEARCH_UNLOCK true
#else
#define SEARCH_UNLOCK false
#endif
#if defined(RACE_GENERATE_COUNTER)
#define ADD_TO_COUNTER(counter, n) atomicAdd_block(counter, n)
#else
#define ADD_TO_COUNTER(counter, n) atomicAdd(counter, n)
#endif
#if defined(RACE_SEARCH_COUNTER)
#define SET_MARK(mark) atomicExch_block(mark, 1)
#else
#define SET_MARK(mark) atomicExch(mark, 1)
#endif

// A node has a number and a level. The number determines all other properties of the node.
struct Node {
  unsigned number;
  int level;
};

__host__ __device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
__host__ __device__ inline Node child_of(const Node &node, int i) {
  return {mixed(node.number * 8u + static_cast<unsigned>(i) + 1u), node.level + 1};
}
// Returns a number from 0 to 6; the average is 3.
__host__ __device__ inline int children_of(const Node &node, int levels) {
  return node.level + 1 < levels ? static_cast<int>(mixed(node.number) % 7u) : 0;
}
__host__ __device__ inline bool matches(const Node &node) { return mixed(node.number + 77u) % 16u == 0; }

// Stacks of nodes in device memory, one for each block. The lock of a stack guards the other fields of the stack.
struct Stacks {
  int *locks;
  int *tops;
  Node *nodes;
  int capacity;
};

// All lanes of a warp must call the functions below together.
template <bool kInBlock>
__device__ void lock_stack(const Stacks &stacks, int number) {
  if (threadIdx.x % 32 == 0) {
    if (kInBlock) {
      while (atomicCAS_block(&stacks.locks[number], 0, 1) != 0) {
      }
    } else {
      while (atomicCAS(&stacks.locks[number], 0, 1) != 0) {
      }
    }
  }
  __syncwarp();
  __threadfence();
  __syncwarp();
}

template <bool kInBlock>
__device__ void unlock_stack(const Stacks &stacks, int number) {
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    __threadfence();
    if (kInBlock) {
      atomicExch_block(&stacks.locks[number], 0);
    } else {
      atomicExch(&stacks.locks[number], 0);
    }
  }
  __syncwarp();
}

// Takes up to 32 nodes from a locked stack, one for each lane. Returns their number.
__device__ int pop(const Stacks &stacks, int number, Node &node) {
  const int lane = threadIdx.x % 32;
  const int top = stacks.tops[number];
  const int count = min(top, 32);
  if (lane < count) node = stacks.nodes[number * stacks.capacity + top - 1 - lane];
  __syncwarp();
  if (lane == 0) stacks.tops[number] = top - count;
  return count;
}

// Puts the lane's `count` children of `node` on a locked stack, if the children of all lanes fit.
__device__ bool push_children(const Stacks &stacks, int number, const Node &node, int count) {
  const int lane = threadIdx.x % 32;
  int before = 0;
  int all = 0;
  for (int other = 0; other < 32; ++other) {
    const int of_other = __shfl_sync(0xffffffffu, count, other);
    if (other < lane) before += of_other;
    all += of_other;
  }
  const int top = stacks.tops[number];
  const bool has_room = top + all <= stacks.capacity;
  if (has_room) {
    for (int i = 0; i < count; ++i) stacks.nodes[number * stacks.capacity + top + before + i] = child_of(node, i);
  }
  __syncwarp();
  if (has_room && lane == 0) stacks.tops[number] = top + all;
  return has_room;
}

__device__ int sum_of_warp(int value) {
  for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(0xffffffffu, value, half);
  return value;
}

// Takes nodes from the first non-empty stack: the local stack, the block's other stack, the stacks of other blocks.
__device__ int take(const Stacks &local, const Stacks &shared, Node &node) {
  lock_stack<true>(local, blockIdx.x);
  int count = pop(local, blockIdx.x, node);
  unlock_stack<true>(local, blockIdx.x);
  for (int turn = 0; count == 0 && turn < static_cast<int>(gridDim.x); ++turn) {
    const int victim = (blockIdx.x + turn) % gridDim.x;
    if (turn > 0) {
      lock_stack<GENERATE_STEAL>(shared, victim);
    } else {
      lock_stack<false>(shared, victim);
    }
    count = pop(shared, victim, node);
    unlock_stack<GENERATE_UNLOCK>(shared, victim);
  }
  return count;
}

__global__ void generate(Stacks local, Stacks shared, int levels, int *open, Node *all, int limit, int *size) {
  const int lane = threadIdx.x % 32;
  for (;;) {
    Node node = {0, 0};
    const int count = take(local, shared, node);
    if (count == 0) {
      const int left = lane == 0 ? ADD_TO_COUNTER(open, 0) : 0;
      if (__shfl_sync(0xffffffffu, left, 0) == 0) return;
      continue;
    }
    int first = lane == 0 ? atomicAdd(size, count) : 0;
    first = __shfl_sync(0xffffffffu, first, 0);
    if (lane < count && first + lane < limit) all[first + lane] = node;
    const int children = lane < count ? children_of(node, levels) : 0;
    const int of_warp = sum_of_warp(children);
    if (lane == 0) ADD_TO_COUNTER(open, of_warp);
    lock_stack<true>(local, blockIdx.x);
    const bool is_local = push_children(local, blockIdx.x, node, children);
    unlock_stack<true>(local, blockIdx.x);
    if (!is_local) {
      lock_stack<false>(shared, blockIdx.x);
      const bool has_room = push_children(shared, blockIdx.x, node, children);
      unlock_stack<GENERATE_UNLOCK>(shared, blockIdx.x);
      if (!has_room) __trap();
    }
    if (lane == 0) ADD_TO_COUNTER(open, -count);
  }
}

__global__ void search(Stacks stacks, int *is_empty, int *found) {
  const int lane = threadIdx.x % 32;
  for (int turn = 0; turn < static_cast<int>(gridDim.x); ++turn) {
    const int victim = (blockIdx.x + turn) % gridDim.x;
    for (;;) {
      const int mark = lane == 0 ? atomicAdd(&is_empty[victim], 0) : 0;
      if (__shfl_sync(0xffffffffu, mark, 0) != 0) break;
      Node node = {0, 0};
      if (turn > 0) {
        lock_stack<SEARCH_STEAL>(stacks, victim);
      } else {
        lock_stack<false>(stacks, victim);
      }
      const int count = pop(stacks, victim, node);
      unlock_stack<SEARCH_UNLOCK>(stacks, victim);
      if (count == 0) {
        if (lane == 0) SET_MARK(&is_empty[victim]);
        break;
      }
      const int hits = sum_of_warp(lane < count && matches(node) ? 1 : 0);
      if (lane == 0 && hits > 0) atomicAdd(found, hits);
    }
  }
}

// The device memory for the stacks. The initial nodes are distributed evenly among the stacks.
class StackMemory {
 public:
  StackMemory(int blocks, int capacity, const std::vector<Node> &nodes)
      : locks_(blocks, 0), tops_(blocks, 0), nodes_(static_cast<std::size_t>(blocks) * capacity, Node{0, 0}) {
    std::vector<int> tops(blocks, 0);
    std::vector<Node> all(static_cast<std::size_t>(blocks) * capacity, Node{0, 0});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t block = i % blocks;
      all[block * capacity + tops[block]++] = nodes[i];
    }
    tops_.set(tops);
    nodes_.set(all);
    stacks_ = {locks_.data(), tops_.data(), nodes_.data(), capacity};
  }
  const Stacks &stacks() const { return stacks_; }

 private:
  app::Buffer<int> locks_;
  app::Buffer<int> tops_;
  app::Buffer<Node> nodes_;
  Stacks stacks_ = {};
};

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int trees = options.number("trees", 60);
  const int levels = options.number("levels", 6);
  const int blocks = options.number("blocks", 60);
  const int threads = options.number("threads", 256);
  const int room = options.number("local", 256);
  options.finish();

  std::vector<Node> roots;
  for (int i = 0; i < trees; ++i) roots.push_back({mixed(static_cast<unsigned>(i) + 1000u), 0});
  std::vector<Node> expected = roots;
  int expected_hits = 0;
  unsigned expected_sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Node node = expected[i];
    expected_hits += matches(node) ? 1 : 0;
    expected_sum += node.number;
    const int children = children_of(node, levels);
    for (int child = 0; child < children; ++child) expected.push_back(child_of(node, child));
  }
  const int nodes = static_cast<int>(expected.size());

  const StackMemory local(blocks, room, {});
  const StackMemory shared(blocks, nodes, roots);
  const app::Buffer<int> open(1, trees);
  // The array has twice the size, because a race may duplicate nodes.
  const app::Buffer<Node> all(static_cast<std::size_t>(nodes) * 2, Node{0, 0});
  const app::Buffer<int> size(1, 0);
  generate<<<blocks, threads>>>(local.stacks(), shared.stacks(), levels, open.data(), all.data(), 2 * nodes, size.data());
  app::finish_run();
  std::vector<Node> generated = all.values();
  generated.resize(static_cast<std::size_t>(std::min(size.values()[0], nodes)));
  unsigned sum = 0;
  for (const Node &node : generated) sum += node.number;

  const StackMemory found_nodes(blocks, nodes, generated);
  const app::Buffer<int> is_empty(blocks, 0);
  const app::Buffer<int> found(1, 0);
  search<<<blocks, threads>>>(found_nodes.stacks(), is_empty.data(), found.data());
  app::finish_run();
  return app::compare("tree search", std::vector<long long>{size.values()[0], sum, found.values()[0]},
                      std::vector<long long>{nodes, expected_sum, expected_hits});
}
