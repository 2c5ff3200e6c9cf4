// A thread initialises a barrier; another thread uses the barrier. Source: Fuser#1552
#include <cuda/barrier>

__global__ void hand_over(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  if (threadIdx.x == 0) {
    auto token = bar.arrive();
  } else {
    bar.wait_parity(false);
    out[0] = 1;
  }
}

// ambit: launch hand_over<<<1, 2>>>(out[1]);
// ambit: expect ptx : race on b0:bar because "nothing orders the initialisation before the wait"
