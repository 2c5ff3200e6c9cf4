#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/checking.h"
#include "parser/text/source_text.h"

/// Measures batches of small tests in one process, from the text to the verdict (condition and races). Each test is a
/// file of litmus/classic. The first benchmark measures parsing alone, for comparison.
namespace {

using namespace ambit;

const std::vector<std::string>& shapes() {
  static const std::vector<std::string> kShapes = {"MP", "SB", "LB", "2+2W", "WRC", "ISA2", "IRIW"};
  return kShapes;
}

SourceFilePtr source(const std::string& shape) {
  const auto read = parser::read_source(AMBIT_SOURCE_DIR "/litmus/classic/" + shape + "+relacq.gpu+xblock.litmus");
  if (!read.ok()) throw std::runtime_error(render(read.errors()));
  return read.value();
}

void parse_only(benchmark::State& state, const std::string& shape) {
  const SourceFilePtr file = source(shape);
  for (auto _ : state) benchmark::DoNotOptimize(bench::parse(file));
}

void check_small(benchmark::State& state, const std::string& shape, const std::string& model, verdict::Engine engine) {
  const SourceFilePtr file = source(shape);
  const auto rules = bench::model(model);
  verdict::CheckOptions options;
  options.engine = engine;
  verdict::Checker checker;
  for (auto _ : state) benchmark::DoNotOptimize(bench::check(checker, bench::parse(file), rules, options));
}

const bool kRegistered = [] {
  for (const std::string& shape : shapes()) {
    benchmark::RegisterBenchmark(("parse/" + shape).c_str(), parse_only, shape)->Unit(benchmark::kMicrosecond);
    for (const std::string model : {"hrf-indirect", "hrf-relaxed", "ptx"}) {
      for (const verdict::Engine engine : {verdict::Engine::Explicit, verdict::Engine::Smt}) {
        const std::string name = shape + "/" + model + "/" + std::string(verdict::to_string(engine));
        benchmark::RegisterBenchmark(name.c_str(), check_small, shape, model, engine)->Unit(benchmark::kMicrosecond);
      }
    }
  }
  return true;
}();

}  // namespace
