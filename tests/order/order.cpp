#include "tests/order/order.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/trace.h"
#include "detector/algorithms/registry.h"
#include "detector/detector.h"
#include "model/verdict/verdict.h"
#include "parser/parse.h"
#include "runner/sim/simulate.h"
#include "tests/order/shapes.h"

namespace ambit::order {
namespace {

std::shared_ptr<const Program> program_of(const std::string& text) {
  auto program = parser::parse_program(std::make_shared<const SourceFile>(SourceFile{"shape.litmus", text}));
  AMBIT_ASSERT(program.ok());
  return program.value();
}

/// Returns a condition that requires each register to have the value that the run read; "" if there are no reads.
std::string reads_of(const Trace& trace) {
  std::map<std::uint32_t, unsigned> reads;
  std::string condition;
  for (const TraceEvent& event : trace.events) {
    if (!event.is_read()) continue;
    const Value seen = event.op == TraceOp::Read ? event.value : event.old_value;
    condition += fmt::format("{}{}:r{} == {}", condition.empty() ? "" : " && ",
                             trace.tables.threads()[event.thread].name, reads[event.thread]++, seen);
  }
  return condition;
}

bool is_data(const Trace& trace, const RaceReport& race) {
  return trace.tables.locations()[race.location].name.starts_with('x');
}

/// Returns the first data race that the detector reports. Without a data race, returns the first race of another kind.
/// Without a report, returns nothing.
std::optional<RaceReport> race_in(const Trace& trace, const std::string& name) {
  MemoryTraceReader reader(trace);
  auto made = detector::make_detector(name, {{"polling", "no"}, {"rules", "ptx"}}, trace.tables);
  AMBIT_ASSERT(made.ok());
  std::vector<std::unique_ptr<detector::Detector>> detectors;
  detectors.push_back(std::move(made).value());
  const auto result = detector::replay(reader, detectors);
  AMBIT_ASSERT(result.ok());
  std::optional<RaceReport> found;
  for (const RaceReport& race : detectors.front()->races()) {
    if (!found || is_data(trace, race)) found = race;
    if (is_data(trace, race)) break;
  }
  return found;
}

}  // namespace

Comparison compare(std::uint64_t seed, const std::string& detector, unsigned runs) {
  static const std::shared_ptr<const rules::Rules> ptx = parser::load_model("ptx", {}).value();
  const Shape shape(seed);
  Comparison made;
  std::set<std::string> seen;  // runs with equal reads-from have equal answers
  verdict::Checker checker;
  // If the schedule uses priorities, a thread often ends before the next thread begins, so messages often arrive.
  sim::Options options{.memory = sim::MemoryKind::Sc,
                       .schedule = sim::ScheduleKind::Pct,
                       .seed = seed,
                       .runs = runs,
                       .change_points = 1};
  Context context;
  const auto simulation = sim::simulate(program_of(shape.text()), options, context, [&](const sim::Run& run) {
    const std::string reads = reads_of(run.trace);
    if (run.end != sim::RunEnd::Complete || reads.empty() || !seen.insert(reads).second) return true;
    const std::string text = fmt::format("{}filter ({})\n", shape.text(), reads);
    Context limits;
    const auto verdict = checker.check(program_of(text), ptx, {}, limits);
    AMBIT_ASSERT(verdict.ok());
    const events::Possibility race = verdict.value().race;
    if (race == events::Possibility::Unknown) return true;
    const bool is_racy = race == events::Possibility::Possible;
    const std::optional<RaceReport> reported = race_in(run.trace, detector);
    ++made.runs;
    made.racy += is_racy ? 1 : 0;
    made.reported += reported ? 1 : 0;
    if (reported && !is_racy) {
      std::string& report = is_data(run.trace, *reported) ? made.false_report : made.false_report_of_flag;
      report = fmt::format("{}(* {} *)\n", text, reported->sentence);
    }
    if (is_racy && !reported) made.missed = text;
    return true;
  });
  AMBIT_ASSERT(simulation.ok());
  return made;
}

}  // namespace ambit::order
