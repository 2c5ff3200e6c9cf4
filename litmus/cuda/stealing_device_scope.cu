// Work stealing at device scope: one block pushes a task, and two blocks steal.
#include <cuda_runtime.h>

struct Deque {
  int tasks[2];
  int head;  // Thieves take tasks here.
  int tail;  // The owner pushes tasks here.
};
__device__ Deque deques[2];

__device__ void push(Deque *d, int task) {
  const int at = atomicAdd(&d->tail, 0);  // a plain read would race with the thieves' additions of 0
  d->tasks[at] = task;
  __threadfence();
  atomicExch(&d->tail, at + 1);
}

__device__ int steal(Deque *d) {
  const int head = atomicAdd(&d->head, 0);
  if (head >= atomicAdd(&d->tail, 0)) return 0;  // the deque is empty
  __threadfence();
  const int task = d->tasks[head];
  return atomicCAS(&d->head, head, head + 1) == head ? task : 0;
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
// ambit: expect ptx          : Never, norace because "the fence and the exchange release the task; the polling read and the fence acquire it; only one CAS succeeds"
// ambit: expect cuda-cpp     : Never, norace because "the fences synchronise through the atomics on the tail, and only one CAS succeeds"
// ambit: expect hrf-indirect : Never, norace because "the atomics on the tail synchronise, because they have the same scope"
// ambit: expect hrf-relaxed  : Never, norace because "with the fences, the atomics on the tail are releases and acquires"
