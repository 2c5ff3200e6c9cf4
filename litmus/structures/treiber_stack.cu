// A Treiber stack, written as in CUDA programs: block 0 pushes a node, and block 1 pops a node.
//
// ambit: forall (d[0] == 0 || d[0] == 42)
// ambit: expect ptx : Always, norace because "block 1 gets the node by its compare-and-swap or by the preceding read of top. The push has a fence between the stores to the node and the compare-and-swap; the pop has a fence after each read of top, before it reads the node."
#include <cuda_runtime.h>

#define FENCE() __threadfence()

struct Node {
  int value;
  struct Node *next;
};

__device__ Node pool[1];
__device__ Node *top = nullptr;

__device__ Node *read_top() { return (Node *)atomicAdd((unsigned long long *)&top, 0ULL); }

__device__ bool swap_top(Node *expected, Node *desired) {
  unsigned long long old =
      atomicCAS((unsigned long long *)&top, (unsigned long long)expected, (unsigned long long)desired);
  return old == (unsigned long long)expected;
}

__device__ void push(Node *node) {
  Node *old;
  do {
    old = read_top();
    node->next = old;
    FENCE();
  } while (!swap_top(old, node));
}

__device__ Node *pop() {
  Node *old;
  do {
    old = read_top();
    if (old == nullptr) return nullptr;
    FENCE();
  } while (!swap_top(old, old->next));
  return old;
}

__global__ void stack(int *result) {
  if (blockIdx.x == 0) {
    pool[0].value = 42;
    push(&pool[0]);
  } else {
    Node *node = pop();
    if (node != nullptr) result[0] = node->value;
  }
}

int main() {
  int *d;
  cudaMalloc(&d, sizeof(int));
  cudaMemset(d, 0, sizeof(int));
  stack<<<2, 1>>>(d);
  return cudaDeviceSynchronize();
}
