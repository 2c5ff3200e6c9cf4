#include "api/study/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "api/check/detection.h"
#include "api/files.h"
#include "api/study/detector_cost.h"
#include "api/study/validation_export.h"
#include "base/assert.h"
#include "base/parallel_for.h"
#include "detector/algorithms/predict.h"
#include "model/verdict/judgement.h"
#include "model/verdict/races.h"
#include "parser/parse.h"
#include "report/draw/trace_timeline.h"
#include "runner/sim/simulate.h"

namespace ambit::api {
namespace {

/// Maximum number of runs for which the report keeps the schedule.
constexpr std::size_t kKeptSchedules = 4096;

/// Returns a schedule in short form: "b0t0 x3, b1t0 x8".
std::string shortened(const std::vector<std::string>& schedule) {
  constexpr std::size_t kMost = 12;
  std::string text;
  std::size_t stretches = 0;
  for (std::size_t i = 0; i < schedule.size();) {
    std::size_t end = i;
    while (end < schedule.size() && schedule[end] == schedule[i]) ++end;
    if (++stretches > kMost) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", schedule[i]);
    if (end - i > 1) text += fmt::format(" x{}", end - i);
    i = end;
  }
  return text;
}

/// Returns whether the detector claims that `first`, its first report, is a race in some reordering of the run.
bool claims(const detector::DetectorDescription& detector, const RaceReport& first) {
  switch (detector.claims) {
    case detector::Claims::Nothing: return false;
    case detector::Claims::FirstRace: return true;
    case detector::Claims::WitnessedRaces: return first.witness.has_value();
  }
  return false;
}

std::string pair_text(const RaceReport& race, const TraceTables& tables) {
  const auto side = [&](const RaceAccess& access) {
    const std::string site = access.site == kNoName ? "" : " " + tables.sites()[access.site];
    return (access.thread == kNoName ? std::string("?") : tables.threads()[access.thread].name) + site;
  };
  const std::string location = race.location == kNoName ? "memory" : tables.locations()[race.location].name;
  return fmt::format("{} and {} on {}", side(race.first), side(race.second), location);
}

/// Returns whether both races are between the same two places of the source, in either order.
bool has_same_sites(const RaceReport& a, const RaceReport& b) {
  if (a.first.site == kNoName || a.second.site == kNoName) return false;
  return (a.first.site == b.first.site && a.second.site == b.second.site) ||
         (a.first.site == b.second.site && a.second.site == b.first.site);
}

/// Counts a detector's first race in a run as real, unordered or refuted, according to the oracle's races in this run.
/// If the detector wrongly claims that its first race is real, records a refuted race. If the oracle has only a race
/// between other threads at the same places, counts the first race as unknown.
void judge_first_race(const ChosenDetector& chosen, const RaceReport& first, const std::vector<RaceReport>& oracle,
                      const sim::Run& run, report::FirstRaces& counts, report::ValidationTest& test) {
  const auto known =
      std::find_if(oracle.begin(), oracle.end(), [&](const RaceReport& other) { return is_same_race(first, other); });
  const bool is_known = known != oracle.end();
  if (!is_known && std::ranges::any_of(oracle, [&](const RaceReport& other) { return has_same_sites(first, other); })) {
    ++counts.unknown;  // the oracle reports only one pair of threads for two places
    return;
  }
  const bool is_real = is_known && known->witness;
  ++(is_real ? counts.real : is_known ? counts.unordered : counts.refuted);
  if (is_real || !claims(*chosen.description, first)) return;
  report::RefutedRace refuted{chosen.title(), run.number, pair_text(first, run.trace.tables), is_known};
  const bool is_there = std::any_of(test.refuted.begin(), test.refuted.end(), [&](const report::RefutedRace& other) {
    return other.detector == refuted.detector && other.race == refuted.race;
  });
  if (!is_there) test.refuted.push_back(std::move(refuted));
}

/// Adds the oracle's result about a run to the counts.
void add_oracle(const std::vector<RaceReport>& races, bool is_open, report::ValidationTest& test) {
  const bool is_predictable =
      std::ranges::any_of(races, [](const RaceReport& race) { return race.witness.has_value(); });
  test.predictable_runs += is_predictable ? 1 : 0;
  test.unordered_runs += !is_predictable && !races.empty() ? 1 : 0;
  test.oracle_is_open = test.oracle_is_open || is_open;
  for (const RaceReport& race : races) {
    test.oracle_kinds.set(static_cast<std::size_t>(race.kind));
    test.oracle_levels.set(static_cast<std::size_t>(race.level));
  }
  test.oracle_by_run += is_predictable ? 'P' : !races.empty() ? 'u' : is_open ? '?' : '.';
}

/// Returns the options that make `ambit detect` repeat these runs, with a blank before each option.
std::string replay_options(const sim::Options& runs) {
  std::string text;
  if (runs.schedule != sim::ScheduleKind::Exhaustive) {
    text += fmt::format(" --schedule {} --runs {} --seed {}", to_string(runs.schedule), runs.runs, runs.seed);
  }
  if (runs.memory != sim::MemoryKind::Sc) text += fmt::format(" --memory {}", to_string(runs.memory));
  return text;
}

/// Validates detectors on one test after the other. Each thread uses its own validator.
class Validator {
 public:
  /// All arguments must outlive the validator.
  Validator(const std::vector<ChosenDetector>& detectors, const std::vector<parser::RulesPtr>& models,
            const ValidationOptions& options, const std::atomic<bool>& interrupted)
      : detectors_(detectors), models_(models), options_(options), interrupted_(interrupted) {}
  ~Validator() {
    for (const ChosenDetector& one : detectors_) {
      if (one.external) one.external->end_here();
    }
  }
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  /// Validates the tests of a file. Returns at least one result.
  std::vector<report::ValidationTest> run(const std::string& file);

 private:
  using ProgramPtr = std::shared_ptr<const Program>;

  void validate(const ProgramPtr& program, report::ValidationTest& test);
  void simulate(const ProgramPtr& program, report::ValidationTest& test);
  std::chrono::nanoseconds waited_for_programs() const;
  void export_run(const sim::Run& run, report::ValidationTest& test) const;
  void judge_run(const sim::Run& run, report::ValidationTest& test) const;
  void add_finding(std::size_t number, const detector::Detector& detector, const sim::Run& run,
                   report::ValidationTest& test) const;
  void run_program_detectors(const ProgramPtr& program, report::ValidationTest& test);
  void check_models(const ProgramPtr& program, report::ValidationTest& test);
  void judge_expectations(const Program& program, report::ValidationTest& test) const;

  const std::vector<ChosenDetector>& detectors_;
  const std::vector<parser::RulesPtr>& models_;
  const ValidationOptions& options_;
  const std::atomic<bool>& interrupted_;
  verdict::Checker checker_;
};

std::vector<report::ValidationTest> Validator::run(const std::string& file) {
  report::ValidationTest test;
  test.file = file;
  test.name = file;
  test.was_run = !interrupted_.load(std::memory_order_relaxed);
  if (!test.was_run) return {test};
  const auto source = read_input(file, interrupted_);
  if (!source.ok()) {
    test.error = render(source.errors());
    return {test};
  }
  const auto programs = parser::parse_programs(source.value());
  if (!programs.ok()) {
    test.error = render(programs.errors());
    return {test};
  }
  std::vector<report::ValidationTest> tests(programs.value().size(), test);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    try {
      validate(programs.value()[i], tests[i]);
    } catch (const std::exception& error) {  // a bug; the remaining tests still run
      tests[i].error = fmt::format("internal error: {}: {}\nThis is a bug in Ambit: please report it with the test.\n",
                                   tests[i].name, error.what());
    }
  }
  return tests;
}

void Validator::validate(const ProgramPtr& program, report::ValidationTest& test) {
  test.name = program->name;
  test.program = program;
  if (const auto label = options_.suites.label_of(test.file, *program)) {
    test.label = label->race;
    test.because = label->because;
  }
  test.findings.resize(detectors_.size());
  test.verdicts.resize(models_.size());
  simulate(program, test);
  if (!test.error.empty()) return;
  run_program_detectors(program, test);
  check_models(program, test);
  judge_expectations(*program, test);
  test.was_run = !interrupted_.load(std::memory_order_relaxed);
}

void Validator::simulate(const ProgramPtr& program, report::ValidationTest& test) {
  Context context;
  context.set_timeout(options_.timeout);
  context.set_cancellation(&interrupted_);
  const auto simulation = sim::simulate(program, options_.runs, context, [&](const sim::Run& run) {
    if (run.end == sim::RunEnd::Dropped) return true;
    const auto waited_before = waited_for_programs();
    judge_run(run, test);
    // Each program of a user's detector has its own timeout per run. Therefore, the time spent waiting for these
    // programs does not count against the timeout of the test.
    const auto waited = std::chrono::ceil<std::chrono::milliseconds>(waited_for_programs() - waited_before);
    const auto left = context.milliseconds_left();
    if (left && waited.count() > 0) context.set_timeout(std::chrono::milliseconds(*left) + waited);
    return true;
  });
  if (!simulation.ok()) {
    test.error = render(simulation.errors());
    return;
  }
  test.runs_are = simulation.value().is_exhaustive ? "all schedules that differ" : simulation.value().why_not;
  test.incomplete = why_incomplete(options_.runs, simulation.value());
  if (!simulation.value().is_cancelled) return;
  test.runs_are = "stopped before the end";
  test.incomplete = interrupted_.load(std::memory_order_relaxed)
                        ? fmt::format("interrupted (runs: {})", test.runs)
                        : fmt::format("stopped at the timeout of {} s (runs: {})", options_.timeout.count(), test.runs);
}

/// Returns the time that the calling thread has waited for the programs of the user's detectors.
std::chrono::nanoseconds Validator::waited_for_programs() const {
  std::chrono::nanoseconds waited{0};
  for (const ChosenDetector& one : detectors_) {
    if (one.external) waited += one.external->waited_here();
  }
  return waited;
}

void Validator::export_run(const sim::Run& run, report::ValidationTest& test) const {
  test.exported_answers.resize(detectors_.size());
  const auto text = exported_run({test.name, run.number}, run.trace);
  if (text.ok()) {
    test.exported_runs += text.value();
  } else if (test.error.empty()) {
    test.error = render(text.errors());
  }
}

/// Passes a run to the oracle and to all detectors that process traces.
void Validator::judge_run(const sim::Run& run, report::ValidationTest& test) const {
  ++test.runs;
  test.run_numbers.push_back(run.number);
  test.run_events.push_back(run.trace.events.size());
  if (test.schedules.size() < kKeptSchedules) test.schedules.push_back(shortened(run.schedule));
  std::vector<std::unique_ptr<detector::Detector>> made;
  made.push_back(detector::make_oracle(run.trace.tables));
  for (const ChosenDetector& one : detectors_) {
    if (!one.looks_at_programs()) made.push_back(one.make(run.trace.tables, {test.name, run.number}));
  }
  MemoryTraceReader reader(run.trace);
  AMBIT_ASSERT(detector::replay(reader, made).ok());
  if (options_.keeps_runs) export_run(run, test);
  const std::vector<RaceReport> oracle = made.front()->races();
  const bool is_open = made.front()->is_open();
  add_oracle(oracle, is_open, test);
  std::size_t next = 1;
  for (std::size_t i = 0; i < detectors_.size(); ++i) {
    if (detectors_[i].looks_at_programs()) continue;
    const detector::Detector& one = *made[next++];
    const std::vector<RaceReport> races = one.races();
    add_finding(i, one, run, test);
    if (options_.measures_cost && !one.failure()) {
      test.findings[i].cost += cost_of(detectors_[i], run.trace, {test.name, run.number});
    }
    if (options_.keeps_runs) test.exported_answers[i] += exported_answers({test.name, run.number}, run.trace, one);
    if (races.empty()) continue;
    report::FirstRaces& counts = test.findings[i].first_races;
    if (is_open) {
      ++counts.unknown;
    } else {
      judge_first_race(detectors_[i], races.front(), oracle, run, counts, test);
    }
  }
}

void Validator::add_finding(std::size_t number, const detector::Detector& detector, const sim::Run& run,
                            report::ValidationTest& test) const {
  const std::vector<RaceReport> races = detector.races();
  report::ValidationFinding& finding = test.findings[number];
  finding.racy.push_back(races.empty() && detector.is_open() ? std::nullopt : std::optional(!races.empty()));
  finding.racy_runs += races.empty() ? 0 : 1;
  finding.is_open = finding.is_open || detector.is_open();
  if (finding.failure.empty()) finding.failure = detector.failure().value_or("");
  report::keep_sentences(races, finding.sentences);
  if (!options_.keeps_timelines || !test.timeline.empty()) return;
  const auto drawable = report::first_drawable(races);
  if (!drawable) return;
  MemoryTraceReader reader(run.trace);
  auto timeline = report::read_timeline(reader, run.trace.events.size(), {*drawable}, {});
  AMBIT_ASSERT(timeline.ok());
  timeline.value().title = fmt::format("{}, run {}\na race by {}", test.name, run.number, detectors_[number].title());
  test.timeline = report::timeline_dot(timeline.value());
}

void Validator::run_program_detectors(const ProgramPtr& program, report::ValidationTest& test) {
  for (std::size_t i = 0; i < detectors_.size(); ++i) {
    if (!detectors_[i].looks_at_programs()) continue;
    Context context;
    context.set_cancellation(&interrupted_);
    const auto result = detect_in_program(*program, detectors_[i], context);
    report::ValidationFinding& finding = test.findings[i];
    if (!result.ok()) {
      finding.not_judged = result.errors().front().message;
      continue;
    }
    const bool is_racy = !result.value().races.empty();
    finding.is_open = result.value().is_open();
    finding.racy.assign(test.runs, finding.is_open && !is_racy ? std::nullopt : std::optional(is_racy));
    finding.racy_runs = is_racy ? test.runs : 0;
    finding.is_racy_program = is_racy;
    report::keep_sentences(result.value().races, finding.sentences);
  }
}

void Validator::check_models(const ProgramPtr& program, report::ValidationTest& test) {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    Context context;
    context.set_timeout(options_.timeout);
    context.set_cancellation(&interrupted_);
    verdict::CheckOptions options;
    options.questions.proposition = false;
    options.questions.incidents = false;
    report::ValidationVerdict& made = test.verdicts[i];
    for (const Expectation& expectation : program->expectations) {
      if (verdict::concerns(expectation, *models_[i])) made.because = expectation.because;
    }
    if (!verdict::speaks_of_races(*models_[i])) {
      made.not_judged = "the model does not define races";
      continue;
    }
    const auto verdict = checker_.check(program, models_[i], options, context);
    if (verdict.ok()) {
      made.race = verdict.value().race;
    } else {
      made.not_judged = verdict.errors().front().message;
    }
  }
}

/// Judges the test's lines `detect`. `detect DETECTOR : race` requires a report in every run, `norace` requires no
/// report in any run, and `either` only requires that the detector does not crash.
void Validator::judge_expectations(const Program& program, report::ValidationTest& test) const {
  for (const DetectExpectation& expectation : program.detections) {
    using Wanted = DetectExpectation::Verdict;
    for (std::size_t i = 0; i < detectors_.size(); ++i) {
      const report::ValidationFinding& finding = test.findings[i];
      if (detectors_[i].description->name != expectation.detector || expectation.verdict == Wanted::Either) continue;
      const bool is_met =
          finding.not_judged.empty() &&
          (expectation.verdict == Wanted::Race ? finding.always(test.runs) : !finding.found() && !finding.is_open);
      if (is_met) continue;
      const std::string said = !finding.not_judged.empty()
                                   ? "has no answer: " + finding.not_judged
                                   : fmt::format("reported races in {} of {} runs{}", finding.racy_runs, test.runs,
                                                 finding.is_open ? " and gave up in some" : "");
      test.unmet.push_back(fmt::format("expected {} to report {}; it {}", detectors_[i].title(),
                                       expectation.verdict == Wanted::Race ? "a race in every run" : "no race", said));
    }
  }
}

/// Adds up each detector's costs over all tests.
void add_costs(report::Validation& validation) {
  validation.costs.resize(validation.detectors.size());
  for (std::size_t i = 0; i < validation.costs.size(); ++i) {
    for (const report::ValidationTest& test : validation.tests) {
      if (i < test.findings.size()) validation.costs[i] += test.findings[i].cost;
    }
  }
}

}  // namespace

report::Validation validate(const std::vector<std::string>& files, const std::vector<ChosenDetector>& detectors,
                            const std::vector<parser::RulesPtr>& models, const ValidationOptions& options,
                            const std::atomic<bool>& interrupted) {
  report::Validation validation;
  for (const ChosenDetector& one : detectors) {
    validation.detectors.push_back(one.title());
    validation.detector_words.push_back(one.word());
    validation.detector_options.push_back(one.option_words());
  }
  validation.is_sampled =
      options.runs.schedule == sim::ScheduleKind::Random || options.runs.schedule == sim::ScheduleKind::Pct;
  validation.replay_options = replay_options(options.runs);
  for (const parser::RulesPtr& rules : models) validation.models.push_back(verdict::model_name(*rules));
  validation.suites = options.suites.about();
  std::vector<std::vector<report::ValidationTest>> tests(files.size());
  const auto make_worker = [&] {
    return [&, validator = std::make_shared<Validator>(detectors, models, options, interrupted)](std::size_t file) {
      tests[file] = validator->run(files[file]);
    };
  };
  parallel_for(files.size(), make_worker, {.threads = options.threads, .waiting = options.waiting});
  for (auto& of_file : tests) std::ranges::move(of_file, std::back_inserter(validation.tests));
  if (options.measures_cost) add_costs(validation);
  return validation;
}

ValidationStatus status_of(const report::Validation& validation) {
  using Test = const report::ValidationTest&;
  const auto any = [&](auto holds) { return std::ranges::any_of(validation.tests, holds); };
  if (any([](Test test) { return !test.error.empty(); })) return ValidationStatus::BadInput;
  const auto is_wrong = [](Test test) {
    return !test.unmet.empty() ||
           std::ranges::any_of(test.refuted, [](const auto& refuted) { return !refuted.is_unordered; });
  };
  if (any(is_wrong)) return ValidationStatus::Failed;
  const auto is_unknown = [](Test test) {
    return !test.was_run || test.oracle_is_open || !test.incomplete.empty() ||
           std::ranges::any_of(
               test.findings,
               [](const auto& finding) { return !finding.failure.empty() || (finding.is_open && !finding.found()); }) ||
           std::ranges::any_of(test.verdicts, [](const auto& verdict) {
             return verdict.not_judged.empty() && verdict.race == events::Possibility::Unknown;
           });
  };
  return any(is_unknown) ? ValidationStatus::Unknown : ValidationStatus::Ok;
}

}  // namespace ambit::api
