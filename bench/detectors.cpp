#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/synthetic_trace.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"

/// Measures detectors on synthetic traces without races. The time includes processing the events, reporting, and
/// inferring locks and flags. Rows:
///
///   speed/SHAPE/DETECTOR            64 threads, 1 M events
///   threads/SHAPE/DETECTOR/N        N threads, at least four rounds of each thread
///   length/SHAPE/DETECTOR/N         64 threads, N events
///
/// Each row gives the events per second and the detector's memory: the peak memory of the process minus its memory
/// before the detector was created. The row "sections" is a replay without a detector that infers barriers and critical
/// sections. The row "inference" also infers synchronisation through flags.
namespace {

using namespace ambit;
using bench::Shape;
using bench::SyntheticTrace;

/// Returns a field of /proc/self/status for this process; 0 if the field is missing.
std::uint64_t status_kib(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    std::uint64_t value = 0;
    if (word == field + ":" && status >> value) return value;
  }
  return 0;
}

/// Resets the peak memory (VmHWM) to the memory in use.
void reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

struct Subject {
  std::string name;  ///< "sections" and "inference" run without a detector
  std::map<std::string, std::string> options;
  std::string label() const {
    std::string text = name;
    for (const auto& [key, value] : options) text += fmt::format(":{}={}", key, value);
    return text;
  }
};

/// A trace with at most this number of events is generated before the measurement starts. A longer trace is generated
/// while the detector reads it.
constexpr std::uint64_t kStored = 1'000'000;

Trace read_whole(SyntheticTrace& trace) {
  Trace whole;
  std::vector<TraceEvent> some(4096);
  while (true) {
    const auto count = trace.read(some);
    if (!count.ok()) throw std::runtime_error(render(count.errors()));
    if (count.value() == 0) break;
    whole.events.insert(whole.events.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count.value()));
  }
  whole.tables = trace.tables();
  return whole;
}

/// A detector that makes the replay infer all synchronisation, and ignores the results.
class InferenceOnly : public detector::Detector {
 public:
  void on(const detector::Observation& /*observation*/) override {}
  void finish(std::span<const detector::Action> /*rest*/, const detector::SyncInference& /*inference*/) override {}
  std::vector<RaceReport> races() const override { return {}; }
};

std::vector<std::unique_ptr<detector::Detector>> make(const Subject& subject, const TraceTables& tables) {
  std::vector<std::unique_ptr<detector::Detector>> made;
  if (subject.name == "sections") return made;
  if (subject.name == "inference") {
    made.push_back(std::make_unique<InferenceOnly>());
    return made;
  }
  auto detector = detector::make_detector(subject.name, subject.options, tables);
  if (!detector.ok()) throw std::runtime_error(render(detector.errors()));
  made.push_back(std::move(detector).value());
  return made;
}

void measure(benchmark::State& state, const Subject& subject, Shape shape, std::uint32_t threads,
             std::uint64_t length) {
  SyntheticTrace trace(shape, threads, length);
  const bool is_stored = length <= kStored;
  Trace stored;
  if (is_stored) stored = read_whole(trace);
  std::uint64_t events = 0;
  std::uint64_t peak = 0;
  std::size_t races = 0;
  for (auto _ : state) {
    state.PauseTiming();
    trace.rewind();
    reset_peak();
    const std::uint64_t before = status_kib("VmRSS");
    state.ResumeTiming();
    MemoryTraceReader memory(stored);
    TraceReader& reader = is_stored ? static_cast<TraceReader&>(memory) : trace;
    const auto detectors = make(subject, reader.tables());
    const auto result = detector::replay(reader, detectors);
    state.PauseTiming();
    if (!result.ok()) throw std::runtime_error(render(result.errors()));
    events += result.value().events;
    peak = std::max(peak, status_kib("VmHWM") - before);
    if (!detectors.empty()) races = detectors[0]->races().size();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
  state.counters["peak_MiB"] = static_cast<double>(peak) / 1024;
  state.counters["races"] = static_cast<double>(races);
}

/// Returns whether to measure a detector only on short traces. Such a detector runs a solver for pairs of accesses.
bool is_slow(const std::string& name) { return name == "predict" || name == "syncp"; }

void add_row(const std::string& group, const Subject& subject, Shape shape, std::uint32_t threads, std::uint64_t length,
             const std::string& suffix) {
  const std::string name = fmt::format("{}/{}/{}{}", group, to_string(shape), subject.label(), suffix);
  auto* row = benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { measure(state, subject, shape, threads, length); });
  row->Unit(benchmark::kMillisecond);
  if (length > 2'000'000 || threads > 4096) row->Iterations(1);
}

void add_speed() {
  std::vector<Subject> subjects = {{"sections", {}}, {"inference", {}}};
  for (const detector::DetectorDescription& known : detector::detectors()) {
    if (known.looks_at == detector::LooksAt::Traces) subjects.push_back({known.name, {}});
  }
  for (const std::string name : {"barracuda", "gwcp"}) subjects.push_back({name, {{"clocks", "compressed"}}});
  for (std::uint8_t shape = 0; shape < bench::kShapes; ++shape) {
    for (const Subject& subject : subjects) {
      add_row("speed", subject, static_cast<Shape>(shape), 64, is_slow(subject.name) ? 200 : 1'000'000, "");
    }
  }
}

/// Returns whether AMBIT_BENCH_LARGE is set, which enables rows that take gigabytes or minutes.
bool wants_large() { return std::getenv("AMBIT_BENCH_LARGE") != nullptr; }

/// Returns the largest number of threads to measure. Every thread has a clock, and a plain clock has a component for
/// each thread. If many threads share few locks, even a compressed clock soon has components for all threads.
std::uint32_t most_threads(bool is_plain, Shape shape) {
  if (is_plain) return wants_large() ? 8192 : 1024;
  if (shape == Shape::Locks) return wants_large() ? 65536 : 8192;
  return wants_large() ? 1U << 20U : 65536;
}

void add_growth_by_threads(const std::string& name) {
  for (const std::string clocks : {"plain", "compressed"}) {
    const Subject subject{name, {{"clocks", clocks}}};
    for (const Shape shape : {Shape::Barriers, Shape::WarpLocks, Shape::LaneLocks, Shape::Locks}) {
      for (const std::uint32_t threads : {32U, 1024U, 8192U, 65536U, 1U << 20U}) {
        if (threads > most_threads(clocks == "plain", shape)) continue;
        const std::uint64_t round = std::uint64_t{threads} * (shape == Shape::Barriers ? 2 : 6);
        add_row("threads", subject, shape, threads, std::max<std::uint64_t>(1'000'000, 4 * round),
                fmt::format("/{}", threads));
      }
    }
  }
}

void add_growth_by_length(const std::string& name) {
  for (const Shape shape : {Shape::Locks, Shape::Barriers}) {
    for (const std::uint64_t length : {10'000U, 100'000U, 1'000'000U, 10'000'000U, 100'000'000U}) {
      if (length > 10'000'000 && !wants_large()) continue;
      add_row("length", {name, {}}, shape, 64, length, fmt::format("/{}", length));
    }
  }
}

const bool kRegistered = [] {
  add_speed();
  for (const std::string name : {"barracuda", "gwcp"}) {
    add_growth_by_threads(name);
    add_growth_by_length(name);
  }
  return true;
}();

}  // namespace
