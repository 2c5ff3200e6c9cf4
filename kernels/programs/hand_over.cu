// Passes data between blocks in the usual ways: with a flag, which is set and read in several forms, and with a
// counter. Only the first thread of each block accesses the counter, between two barriers.
//
// Each macro enables one race:
//   RACE_SET      no fence before the volatile flag is set
//   RACE_GET      no fence after the read of the volatile flag
//   RACE_NARROW   before the barrier and the counter, the fence of all threads has block scope
//   RACE_LATE     after the counter and the barrier, the threads execute no fence
#include "../apps/app.h"

#ifdef RACE_SET
#define FENCE_BEFORE_FLAG()
#else
#define FENCE_BEFORE_FLAG() __threadfence()
#endif
#ifdef RACE_GET
#define FENCE_AFTER_FLAG()
#else
#define FENCE_AFTER_FLAG() __threadfence()
#endif
#ifdef RACE_NARROW
#define FENCE_BY_ALL() __threadfence_block()
#else
#define FENCE_BY_ALL() __threadfence()
#endif
#ifdef RACE_LATE
#define FENCE_OF_LAST()
#else
#define FENCE_OF_LAST() __threadfence()
#endif

// The host's compiler also parses the kernels.
#ifdef __CUDA_ARCH__
#define PTX(...) asm volatile(__VA_ARGS__)
#else
#define PTX(...)
#endif

constexpr int kSetForms = 5;
constexpr int kGetForms = 4;
constexpr int kLeaderForms = 4;
constexpr int kThreads = 64;

__device__ void set(int *flag, int form) {
  if (form == 0) {
    FENCE_BEFORE_FLAG();
    *(volatile int *)flag = 1;
  } else if (form == 1) {
    __threadfence();
    atomicExch(flag, 1);
  } else if (form == 2) {
    PTX("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else if (form == 3) {
    PTX("fence.acq_rel.gpu; st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    PTX("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag) : "memory");
  }
}

__device__ void await(int *flag, int form) {
  int seen = 0;
  if (form == 0) {
    while (*(volatile int *)flag == 0) {
    }
    FENCE_AFTER_FLAG();
  } else if (form == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
  } else if (form == 2) {
    while (seen == 0) PTX("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } else {
    while (seen == 0) PTX("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    PTX("fence.acq_rel.gpu;" ::: "memory");
  }
}

__global__ void by_flag(int *data, int *flag, int *result, int set_form, int get_form) {
  if (blockIdx.x == 0) {
    *data = 1;
    set(flag, set_form);
  } else {
    await(flag, get_form);
    *result = *data;
  }
}

/// Form 0: all threads fence, the leader counts, the leader fences. Form 1: the leader fences, counts, fences. Form 2:
/// all threads fence, the leader counts, all threads fence. Form 3: the leader fences, counts, all threads fence.
__global__ void by_leader(int *data, unsigned *ticket, int *result, int form) {
  __shared__ bool is_last;
  const int t = threadIdx.x;
  data[blockIdx.x * kThreads + t] = t;
  if (form == 0 || form == 2) FENCE_BY_ALL();
  __syncthreads();
  if (t == 0) {
    if (form == 1 || form == 3) __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (form == 0 || form == 1) __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  if (form == 2 || form == 3) FENCE_OF_LAST();
  int sum = 0;
  for (int block = 0; block < gridDim.x; ++block) sum += data[block * kThreads + t];
  result[t] = sum;
  if (t == 0) *ticket = 0;
}

int main(int argc, char **argv) {
  app::Options options(argc, argv);
  const int blocks = options.number("blocks", 8);
  options.finish();
  std::vector<int> results;
  std::vector<int> expected;
  for (int form = 0; form < kSetForms * kGetForms; ++form) {
    const app::Buffer<int> data(1, 0);
    const app::Buffer<int> flag(1, 0);
    const app::Buffer<int> result(1, 0);
    by_flag<<<2, 1>>>(data.data(), flag.data(), result.data(), form / kGetForms, form % kGetForms);
    app::finish_run();
    results.push_back(result.values()[0]);
    expected.push_back(1);
  }
  for (int form = 0; form < kLeaderForms; ++form) {
    const app::Buffer<int> data(blocks * kThreads, 0);
    const app::Buffer<unsigned> ticket(1, 0);
    const app::Buffer<int> result(kThreads, 0);
    by_leader<<<blocks, kThreads>>>(data.data(), ticket.data(), result.data(), form);
    app::finish_run();
    for (const int sum : result.values()) results.push_back(sum);
    for (int t = 0; t < kThreads; ++t) expected.push_back(blocks * t);
  }
  return app::compare("hand-over", results, expected);
}
