#include "api/check/detection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/files.h"
#include "api/stoppable_reader.h"
#include "base/assert.h"
#include "base/plural.h"
#include "detector/algorithms/ldetector.h"
#include "trace/open_trace.h"

namespace ambit::api {
namespace {

constexpr const char* kStopped = "stopped before the end";

using Detectors = std::vector<std::unique_ptr<detector::Detector>>;

/// Makes the detectors that process traces.
Detectors make(const std::vector<ChosenDetector>& chosen, const TraceTables& tables, const external::RunName& run) {
  Detectors detectors;
  for (const ChosenDetector& one : chosen) {
    if (!one.looks_at_programs()) detectors.push_back(one.make(tables, run));
  }
  return detectors;
}

/// The races that one detector reported. For each race, records the runs in which the detector reported the race.
class RacesOfRuns {
 public:
  /// Adds the races of one run. A detector may report the same pair of accesses several times in a run: in both orders,
  /// or with several kinds of race.
  void add(report::DetectorFindings& into, const std::vector<RaceReport>& races, const TraceTables& tables) {
    into.racy_runs += races.empty() ? 0 : 1;
    std::set<std::size_t> in_this_run;
    std::set<std::size_t> pairs_in_this_run;
    for (const RaceReport& race : races) {
      const auto known = std::ranges::find_if(into.races, [&](const auto& other) { return is_same_race(race, other); });
      const auto index = static_cast<std::size_t>(known - into.races.begin());
      if (known == into.races.end()) {
        pair_of_.push_back(report::add_race(into, race, tables));
        into.runs.push_back(0);
      } else {
        const std::uint64_t count = known->count + race.count;
        RaceReport locations = race;
        add_locations(locations, *known);
        if (race.witness && !known->witness) *known = race;
        known->count = count;
        known->more_locations = locations.more_locations;
        known->has_unnamed_locations = locations.has_unnamed_locations;
      }
      if (in_this_run.insert(index).second) ++into.runs[index];
      if (pairs_in_this_run.insert(pair_of_[index]).second) ++into.pairs[pair_of_[index]].runs;
    }
  }

 private:
  std::vector<std::size_t> pair_of_;  ///< for each race, the index of its pair of accesses
};

/// Returns the remarks of a detector, including its failure.
std::vector<std::string> remarks_of(const detector::Detector& detector) {
  std::vector<std::string> remarks = detector.remarks();
  if (const auto failure = detector.failure()) remarks.push_back("failed: " + *failure);
  return remarks;
}

void add_once(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  }
}

/// Returns the race with each index into the tables `from` replaced by the index of the same name in `to`.
RaceReport renamed(RaceReport race, const TraceTables& from, TraceTables& to) {
  for (RaceAccess* access : {&race.first, &race.second}) {
    if (access->thread != kNoName) {
      access->thread = to.find_thread(from.threads()[access->thread].name).value_or(kNoName);
    }
    if (access->site != kNoName) access->site = to.site(from.sites()[access->site]);
  }
  if (race.location != kNoName) race.location = to.location(from.locations()[race.location].name);
  for (std::uint32_t& location : race.more_locations) location = to.location(from.locations()[location].name);
  return race;
}

/// Runs a detector that processes programs. Such a detector reports its findings for all runs together.
void run_detector(const Program& program, const ChosenDetector& chosen, report::DetectionResult& into,
                  report::DetectorFindings& findings, Context& context) {
  const auto result = detect_in_program(program, chosen, context);
  if (!result.ok()) {
    findings.not_judged = result.errors().front().message;
    return;
  }
  for (const RaceReport& race : result.value().races) {
    report::add_race(findings, renamed(race, result.value().tables, into.tables), into.tables);
    findings.runs.push_back(into.runs);
  }
  for (report::ReportedPair& pair : findings.pairs) pair.runs = into.runs;
  findings.racy_runs = findings.races.empty() ? 0 : into.runs;
  findings.remarks = result.value().remarks;
  findings.is_open = result.value().is_open();
}

std::string describe(const sim::Options& options, const sim::Simulation& simulation) {
  std::string text;
  if (simulation.is_exhaustive) {
    text = "all schedules that differ";
  } else if (simulation.is_cancelled) {
    text = kStopped;
  } else if (options.schedule == sim::ScheduleKind::Exhaustive) {
    text = "not all schedules: " + simulation.why_not;
  } else {
    text = fmt::format("schedule {}, seed {}", to_string(options.schedule), options.seed);
  }
  text += fmt::format(", {} memory", to_string(options.memory));
  const Histogram& ends = simulation.histogram;
  if (ends.deadlocks > 0) {
    text += fmt::format("; {} in a deadlock", plural(ends.deadlocks, "run ends", "runs end"));
  }
  if (ends.bound_hits > 0 && options.schedule != sim::ScheduleKind::Exhaustive) {
    text += fmt::format("; {} stopped at the bound on steps", plural(ends.bound_hits, "run"));
  }
  if (ends.dropped > 0) text += fmt::format("; assume or filter dropped {} more", ends.dropped);
  return text;
}

Diagnostic no_such_run(const std::string& name, std::uint64_t run, const sim::Simulation& simulation) {
  const std::uint64_t runs = simulation.histogram.runs();
  return path_error("--only-run", run < runs ? fmt::format("assume or filter dropped run {} of test {}", run, name)
                                             : fmt::format("test {} has no run {}: its {} are numbered from 0", name,
                                                           run, plural(runs, "run")));
}

}  // namespace

std::string why_incomplete(const sim::Options& options, const sim::Simulation& simulation) {
  if (simulation.is_cancelled) return kStopped;
  const Histogram& ends = simulation.histogram;
  const std::uint64_t kept = ends.runs() - ends.dropped;
  if (kept == 0) return "assume or filter dropped every run";
  if (simulation.is_exhaustive) return {};
  if (options.schedule == sim::ScheduleKind::Exhaustive) return simulation.why_not;
  if (ends.bound_hits == 0) return {};
  return fmt::format("{} of {} stopped at the bound on steps", ends.bound_hits, plural(kept, "run"));
}

Result<sim::LDetectorResult> detect_in_program(const Program& program, const ChosenDetector& chosen, Context& context) {
  AMBIT_ASSERT(chosen.looks_at_programs());
  const detector::LDetectorOptions options = detector::read_ldetector_options(chosen.options);
  return sim::ldetector(program, {.speculative = options.speculative}, context);
}

Result<report::DetectionResult> detect_in_trace(TraceReader& reader, const std::string& name,
                                                const std::vector<ChosenDetector>& chosen) {
  const Detectors detectors = make(chosen, reader.tables(), {name, 0});
  const auto replayed = detector::replay(reader, detectors);
  if (!replayed.ok()) return replayed.errors();
  report::DetectionResult result;
  result.source = name;
  result.events = replayed.value().events;
  result.open_sections = replayed.value().open_sections;
  result.tables = reader.tables();
  auto next = detectors.begin();
  for (const ChosenDetector& one : chosen) {
    report::DetectorFindings& findings = result.detectors.emplace_back();
    findings.detector = one.title();
    if (one.looks_at_programs()) {
      findings.not_judged = "the detector judges programs, not traces";
      continue;
    }
    for (RaceReport& race : (*next)->races()) report::add_race(findings, std::move(race), result.tables);
    findings.remarks = remarks_of(**next);
    findings.is_open = (*next)->is_open();
    ++next;
  }
  return result;
}

Result<report::DetectionResult> detect_in_file(const std::string& path, const std::vector<ChosenDetector>& chosen,
                                               const std::atomic<bool>& interrupted) {
  const auto reader = trace::open_trace(path, &interrupted);
  if (!reader.ok()) return reader.errors();
  StoppableReader stoppable(*reader.value(), interrupted);
  auto result = detect_in_trace(stoppable, path == "-" ? "<stdin>" : path, chosen);
  if (!result.ok() || !interrupted.load(std::memory_order_relaxed)) return result;
  if (result.value().events == 0) return path_error(path, kStopped);
  result.value().incomplete = kStopped;
  return result;
}

Result<report::DetectionResult> detect_in_runs(const std::shared_ptr<const Program>& program, const std::string& name,
                                               const std::vector<ChosenDetector>& chosen, const sim::Options& options,
                                               const std::atomic<bool>& interrupted,
                                               std::optional<std::uint64_t> only_run) {
  report::DetectionResult result;
  result.source = name;
  result.is_trace = false;
  result.remarks = program->remarks;
  for (const ChosenDetector& one : chosen) result.detectors.emplace_back().detector = one.title();
  std::vector<RacesOfRuns> races(chosen.size());
  Context context;
  context.set_cancellation(&interrupted);
  const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
    // The tables of two runs differ only in the operations that the runs issued. The longer table contains all entries
    // of the shorter table.
    if (result.tables.threads().size() < run.trace.tables.threads().size()) result.tables = run.trace.tables;
    if (only_run && run.number != *only_run) return run.number < *only_run;
    if (run.end == sim::RunEnd::Dropped) return true;
    ++result.runs;
    MemoryTraceReader reader(run.trace);
    const Detectors detectors = make(chosen, run.trace.tables, {name, run.number});
    const auto replayed = detector::replay(reader, detectors);
    AMBIT_ASSERT(replayed.ok());
    auto next = detectors.begin();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].looks_at_programs()) continue;
      report::DetectorFindings& findings = result.detectors[i];
      races[i].add(findings, (*next)->races(), result.tables);
      add_once(findings.remarks, remarks_of(**next));
      findings.is_open = findings.is_open || (*next)->is_open();
      ++next;
    }
    return true;
  });
  if (!simulation.ok()) return simulation.errors();
  if (!only_run) {
    result.runs_are = describe(options, simulation.value());
    result.incomplete = why_incomplete(options, simulation.value());
  } else if (result.runs == 1) {
    result.runs_are = fmt::format("run {} alone, {} memory", *only_run, to_string(options.memory));
  } else if (interrupted.load(std::memory_order_relaxed)) {
    result.incomplete = kStopped;
  } else {
    return no_such_run(name, *only_run, simulation.value());
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    report::DetectorFindings& findings = result.detectors[i];
    if (chosen[i].looks_at_programs()) {
      run_detector(*program, chosen[i], result, findings, context);
    } else if (result.runs == 0) {
      findings.not_judged = "there is no run to examine: " + result.incomplete;
    }
  }
  return result;
}

RaceVerdict verdict_of(const report::DetectionResult& result, bool each_must_judge) {
  using Findings = const report::DetectorFindings&;
  const auto any = [&](auto holds) { return std::ranges::any_of(result.detectors, holds); };
  if (any([](Findings findings) { return !findings.races.empty(); })) return RaceVerdict::Found;
  const bool is_unknown = !result.incomplete.empty() || any([&](Findings findings) {
    return findings.is_open || (each_must_judge && !findings.not_judged.empty());
  });
  return is_unknown ? RaceVerdict::Unknown : RaceVerdict::None;
}

}  // namespace ambit::api
