#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/synthetic_trace.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "detector/external/external_program.h"

/// Measures the wall time of user-defined detectors on traces of 1 M events and 64 threads, until the answer. One
/// process analyses all runs of a row, so the time excludes starting the process. Rows:
///
///   SHAPE/program-text, SHAPE/program-binary   a trivial program that counts writes
///   SHAPE/plugin                               a trivial plugin that counts writes
///   SHAPE/scord-plugin, SHAPE/scord-built-in   ScoRD as a plugin and built in
namespace {

using namespace ambit;
using bench::Shape;
using Make = std::function<std::unique_ptr<detector::Detector>(const TraceTables& tables)>;

constexpr std::uint64_t kEvents = 1'000'000;

Trace read_whole(Shape shape) {
  bench::SyntheticTrace trace(shape, 64, kEvents);
  Trace whole;
  std::vector<TraceEvent> some(4096);
  while (true) {
    const std::size_t count = trace.read(some).value();
    if (count == 0) break;
    whole.events.insert(whole.events.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  whole.tables = trace.tables();
  return whole;
}

void measure(benchmark::State& state, Shape shape, const Make& make) {
  const Trace trace = read_whole(shape);
  for (auto _ : state) {
    MemoryTraceReader reader(trace);
    std::vector<std::unique_ptr<detector::Detector>> detectors;
    detectors.push_back(make(trace.tables));
    if (!detector::replay(reader, detectors).ok()) throw std::runtime_error("the replay failed");
    if (const auto failure = detectors.front()->failure()) throw std::runtime_error(*failure);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace.events.size()));
}

/// Keeps the detector programs alive until the benchmark ends.
Make of_program(std::vector<std::string> arguments, external::StreamForm form) {
  external::ProgramDescription description{"it", std::move(arguments), form, {}};
  auto program = std::make_shared<external::ExternalProgram>(std::move(description), external::Patience{});
  return [program](const TraceTables& tables) { return program->make(tables, {"synthetic", 0}); };
}

const bool kRegistered = [] {
  using external::StreamForm;
  const std::vector<std::pair<std::string, Make>> rows = {
      {"program-text", of_program({SINK, "text"}, StreamForm::Text)},
      {"program-binary", of_program({SINK, "binary"}, StreamForm::Binary)},
      {"plugin", of_program({AMBIT_PROGRAM, "plugin", PLUGIN}, StreamForm::Binary)},
      {"scord-plugin", of_program({AMBIT_PROGRAM, "plugin", SCORD}, StreamForm::Binary)},
      {"scord-built-in",
       [](const TraceTables& tables) { return detector::make_detector("scord", {}, tables).value(); }}};
  for (const Shape shape : {Shape::Locks, Shape::Barriers, Shape::Flags}) {
    for (const auto& [name, make] : rows) {
      benchmark::RegisterBenchmark(fmt::format("{}/{}", to_string(shape), name).c_str(),
                                   [shape, make = make](benchmark::State& state) { measure(state, shape, make); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  }
  return true;
}();

}  // namespace
