// A thread copies with memcpy_async_tx and expects the bytes; all threads wait. Source: libcu++, memcpy_async_tx
#include <cuda/barrier>

__global__ void load(const int *in, int *out) {
  __shared__ alignas(16) int tile[4];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    token = bar.arrive();
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[threadIdx.x];
}

// ambit: launch load<<<1, 2>>>(in[4], out[2]);
// ambit: expect ptx : race on b0:tile[0] because "the phase does not wait for the bytes of the copy"
