// Like stealing_device_scope.cu, but at block scope, which includes only the owner's block.
#include <cuda_runtime.h>

struct Deque {
  int tasks[2];
  int head;  // Thieves take tasks here.
  int tail;  // The owner pushes tasks here.
};
__device__ Deque deques[2];

__device__ void push(Deque *d, int task) {
  const int at = atomicAdd_block(&d->tail, 0);  // a plain read would race with the thieves' additions of 0
  d->tasks[at] = task;
  __threadfence_block();
  atomicExch_block(&d->tail, at + 1);
}

__device__ int steal(Deque *d) {
  const int head = atomicAdd_block(&d->head, 0);
  if (head >= atomicAdd_block(&d->tail, 0)) return 0;  // the deque is empty
  __threadfence_block();
  const int task = d->tasks[head];
  return atomicCAS_block(&d->head, head, head + 1) == head ? task : 0;
}

__global__ void work(int *got) {
  Deque *mine = &deques[0];
  if (blockIdx.x == 0) {
    push(mine, 7);
  } else {
    got[blockIdx.x - 1] = steal(mine);
  }
}

int main() {
  int *got;
  cudaMalloc(&got, 2 * sizeof(int));
  cudaMemset(got, 0, 2 * sizeof(int));
  work<<<3, 1>>>(got);
  return cudaDeviceSynchronize();
}

// ambit: ~exists (got[0] == 7 && got[1] == 7 || got[0] != 0 && got[0] != 7 || deques[0].head > 1)
// ambit: expect ptx          : Sometimes, race because "block-scoped CASes of different blocks may both succeed"
// ambit: expect cuda-cpp     : race because "the scope of each operation does not include the other threads"
// ambit: expect hrf-indirect : Never, race because "synchronising operations with the scopes of different blocks conflict; HRF-indirect lists only SC executions"
// ambit: expect hrf-relaxed  : race because "atomics conflict if their scopes are not inclusive"
