// Message passing with a flag; with -D RELAXED nothing orders it.
#include <cuda/atomic>

#ifdef RELAXED
#define ORDER(strong) cuda::memory_order_relaxed
#else
#define ORDER(strong) cuda::memory_order_##strong
#endif

__device__ int payload;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void message(int *result) {
  if (blockIdx.x == 0) {
    payload = 42;
    ready.store(1, ORDER(release));
  } else if (ready.load(ORDER(acquire)) == 1) {
    result[0] = payload;
  }
}

// ambit: launch message<<<2, 1>>>(result[1]);
// ambit: forall (result[0] == 0 || result[0] == 42)
#ifdef RELAXED
// ambit: expect ptx : Always, race on payload because "a stale payload is 0 here; but the accesses race"
#else
// ambit: expect ptx : Always, norace because "release and acquire at device scope"
#endif
