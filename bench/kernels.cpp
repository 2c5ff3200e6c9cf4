#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "bench/checking.h"
#include "model/termination/termination.h"

/// Checks the condition, races and incidents of typical kernels at typical launch sizes. The time includes parsing and
/// checking the witness.
namespace {

using namespace ambit;

std::string counter_and_barrier(std::int64_t threads) {
  return fmt::format(R"(CUDA counter-and-barrier
{{ global int x = 0, y = 0; }}
__global__ void k() {{
  atomicAdd(&x, 1);
  __syncthreads();
  if (threadIdx.x == 0) y = x;
}}
launch k<<<1, {0}>>>();
exists (y == {0})
)",
                     threads);
}

std::string counter_of_blocks(std::int64_t blocks) {
  return fmt::format(R"(CUDA counter-of-blocks
{{ global int x = 0; }}
__global__ void k() {{ atomicAdd(&x, 1); }}
launch k<<<{0}, 1>>>();
exists (x == {0})
)",
                     blocks);
}

/// Each block adds 1 with compare-exchanges in a loop.
std::string compare_exchange(std::int64_t blocks) {
  return fmt::format(R"(CUDA compare-exchange
{{ global int x = 0; }}
__global__ void k() {{
  int old = load(x, relaxed, device);
  int seen = atomicCAS(&x, old, old + 1);
  while (seen != old) {{ old = seen; seen = atomicCAS(&x, old, old + 1); }}
}}
launch k<<<{}, 1>>>();
)",
                     blocks);
}

std::string block_then_device(std::int64_t threads) {
  return fmt::format(R"(CUDA block-then-device
{{ global int y = 0; }}
__global__ void k(int *x) {{
  atomicAdd_block(&x[blockIdx.x], 1);
  atomicAdd(&y, 1);
}}
launch k<<<2, {}>>>(x[2]);
exists (y == {})
)",
                     threads, 2 * threads);
}

std::string spin_lock(std::int64_t blocks) {
  return fmt::format(R"(CUDA spin-lock
{{ global int mutex = 0, data = 0; }}
__global__ void k() {{
  while (atomicCAS(&mutex, 0, 1) != 0) {{ }}
  __threadfence();
  data = data + 1;
  __threadfence();
  atomicExch(&mutex, 0);
}}
launch k<<<{0}, 1>>>();
exists (data == {0})
)",
                     blocks);
}

/// Each block counts its threads. The block that arrives last adds up the counts of all blocks.
std::string last_block(std::int64_t blocks, bool fenced) {
  return fmt::format(R"(CUDA last-block
{{ global int total = 0; global unsigned arrived = 0; }}
__global__ void k(int *partial) {{
  __shared__ int part;
  __shared__ bool last;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd_block(&part, 1);
  __syncthreads();
  if (threadIdx.x == 0) {{
    partial[blockIdx.x] = part;
    {1}
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }}
  __syncthreads();
  if (last && threadIdx.x == 0) {{
    {1}
    int result = 0;
    for (int i = 0; i < {0}; ++i) result += partial[i];
    total = result;
  }}
}}
launch k<<<{0}, 32>>>(partial[{0}]);
exists (total == {2})
)",
                     blocks, fenced ? "__threadfence();" : "", 32 * blocks);
}

/// A prefix sum in shared memory (Hillis and Steele 1986), either with all barriers or with one barrier missing.
std::string scan(std::int64_t threads, bool correct) {
  return fmt::format(R"(CUDA scan
__global__ void k(int *in, int *out) {{
  __shared__ int temp[{1}];
  int tid = threadIdx.x;
  int to = 0, from = 1;
  temp[tid] = in[tid];
  __syncthreads();
  for (int offset = 1; offset < {0}; offset *= 2) {{
    to = 1 - to;
    from = 1 - to;
    if (tid >= offset) temp[to * {0} + tid] = temp[from * {0} + tid] + temp[from * {0} + tid - offset];
    else temp[to * {0} + tid] = temp[from * {0} + tid];
    {2}__syncthreads();
  }}
  out[tid] = temp[to * {0} + tid];
}}
launch k<<<1, {0}>>>(in[{0}], out[{0}]);
forall (out[0] == 0)
)",
                     threads, 2 * threads, correct ? "" : "if (offset != 4) ");
}

std::string transpose() {
  return R"(CUDA transpose
__global__ void k(const int *in, int *out) {
  __shared__ int tile[256];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  tile[y * 16 + x] = in[y * 16 + x];
  __syncthreads();
  out[y * 16 + x] = tile[x * 16 + y];
}
launch k<<<1, 256>>>(in[256], out[256]);
forall (out[0] == 0)
)";
}

std::string histogram(std::int64_t threads) {
  return fmt::format(R"(CUDA histogram
__global__ void k(const int *data, int *bins) {{
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[data[threadIdx.x] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}}
launch k<<<1, {0}>>>(data[{0}], bins[16]);
)",
                     threads);
}

/// The lanes of one warp take a lock. The lane that holds the lock may have to wait for the other lanes at the end of
/// the loop.
std::string lock_of_lanes(std::int64_t lanes) {
  return fmt::format(R"(CUDA lock-of-lanes
{{ global int mutex = 0, data = 0; }}
__global__ void k() {{
  while (atomicCAS(&mutex, 0, 1) != 0) {{ }}
  data = data + 1;
  __threadfence();
  atomicExch(&mutex, 0);
}}
launch k<<<1, {}>>>();
)",
                     lanes);
}

void check(benchmark::State& state, const std::string& model, const std::string& litmus, bool is_racy) {
  const auto rules = bench::model(model);
  const SourceFilePtr source = bench::text(litmus);
  for (auto _ : state) {
    verdict::Checker checker;
    const verdict::Verdict verdict = bench::check(checker, bench::parse(source), rules, {});
    const auto expected = is_racy ? events::Possibility::Possible : events::Possibility::Impossible;
    if (verdict.race != expected) throw std::runtime_error("a wrong verdict");
  }
}

void waiting(benchmark::State& state, Scheduler scheduler, termination::Termination expected) {
  const auto rules = bench::model("ptx");
  const SourceFilePtr source = bench::text(lock_of_lanes(state.range(0)));
  for (auto _ : state) {
    verdict::Checker checker;
    Context context;
    const auto verdict = termination::check_termination(checker, bench::parse(source), rules, scheduler, {}, context);
    if (!verdict.ok() || verdict.value().termination != expected) throw std::runtime_error("a wrong verdict");
  }
}

using Kernel = std::string (*)(std::int64_t size);

void norace(benchmark::State& state, const std::string& model, Kernel kernel) {
  check(state, model, kernel(state.range(0)), false);
}
void last_block_fenced(benchmark::State& state) { check(state, "ptx", last_block(state.range(0), true), false); }
void last_block_racy(benchmark::State& state) { check(state, "ptx", last_block(state.range(0), false), true); }
void scan_correct(benchmark::State& state) { check(state, "ptx", scan(state.range(0), true), false); }
void scan_racy(benchmark::State& state) { check(state, "ptx", scan(state.range(0), false), true); }
void tiled_transpose(benchmark::State& state) { check(state, "ptx", transpose(), false); }

const auto kUnit = benchmark::kMillisecond;
BENCHMARK_CAPTURE(norace, counter_and_barrier_ptx, "ptx", counter_and_barrier)
    ->Unit(kUnit)
    ->Arg(8)
    ->Arg(32)
    ->Arg(128)
    ->Arg(1024);
BENCHMARK_CAPTURE(norace, counter_and_barrier_cuda, "cuda-cpp", counter_and_barrier)
    ->Unit(kUnit)
    ->Arg(32)
    ->Arg(128)
    ->Arg(1024);
BENCHMARK_CAPTURE(norace, counter_of_blocks, "ptx", counter_of_blocks)->Unit(kUnit)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(norace, block_then_device, "ptx", block_then_device)->Unit(kUnit)->Arg(8)->Arg(16)->Arg(32);
BENCHMARK_CAPTURE(norace, compare_exchange, "ptx", compare_exchange)->Unit(kUnit)->Arg(2)->Arg(3)->Arg(4);
BENCHMARK_CAPTURE(norace, spin_lock, "ptx", spin_lock)->Unit(kUnit)->Arg(4)->Arg(8);
BENCHMARK(last_block_fenced)->Unit(kUnit)->Arg(4)->Arg(8);
BENCHMARK(last_block_racy)->Unit(kUnit)->Arg(4)->Arg(8);
BENCHMARK(scan_correct)->Unit(kUnit)->Arg(16)->Arg(64);
BENCHMARK(scan_racy)->Unit(kUnit)->Arg(16)->Arg(64);
BENCHMARK(tiled_transpose)->Unit(kUnit);
BENCHMARK_CAPTURE(norace, histogram, "ptx", histogram)->Unit(kUnit)->Arg(32)->Arg(256);
BENCHMARK_CAPTURE(waiting, fair, Scheduler::Fair, termination::Termination::Terminates)->Unit(kUnit)->Arg(8)->Arg(32);
BENCHMARK_CAPTURE(waiting, lockstep, Scheduler::Lockstep, termination::Termination::DoesNotTerminate)
    ->Unit(kUnit)
    ->Arg(8)
    ->Arg(32);

}  // namespace
