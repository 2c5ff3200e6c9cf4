// A thread loads boxes of a tensor into a ring of two stages; another thread reads each box and releases the stage.
// Source: the pattern of CUTLASS's TMA pipelines (a full and an empty barrier for each stage).
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kStages = 2;
constexpr int kTiles = 4;

__device__ void load_tile(void *to, const CUtensorMap *map, int x, int y, uint64_t *full) {
  const int coordinates[2] = {x, y};
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 32);
  ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, map, coordinates, full);
}

__device__ void wait(uint64_t *bar, int parity) {
  while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
  }
}

__global__ void sum_tiles(const __grid_constant__ CUtensorMap t, int *out) {
  __shared__ alignas(128) int tile[kStages][32];  // a copy fills 8 elements; the next stage begins at byte 128
  __shared__ uint64_t full[kStages];
  __shared__ uint64_t empty[kStages];
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], 1);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < kTiles; ++i) {
      const int s = i % kStages;
      if (i >= kStages) wait(&empty[s], (i / kStages - 1) % 2);
      load_tile(tile[s], &t, 4 * i, 0, &full[s]);
    }
  } else {
    int sum = 0;
    for (int i = 0; i < kTiles; ++i) {
      const int s = i % kStages;
      wait(&full[s], i / kStages % 2);
      sum += tile[s][0] + tile[s][7];
      ptx::fence_proxy_async(ptx::space_shared);
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &empty[s]);
    }
    out[0] = sum;
  }
}

// ambit: { global int g[32] = {1, ...}; }
// ambit: t = tensormap(g, {16,2}, {4,2});
// ambit: launch sum_tiles<<<1, 2>>>(t, out[1]);
// ambit: exists (out[0] == 8)
// ambit: expect ptx : Always, norace because "each read waits for its bytes, and the reader executes a proxy fence before it"
// ambit: "releases the stage"
// ambit: expect ptx under fair : terminates because "each phase of a full barrier gets its bytes, and each phase of an empty barrier gets its arrival"
