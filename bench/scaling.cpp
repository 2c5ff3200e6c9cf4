#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "bench/checking.h"

/// How the Z3 engine grows with the number of threads under ptx: the shapes on which enumeration explodes, forbidden
/// and allowed. Only the condition is asked, as in "is this outcome reachable".
namespace {

using namespace ambit;

std::string header(const std::string& name, int locations, const std::string& prefix) {
  std::string text = fmt::format("CUDA {}\n{{ global int ", name);
  for (int i = 0; i < locations; ++i) text += fmt::format("{}{}{} = 0", i == 0 ? "" : ", ", prefix, i);
  return text + "; }\n";
}

/// x=1 handed on through n-1 flags; may the last thread miss it? Release and acquire forbid that, relaxed does not.
std::string message_chain(int threads, bool forbidden) {
  const char* release = forbidden ? "release" : "relaxed";
  const char* acquire = forbidden ? "acquire" : "relaxed";
  std::string text = header("chain", threads, "x");  // x0 is the data
  text += fmt::format("P0 @ block 0 {{ x0 = 1; store(x1, 1, {}, device); }}\n", release);
  std::string condition;
  for (int i = 1; i < threads; ++i) {
    text += fmt::format("P{0} @ block {0} {{ int r0 = load(x{0}, {1}, device); ", i, acquire);
    text += i + 1 < threads ? fmt::format("store(x{}, 1, {}, device); }}\n", i + 1, release) : "int r1 = x0; }\n";
    condition += fmt::format("P{}:r0 == 1 && ", i);
  }
  return text + fmt::format("exists ({}P{}:r1 == 0)\n", condition, threads - 1);
}

/// Thread i writes x_i and reads x_(i+1); may all read 0? Forbidden with fence.sc between, allowed without.
std::string store_buffering_ring(int threads, bool forbidden) {
  std::string text = header("ring", threads, "x");
  std::string condition;
  for (int i = 0; i < threads; ++i) {
    text += fmt::format(
        "P{0} @ block {0} {{ store(x{0}, 1, relaxed, device); {1} int r0 = load(x{2}, relaxed, device); }}\n", i,
        forbidden ? "__threadfence();" : "", (i + 1) % threads);
    condition += fmt::format("{}P{}:r0 == 0", i == 0 ? "" : " && ", i);
  }
  return text + fmt::format("exists ({})\n", condition);
}

/// n threads add 1 to one location; may two be lost?
std::string atomic_adds(int threads) {
  std::string text = header("adds", 1, "x");
  for (int i = 0; i < threads; ++i) text += fmt::format("P{0} @ block {0} {{ atomicAdd(&x0, 1); }}\n", i);
  return text + fmt::format("exists (x0 == {})\n", threads - 2);
}

/// n threads write their number to one location; may a reader see three of them in order?
std::string writers(int threads) {
  std::string text = header("writers", 1, "x");
  for (int i = 1; i <= threads; ++i)
    text += fmt::format("P{0} @ block {0} {{ store(x0, {0}, relaxed, device); }}\n", i);
  return text + fmt::format(
                    "P{0} @ block {0} {{ int r0 = load(x0, relaxed, device); int r1 = load(x0, relaxed, device); "
                    "int r2 = load(x0, relaxed, device); }}\n"
                    "exists (P{0}:r0 == 1 && P{0}:r1 == 2 && P{0}:r2 == 3)\n",
                    threads + 1);
}

void reach(benchmark::State& state, const std::string& litmus, Frequency expected) {
  const auto rules = bench::model("ptx");
  const SourceFilePtr source = bench::text(litmus);
  verdict::CheckOptions options;
  options.engine = verdict::Engine::Smt;
  options.questions.flags = false;
  options.questions.incidents = false;
  options.unroll = 1;
  verdict::Checker checker;
  for (auto _ : state) {
    const verdict::Verdict verdict = bench::check(checker, bench::parse(source), rules, options);
    if (verdict.frequency != expected) throw std::runtime_error("a wrong verdict");
  }
}

void chain_forbidden(benchmark::State& state) {
  reach(state, message_chain(static_cast<int>(state.range(0)), true), Frequency::Never);
}
void chain_allowed(benchmark::State& state) {
  reach(state, message_chain(static_cast<int>(state.range(0)), false), Frequency::Sometimes);
}
void ring_forbidden(benchmark::State& state) {
  reach(state, store_buffering_ring(static_cast<int>(state.range(0)), true), Frequency::Never);
}
void ring_allowed(benchmark::State& state) {
  reach(state, store_buffering_ring(static_cast<int>(state.range(0)), false), Frequency::Sometimes);
}
void lost_adds(benchmark::State& state) {
  reach(state, atomic_adds(static_cast<int>(state.range(0))), Frequency::Never);
}
void many_writers(benchmark::State& state) {
  reach(state, writers(static_cast<int>(state.range(0))), Frequency::Sometimes);
}

const auto kUnit = benchmark::kMillisecond;
BENCHMARK(chain_forbidden)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(chain_allowed)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(ring_forbidden)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(ring_allowed)->Unit(kUnit)->RangeMultiplier(2)->Range(2, 16);
BENCHMARK(lost_adds)->Unit(kUnit)->Arg(4)->Arg(6)->Arg(8);
BENCHMARK(many_writers)->Unit(kUnit)->Arg(4)->Arg(8)->Arg(12);

}  // namespace
