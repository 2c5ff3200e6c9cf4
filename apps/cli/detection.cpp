#include "apps/cli/detection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "detector/detector.h"
#include "parser/parse.h"
#include "runner/sim/ldetector.h"
#include "runner/sim/simulate.h"
#include "trace/open_trace.h"

namespace ambit::cli {
namespace {

using Detectors = std::vector<std::unique_ptr<detector::Detector>>;

/// Makes those that look at traces. chosen_detectors() has seen to it that they can be made.
Detectors make(const std::vector<ChosenDetector>& chosen, const TraceTables& tables) {
  Detectors detectors;
  for (const ChosenDetector& one : chosen) {
    if (one.needs_program) continue;
    auto made = detector::make_detector(one.name, one.options, tables);
    AMBIT_ASSERT(made.ok());
    detectors.push_back(std::move(made.value()));
  }
  return detectors;
}

void merge(report::DetectorFindings& into, const std::vector<RaceReport>& races) {
  into.racy_runs += races.empty() ? 0 : 1;
  for (const RaceReport& race : races) {
    const auto known = std::find_if(into.races.begin(), into.races.end(),
                                    [&](const RaceReport& other) { return is_same_race(race, other); });
    if (known == into.races.end()) {
      into.races.push_back(race);
      into.runs.push_back(1);
      continue;
    }
    const std::uint64_t count = known->count + race.count;
    if (race.witness && !known->witness) *known = race;
    known->count = count;
    ++into.runs[static_cast<std::size_t>(known - into.races.begin())];
  }
}

void add_once(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& one : more) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  }
}

std::string first_message(const Diagnostics& errors) { return errors.front().message; }

/// Names of one program's traces are the same as those of its ldetector run only by name.
RaceReport renamed(RaceReport race, const TraceTables& from, TraceTables& to) {
  for (RaceAccess* access : {&race.first, &race.second}) {
    if (access->thread != kNoName) {
      access->thread = to.find_thread(from.threads()[access->thread].name).value_or(kNoName);
    }
    if (access->site != kNoName) access->site = to.site(from.sites()[access->site]);
  }
  if (race.location != kNoName) race.location = to.location(from.locations()[race.location].name);
  return race;
}

void run_ldetector(const std::shared_ptr<const Program>& program, const ChosenDetector& chosen, TraceTables& tables,
                   std::uint64_t runs, report::DetectorFindings& findings, Context& context) {
  sim::LDetectorOptions options;
  const auto speculative = chosen.options.find("speculative");
  options.speculative = speculative != chosen.options.end() && speculative->second == "yes";
  const auto result = sim::ldetector(*program, options, context);
  if (!result.ok()) {
    findings.not_judged = first_message(result.errors());
    return;
  }
  for (const RaceReport& race : result.value().races) {
    findings.races.push_back(renamed(race, result.value().tables, tables));
    findings.runs.push_back(runs);
  }
  findings.racy_runs = result.value().races.empty() ? 0 : runs;  // it looks at the program, not at a run
  findings.remarks = result.value().remarks;
  findings.is_open = result.value().is_open();
}

std::string runs_text(std::uint64_t runs) { return fmt::format("{} {}", runs, runs == 1 ? "run" : "runs"); }

std::string describe(const sim::Options& options, const sim::Simulation& simulation) {
  std::string text;
  if (simulation.is_exhaustive) {
    text = "all schedules that differ";
  } else if (simulation.is_cancelled) {
    text = "stopped before the end";
  } else if (options.schedule == sim::ScheduleKind::Exhaustive) {
    text = "not all schedules: " + simulation.why_not;
  } else {
    text = fmt::format("schedule {}, seed {}", to_string(options.schedule), options.seed);
  }
  text += fmt::format(", {} memory", to_string(options.memory));
  const Histogram& ends = simulation.histogram;
  if (ends.deadlocks > 0) {
    text += fmt::format("; {} in a deadlock", runs_text(ends.deadlocks) + (ends.deadlocks == 1 ? " ends" : " end"));
  }
  if (ends.bound_hits > 0 && options.schedule != sim::ScheduleKind::Exhaustive) {
    text += fmt::format("; {} stopped at the bound on steps", runs_text(ends.bound_hits));
  }
  if (ends.dropped > 0) text += fmt::format("; assume or filter dropped {} more", ends.dropped);
  return text;
}

}  // namespace

std::string why_incomplete(const sim::Options& options, const sim::Simulation& simulation) {
  if (simulation.is_cancelled) return "stopped before the end";
  const Histogram& ends = simulation.histogram;
  const std::uint64_t kept = ends.runs() - ends.dropped;
  if (kept == 0) return "assume or filter dropped every run";
  if (simulation.is_exhaustive) return {};
  if (options.schedule == sim::ScheduleKind::Exhaustive) return simulation.why_not;
  if (ends.bound_hits == 0) return {};
  return fmt::format("{} of {} stopped at the bound on steps", ends.bound_hits, runs_text(kept));
}

Result<report::DetectionResult> detect_in_trace(const std::string& path, const std::vector<ChosenDetector>& chosen) {
  const auto reader = trace::open_trace(path);
  if (!reader.ok()) return reader.errors();
  const Detectors detectors = make(chosen, reader.value()->tables());
  const auto replayed = detector::replay(*reader.value(), detectors);
  if (!replayed.ok()) return replayed.errors();
  report::DetectionResult result;
  result.source = path == "-" ? "<stdin>" : path;
  result.events = replayed.value().events;
  result.open_sections = replayed.value().open_sections;
  result.tables = reader.value()->tables();
  std::size_t next = 0;
  for (const ChosenDetector& one : chosen) {
    report::DetectorFindings& findings = result.detectors.emplace_back();
    findings.detector = one.title;
    if (one.needs_program) {
      findings.not_judged = "it runs a program itself, and this is a trace";
      continue;
    }
    findings.races = detectors[next]->races();
    findings.remarks = detectors[next]->remarks();
    findings.is_open = detectors[next]->is_open();
    ++next;
  }
  return result;
}

Result<report::DetectionResult> detect_in_runs(const std::shared_ptr<const Program>& program, const std::string& name,
                                               const std::vector<ChosenDetector>& chosen, const sim::Options& options,
                                               const std::atomic<bool>& interrupted) {
  report::DetectionResult result;
  result.source = name;
  result.is_trace = false;
  for (const ChosenDetector& one : chosen) result.detectors.emplace_back().detector = one.title;
  Context context;
  context.set_cancellation(&interrupted);
  const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
    if (result.tables.threads().empty()) result.tables = run.trace.tables;
    if (run.end == sim::RunEnd::Dropped) return true;
    ++result.runs;
    MemoryTraceReader reader(run.trace);
    const Detectors detectors = make(chosen, run.trace.tables);
    const auto replayed = detector::replay(reader, detectors);
    AMBIT_ASSERT(replayed.ok());
    std::size_t next = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i].needs_program) continue;
      merge(result.detectors[i], detectors[next]->races());
      add_once(result.detectors[i].remarks, detectors[next]->remarks());
      result.detectors[i].is_open = result.detectors[i].is_open || detectors[next]->is_open();
      ++next;
    }
    return true;
  });
  if (!simulation.ok()) return simulation.errors();
  result.runs_are = describe(options, simulation.value());
  result.incomplete = why_incomplete(options, simulation.value());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i].needs_program) {
      if (result.runs == 0) result.detectors[i].not_judged = "there is no run to look at: " + result.incomplete;
      continue;
    }
    run_ldetector(program, chosen[i], result.tables, result.runs, result.detectors[i], context);
  }
  return result;
}

std::string SourceLines::line(std::string_view site) {
  const std::size_t colon = site.rfind(':');
  if (colon == std::string_view::npos) return {};
  std::string_view path = site.substr(0, colon);
  std::string_view digits = site.substr(colon + 1);
  const std::size_t before = path.rfind(':');  // "file:line:column"
  const bool has_column = before != std::string_view::npos &&
                          path.find_first_not_of("0123456789", before + 1) == std::string_view::npos &&
                          before + 1 < path.size();
  if (has_column) {
    digits = path.substr(before + 1);
    path = path.substr(0, before);
  }
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  auto found = files_.find(path);
  if (found == files_.end()) {
    const auto source = parser::read_source(std::string(path));
    found = files_.emplace(std::string(path), source.ok() ? source.value() : nullptr).first;
  }
  if (!found->second) return {};
  const std::string_view text = found->second->line(number);
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace ambit::cli
