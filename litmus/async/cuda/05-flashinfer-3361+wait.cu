// A grid stores to global memory; the next grid waits for the end of this grid, then loads the data by a bulk copy.
// Source: flashinfer#3361
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void produce(unsigned long long *g) {
  cudaTriggerProgrammaticLaunchCompletion();
  g[0] = 1;
}

__global__ void consume(const unsigned long long *g, unsigned long long *out) {
  __shared__ alignas(16) unsigned long long s[2];
  __shared__ uint64_t b;
  ptx::mbarrier_init(&b, 1);
  cudaGridDependencySynchronize();
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, 16);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, 16, &b);
  while (!ptx::mbarrier_try_wait_parity(&b, 0)) {
  }
  out[0] = s[0];
}

// ambit: launch produce<<<1, 1>>>(g[2]);
// ambit: dependent launch consume<<<1, 1>>>(g, out[1]);
// ambit: exists (out[0] == 0)
// ambit: expect ptx : Sometimes, race on g[0] because "the PTX manual does not say that griddepcontrol.wait covers the async proxy, so the copy may miss the store without a proxy fence"
