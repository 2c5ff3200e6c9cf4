// The push uses a read and an exchange instead of a CAS, so a node may be lost.
#include <cuda_runtime.h>

struct Node {
  int next;  // the index of the node below this node; 0 is the bottom of the stack
};
__device__ Node nodes[3];
__device__ int top = 0;

__global__ void push() {
  const int mine = blockIdx.x + 1;
  nodes[mine].next = atomicAdd(&top, 0);
  __threadfence();
  atomicExch(&top, mine);
}

int main() {
  push<<<2, 1>>>();
  return cudaDeviceSynchronize();
}

// ambit: forall (nodes[1].next == 0 && nodes[2].next == 1 && top == 2 || nodes[2].next == 0 && nodes[1].next == 2 && top == 1)

// ambit: expect ptx          : Sometimes, norace because "both blocks may read the empty stack, because a read and an exchange are not one atomic step"
// ambit: expect cuda-cpp     : Sometimes, norace because "both blocks may read the empty stack"
// ambit: expect hrf-indirect : Sometimes, norace because "both blocks may read the empty stack, even in an SC execution"
// ambit: expect hrf-relaxed  : Sometimes, norace because "both blocks may read the empty stack"
