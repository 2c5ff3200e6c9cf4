// Two copies complete at one barrier, which expects the sum of their bytes. Source: triton#9046
#include <cuda/barrier>

__global__ void load(const int4 *g, int *out) {
  __shared__ int4 s;
  __shared__ int4 c;
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, 1);
  cuda::device::memcpy_async_tx(&s, g, cuda::aligned_size_t<16>(16), bar);
  auto token = cuda::device::barrier_arrive_tx(bar, 1, 32);
  bar.wait(std::move(token));
  out[0] = s.x + c.x;
}

// ambit: launch load<<<1, 1>>>(g[1], out[1]);
// ambit: expect ptx under fair : stuck because "only 16 of the 32 expected bytes arrive"
