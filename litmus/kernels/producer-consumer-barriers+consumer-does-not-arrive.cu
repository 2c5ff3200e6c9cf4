#include <cuda/barrier>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(const int *in, int *out) {
  __shared__ int buffer;
  __shared__ Barrier full, empty;
  if (threadIdx.x == 0) {
    init(&full, 2);
    init(&empty, 2);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      buffer = in[i];
      full.arrive_and_wait();
    }
  } else {
    for (int i = 0; i < 2; ++i) {
      full.arrive_and_wait();
      out[i] = buffer;
    }
  }
}
// ambit: launch k<<<1, 2>>>(in[2], out[2]);
// ambit: expect ptx : race because "the producer refills the buffer without waiting"
