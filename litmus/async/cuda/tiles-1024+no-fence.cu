// A thread loads tiles of 1,024 elements into two stages by bulk copies; two threads read their elements of each tile and
// release the stage without a proxy fence.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

constexpr int kTile = 1024;
constexpr int kTiles = 4;

__global__ void sum(const int *g, int *out) {
  __shared__ alignas(128) int tile[2][kTile];
  __shared__ uint64_t full[2];
  __shared__ uint64_t empty[2];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 2);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 0; k < kTiles; ++k) {
      const int s = k % 2;
      if (k >= 2) {
        while (!ptx::mbarrier_try_wait_parity(&empty[s], (k / 2 - 1) % 2)) {
        }
      }
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], kTile * 4);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s], g + k * kTile, kTile * 4, &full[s]);
    }
  } else {
    int total = 0;
    for (int k = 0; k < kTiles; ++k) {
      const int s = k % 2;
      while (!ptx::mbarrier_try_wait_parity(&full[s], (k / 2) % 2)) {
      }
      total += tile[s][threadIdx.x];
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &empty[s]);
    }
    out[threadIdx.x] = total;
  }
}

// ambit: launch sum<<<1, 3>>>(g[4096], out[3]);
// ambit: expect ptx : race because "the next copy may overwrite an element before a thread reads the element"
// ambit: expect ptx under fair : terminates because "each phase gets the arrivals and the bytes that it expects"
