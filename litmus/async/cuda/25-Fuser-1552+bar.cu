// A thread initialises a barrier; another thread uses the barrier. Source: Fuser#1552
#include <cuda/barrier>

__global__ void hand_over(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto token = bar.arrive();
  } else {
    bar.wait_parity(false);
    out[0] = 1;
  }
}

// ambit: launch hand_over<<<1, 2>>>(out[1]);
// ambit: expect ptx : norace because "a barrier of the block follows the initialisation"
// ambit: expect ptx under fair : terminates because "the expected arrival comes, so the phase ends"
