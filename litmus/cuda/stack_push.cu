// Each of two blocks pushes a node on a lock-free stack.
#include <cuda_runtime.h>

struct Node {
  int next;  // the index of the node below this node; 0 is the bottom of the stack
};
__device__ Node nodes[3];
__device__ int top = 0;

__global__ void push() {
  const int mine = blockIdx.x + 1;
  int seen = atomicAdd(&top, 0);
  int found;
  do {
    found = seen;
    nodes[mine].next = found;
    __threadfence();
    seen = atomicCAS(&top, found, mine);
  } while (seen != found);
}

int main() {
  push<<<2, 1>>>();
  return cudaDeviceSynchronize();
}

// ambit: forall (nodes[1].next == 0 && nodes[2].next == 1 && top == 2 || nodes[2].next == 0 && nodes[1].next == 2 && top == 1)

// ambit: expect ptx          : Always, norace because "only one of two CASes on the same value of top succeeds, and only the owner of a node writes the node"
// ambit: expect cuda-cpp     : Always, norace because "only one of two CASes on the same value of top succeeds, and only the owner of a node writes the node"
// ambit: expect hrf-indirect : Always, norace because "only one of two CASes on the same value of top succeeds, and only the owner of a node writes the node"
// ambit: expect hrf-relaxed  : Always, norace because "only one of two CASes on the same value of top succeeds, and only the owner of a node writes the node"
