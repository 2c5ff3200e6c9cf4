#include <benchmark/benchmark.h>

#include <string>

#include "bench/checking.h"
#include "bench/programs.h"

/// Measures how the engines scale with the number of threads under ptx. On these tests, enumerating executions takes
/// exponential time. Each test has a forbidden and an allowed form. Checks only whether the outcome is reachable. The
/// time includes parsing and the check of the witness.
namespace {

using namespace ambit;

verdict::CheckOptions reachability(verdict::Engine engine) {
  verdict::CheckOptions options;
  options.engine = engine;
  options.questions.flags = false;
  options.questions.incidents = false;
  return options;
}

void reach(benchmark::State& state, const std::string& litmus, Frequency expected) {
  const auto rules = bench::model("ptx");
  const SourceFilePtr source = bench::text(litmus);
  const verdict::CheckOptions options = reachability(verdict::Engine::Smt);
  verdict::Checker checker;
  for (auto _ : state) {
    const verdict::Verdict verdict = bench::check(checker, bench::parse(source), rules, options);
    if (verdict.frequency != expected) throw std::runtime_error("a wrong verdict");
  }
}

unsigned threads(const benchmark::State& state) { return static_cast<unsigned>(state.range(0)); }

void chain_forbidden(benchmark::State& state) {
  reach(state, bench::message_passing_chain(threads(state), true), Frequency::Never);
}
void chain_allowed(benchmark::State& state) {
  reach(state, bench::message_passing_chain(threads(state), false), Frequency::Sometimes);
}
void ring_forbidden(benchmark::State& state) {
  reach(state, bench::store_buffering_ring(threads(state), true), Frequency::Never);
}
void ring_allowed(benchmark::State& state) {
  reach(state, bench::store_buffering_ring(threads(state), false), Frequency::Sometimes);
}
void adds_last(benchmark::State& state) { reach(state, bench::atomic_adds(threads(state)), Frequency::Sometimes); }
void adds_lost(benchmark::State& state) { reach(state, bench::lost_adds(threads(state)), Frequency::Never); }
void writers_in_order(benchmark::State& state) {
  reach(state, bench::many_writers(threads(state)), Frequency::Sometimes);
}
/// Acquire loads alone do not order two independent writes (definitions 3: no multi-copy atomicity without fence.sc).
void readers_disagree(benchmark::State& state) {
  reach(state, bench::independent_reads(threads(state)), Frequency::Sometimes);
}

void all_outcomes(benchmark::State& state, verdict::Engine engine) {
  const auto rules = bench::model("ptx");
  const SourceFilePtr source = bench::text(bench::store_buffering_outcomes(threads(state)));
  verdict::CheckOptions options = reachability(engine);
  options.questions.outcomes = true;
  verdict::Checker checker;
  for (auto _ : state) {
    const verdict::Verdict verdict = bench::check(checker, bench::parse(source), rules, options);
    if (verdict.answers.outcomes.size() != (std::size_t{1} << threads(state)))
      throw std::runtime_error("wrong outcomes");
  }
}

const auto kUnit = benchmark::kMillisecond;
BENCHMARK(chain_forbidden)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(chain_allowed)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(ring_forbidden)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16)->Arg(10);
BENCHMARK(ring_allowed)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(adds_last)->Unit(kUnit)->Arg(4)->Arg(6)->Arg(8);
BENCHMARK(adds_lost)->Unit(kUnit)->Arg(4)->Arg(6)->Arg(8);
BENCHMARK(writers_in_order)->Unit(kUnit)->Arg(8)->Arg(12);
BENCHMARK(readers_disagree)->Unit(kUnit)->Arg(8)->Arg(10);
BENCHMARK_CAPTURE(all_outcomes, smt, verdict::Engine::Smt)->Unit(kUnit)->Arg(10)->Arg(14)->Iterations(1);
BENCHMARK_CAPTURE(all_outcomes, explicit, verdict::Engine::Explicit)->Unit(kUnit)->Arg(10)->Arg(14)->Iterations(1);

}  // namespace
