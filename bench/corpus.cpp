#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/checking.h"
#include "parser/text/source_text.h"
#include "runner/standalone/standalone.h"

/// Measures normal use on the corpus: parses every file of a folder, and checks each file under a model with one
/// engine. One iteration checks the whole folder; the counter `per_test` is the time for one file.
namespace {

using namespace ambit;

std::vector<SourceFilePtr> sources(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(AMBIT_SOURCE_DIR "/litmus/") + folder)) {
    if (entry.path().extension() == ".litmus") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SourceFilePtr> read;
  for (const std::string& path : paths) read.push_back(parser::read_source(path).value());
  return read;
}

void check_folder(benchmark::State& state, const std::string& folder, const std::string& model,
                  verdict::Engine engine) {
  const std::vector<SourceFilePtr> files = sources(folder);
  const auto rules = bench::model(model);
  verdict::CheckOptions options;
  options.engine = engine;
  verdict::Checker checker;
  for (auto _ : state) {
    for (const SourceFilePtr& file : files) {
      benchmark::DoNotOptimize(bench::check(checker, bench::parse(file), rules, options));
    }
  }
  state.counters["per_test"] = benchmark::Counter(
      static_cast<double>(files.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void parse_folder(benchmark::State& state, const std::string& folder) {
  const std::vector<SourceFilePtr> files = sources(folder);
  for (auto _ : state) {
    for (const SourceFilePtr& file : files) benchmark::DoNotOptimize(bench::parse(file));
  }
  state.counters["per_test"] = benchmark::Counter(
      static_cast<double>(files.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Measures `ambit emit program` on every file of a folder: from reading the test to writing the program's text.
void emit_folder(benchmark::State& state, const std::string& folder) {
  const std::vector<SourceFilePtr> files = sources(folder);
  for (auto _ : state) {
    for (const SourceFilePtr& file : files) {
      const auto program = bench::parse(file);
      const standalone::LogStyle log{.test = program->name,
                                     .columns = std::vector<std::string>(program->observables.size(), "x")};
      benchmark::DoNotOptimize(standalone::program_text(*program, parser::kernel_text(file), log));
    }
  }
  state.counters["per_test"] = benchmark::Counter(
      static_cast<double>(files.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void load_model(benchmark::State& state, const std::string& model) {
  for (auto _ : state) benchmark::DoNotOptimize(bench::model(model));
}

const auto kUnit = benchmark::kMillisecond;

BENCHMARK_CAPTURE(load_model, ptx, std::string("ptx"))->Unit(kUnit);
BENCHMARK_CAPTURE(load_model, gwcp, std::string("gwcp"))->Unit(kUnit);
BENCHMARK_CAPTURE(parse_folder, scor, std::string("scor"))->Unit(kUnit);
BENCHMARK_CAPTURE(parse_folder, classic, std::string("classic"))->Unit(kUnit);
BENCHMARK_CAPTURE(parse_folder, ptx, std::string("ptx"))->Unit(kUnit);

BENCHMARK_CAPTURE(emit_folder, scor, std::string("scor"))->Unit(kUnit);
BENCHMARK_CAPTURE(emit_folder, classic, std::string("classic"))->Unit(kUnit);

// NOLINTBEGIN(bugprone-macro-parentheses): the first arguments are names
#define AMBIT_BENCH_MODEL(folder, name, model)                                                                         \
  BENCHMARK_CAPTURE(check_folder, folder / name / auto, std::string(#folder), std::string(model),                      \
                    verdict::Engine::Auto)                                                                             \
      ->Unit(kUnit);                                                                                                   \
  BENCHMARK_CAPTURE(check_folder, folder / name / explicit, std::string(#folder), std::string(model),                  \
                    verdict::Engine::Explicit)                                                                         \
      ->Unit(kUnit);                                                                                                   \
  BENCHMARK_CAPTURE(check_folder, folder / name / smt, std::string(#folder), std::string(model), verdict::Engine::Smt) \
      ->Unit(kUnit)
// NOLINTEND(bugprone-macro-parentheses)

AMBIT_BENCH_MODEL(scor, sc, "sc");
AMBIT_BENCH_MODEL(scor, hrf_indirect, "hrf-indirect");
AMBIT_BENCH_MODEL(scor, ptx, "ptx");
AMBIT_BENCH_MODEL(scor, gwcp, "gwcp");
AMBIT_BENCH_MODEL(classic, hrf_indirect, "hrf-indirect");
AMBIT_BENCH_MODEL(classic, ptx, "ptx");
AMBIT_BENCH_MODEL(ptx, ptx, "ptx");
AMBIT_BENCH_MODEL(ptx, ptx_6_0, "ptx-6.0");
AMBIT_BENCH_MODEL(ptx, cuda_cpp, "cuda-cpp");

}  // namespace
