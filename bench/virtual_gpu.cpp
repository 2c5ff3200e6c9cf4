#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/matrix_product_ptx.h"
#include "ptx/module.h"
#include "runner/virtual/device.h"

/// Measures the virtual GPU on matrix products: lane instructions per second, and lane memory accesses per second with
/// an observer that does nothing. Rows measure the processor time of one thread. Rows with `_wall` measure wall time;
/// their names contain the number of threads.
namespace {

using namespace ambit;
using namespace ambit::virtual_gpu;

class Counter : public Observer {
 public:
  void access(const WarpAccess& access) override { events += static_cast<unsigned>(__builtin_popcount(access.lanes)); }
  std::uint64_t events = 0;
};

/// Multiplies two square matrices with `size` rows, in blocks of 16 x 16 threads.
void product(benchmark::State& state, const char* kernel, ScheduleKind schedule, bool is_observed,
             unsigned threads = 1) {
  constexpr std::uint32_t kSize = 256;
  constexpr std::uint64_t kBytes = std::uint64_t{kSize} * kSize * 4;
  auto text = ptx::read_module(std::string(kMatrixProductPtx), "matrix_product.ptx");
  if (!text.ok()) {
    fmt::print(stderr, "{}", render(text.errors()));
    std::exit(1);
  }
  Device device;
  Counter counter;
  if (is_observed) device.set_observer(&counter);
  device.options().schedule.kind = schedule;
  device.options().threads = threads;
  Launch launch;
  launch.module = device.load(std::make_shared<ptx::Module>(std::move(text).value())).value();
  launch.kernel = kernel;
  launch.grid = {kSize / 16, kSize / 16, 1};
  launch.block = {16, 16, 1};
  launch.parameters.resize(28);
  const std::vector<float> ones(std::size_t{kSize} * kSize, 1.0F);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t matrix = device.memory().allocate(kBytes, AllocationKind::Device, "bench");
    device.memory().copy_to_device(matrix, ones.data(), kBytes);
    std::memcpy(launch.parameters.data() + 8 * i, &matrix, 8);
  }
  std::memcpy(launch.parameters.data() + 24, &kSize, 4);
  std::uint64_t instructions = 0;
  counter.events = 0;
  for (auto _ : state) {
    Context context;
    const auto report = device.launch(launch, context);
    if (!report.ok() || report.value().end != LaunchEnd::Completed) state.SkipWithError("the launch failed");
    if (report.value().statistics.threads != threads)
      state.SkipWithError("the blocks were not distributed over the threads");
    instructions += report.value().statistics.lane_instructions;
  }
  state.counters["instructions"] = benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  if (is_observed) {
    state.counters["events"] = benchmark::Counter(static_cast<double>(counter.events), benchmark::Counter::kIsRate);
  }
}

BENCHMARK_CAPTURE(product, plain, "product", ScheduleKind::RoundRobin, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, plain_observed, "product", ScheduleKind::RoundRobin, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, tiles, "tiled", ScheduleKind::RoundRobin, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, tiles_observed, "tiled", ScheduleKind::RoundRobin, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, tiles_random, "tiled", ScheduleKind::Random, false)->Unit(benchmark::kMillisecond);

/// Measures the wall time of the launches on one thread and on two threads.
#define AMBIT_WALL(name, kernel, threads)                                            \
  BENCHMARK_CAPTURE(product, name, kernel, ScheduleKind::RoundRobin, false, threads) \
      ->Unit(benchmark::kMillisecond)                                                \
      ->UseRealTime()
AMBIT_WALL(plain_wall_1, "product", 1);
AMBIT_WALL(plain_wall_2, "product", 2);
AMBIT_WALL(tiles_wall_1, "tiled", 1);
AMBIT_WALL(tiles_wall_2, "tiled", 2);

}  // namespace
