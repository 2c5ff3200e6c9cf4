#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/checking.h"

/// Measures how much transactions slow a check. Alternately checks a program with transactions, and a program with the
/// same accesses in plain blocks under a model without rules for transactions. `ratio` is the first time divided by the
/// second time. `corpus` checks every expectation of litmus/transactions.
namespace {

using namespace ambit;
using Clock = std::chrono::steady_clock;

struct Shape {
  std::string name;
  std::string threads;  ///< the threads, with "ATOMIC" before the blocks
  std::string condition;
};

/// Each thread reads the next thread's cell and writes its own cell.
Shape ring(int threads) {
  Shape shape{fmt::format("ring-{}", threads), "", "P0:r0 == 0"};
  for (int t = 0; t < threads; ++t) {
    shape.threads += fmt::format("P{0} @ block {0} {{ int r0; ATOMIC {{ r0 = a[{1}]; a[{0}] = r0 + 1; }} }}\n", t,
                                 (t + 1) % threads);
  }
  return shape;
}

std::vector<Shape> shapes() {
  return {{"lost-update",
           "P0 @ block 0 { ATOMIC { int r0 = a[0]; a[0] = r0 + 1; } }\n"
           "P1 @ block 1 { ATOMIC { int r1 = a[0]; a[0] = r1 + 1; } }\n",
           "a[0] == 1"},
          {"independent-reads",
           "P0 @ block 0 { ATOMIC { a[0] = 1; } }\nP1 @ block 1 { ATOMIC { a[1] = 1; } }\n"
           "P2 @ block 2 { int r0, r1; ATOMIC { r0 = a[0]; r1 = a[1]; } }\n"
           "P3 @ block 3 { int r2, r3; ATOMIC { r2 = a[1]; r3 = a[0]; } }\n",
           "P2:r0 == 1 && P2:r1 == 0 && P3:r2 == 1 && P3:r3 == 0"},
          ring(3),
          ring(4)};
}

std::shared_ptr<const Program> program(const Shape& shape, const std::string& word) {
  std::string threads = shape.threads;
  for (std::size_t at = threads.find("ATOMIC"); at != std::string::npos; at = threads.find("ATOMIC")) {
    threads.replace(at, 6, word);
  }
  return bench::parse(
      bench::text("CUDA t\n{ global int a[4] = {0, 0, 0, 0}; }\n" + threads + "exists (" + shape.condition + ")\n"));
}

void transactions(benchmark::State& state, const Shape& shape, const std::string& model, verdict::Engine engine) {
  const auto with = program(shape, "atomic");
  const auto without = program(shape, "");
  const auto rules_with = bench::model(model == "ptx" ? "ptx-tm(boundary=none)" : model + "-tm");
  const auto rules_without = bench::model(model);
  verdict::CheckOptions options;
  options.engine = engine;
  verdict::Checker checker;
  const auto seconds = [&](const auto& checked, const auto& rules) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(bench::check(checker, checked, rules, options));
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double atomic = 0;
  double plain = 0;
  for (auto _ : state) {
    const double now = seconds(with, rules_with);
    state.SetIterationTime(now);
    atomic += now;
    plain += seconds(without, rules_without);
  }
  state.counters["ratio"] = atomic / plain;
}

void corpus(benchmark::State& state) {
  std::vector<std::shared_ptr<const Program>> tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(AMBIT_SOURCE_DIR "/litmus/transactions")) {
    if (entry.is_regular_file()) tests.push_back(bench::parse(parser::read_source(entry.path().string()).value()));
  }
  verdict::Checker checker;
  for (auto _ : state) {
    for (const auto& test : tests) {
      for (const Expectation& expected : test->expectations) {
        const auto rules = parser::load_model(expected.model, expected.options);
        benchmark::DoNotOptimize(bench::check(checker, test, rules.value(), {}));
      }
    }
  }
  state.counters["tests"] = static_cast<double>(tests.size());
}

const bool kRegistered = [] {
  benchmark::RegisterBenchmark("corpus", corpus)->Unit(benchmark::kMillisecond)->UseRealTime();
  for (const Shape& shape : shapes()) {
    for (const std::string model : {"sc", "hrf-indirect", "ptx"}) {
      for (const verdict::Engine engine : {verdict::Engine::Auto, verdict::Engine::Smt}) {
        const std::string name = shape.name + "/" + model + "/" + std::string(verdict::to_string(engine));
        benchmark::RegisterBenchmark(name.c_str(), transactions, shape, model, engine)
            ->Unit(benchmark::kMicrosecond)
            ->UseManualTime();
      }
    }
  }
  return true;
}();

}  // namespace
