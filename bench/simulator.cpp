#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "parser/parse.h"
#include "runner/sim/simulate.h"

/// Measures the simulator's runs and steps per second on a small test, for each memory and schedule. A step is an
/// action of a thread or of the memory.
namespace {

using namespace ambit;

std::shared_ptr<const Program> load(const std::string& name) {
  const auto source = parser::read_source(std::string(AMBIT_SOURCE_DIR) + "/litmus/" + name);
  const auto program =
      source.ok() ? parser::parse_program(source.value()) : Result<std::shared_ptr<const Program>>(source.errors());
  if (!program.ok()) {
    fmt::print(stderr, "{}", render(program.errors()));
    std::exit(1);
  }
  return program.value();
}

constexpr const char* kLock = "scor/norace_interblock_lock_waw.litmus";

void random_runs(benchmark::State& state, sim::MemoryKind memory, const char* test) {
  const auto program = load(test);
  sim::Options options{.memory = memory, .runs = 1000};
  std::uint64_t runs = 0;
  for (auto _ : state) {
    Context context;
    const auto result = sim::simulate(program, options, context);
    runs += result.value().histogram.runs();
    ++options.seed;
  }
  state.counters["runs"] = benchmark::Counter(static_cast<double>(runs), benchmark::Counter::kIsRate);
  // Counts the steps in additional runs, which are not measured.
  options.runs = 100;
  std::uint64_t steps = 0;
  Context context;
  const auto shown = sim::simulate(program, options, context, [&](const sim::Run& run) {
    steps += run.schedule.size();
    return true;
  });
  benchmark::DoNotOptimize(shown);
  const double all = static_cast<double>(runs) * static_cast<double>(steps) / 100.0;
  state.counters["steps"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(random_runs, sc_scor_lock, sim::MemoryKind::Sc, kLock);
BENCHMARK_CAPTURE(random_runs, gpu_scor_lock, sim::MemoryKind::Gpu, kLock);

void every_schedule(benchmark::State& state, sim::MemoryKind memory) {
  const auto program = load(kLock);
  sim::Options options{.memory = memory, .schedule = sim::ScheduleKind::Exhaustive};
  for (auto _ : state) {
    Context context;
    const auto result = sim::simulate(program, options, context);
    if (!result.value().is_exhaustive) state.SkipWithError("not exhaustive");
  }
}
BENCHMARK_CAPTURE(every_schedule, sc, sim::MemoryKind::Sc)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(every_schedule, gpu, sim::MemoryKind::Gpu)->Unit(benchmark::kMillisecond);

}  // namespace
