#include "study/census.h"

#include <algorithm>
#include <utility>

#include "detector/algorithms/predict.h"
#include "runner/sim/simulate.h"
#include "study/separation.h"

namespace ambit::study {

std::string_view to_string(Tally tally) {
  constexpr std::array<std::string_view, kTallies> kNames = {
      "runs reported", "first report unordered", "first report false", "later report false", "runs missed",
      "programs racy", "programs falsely racy",  "programs missed",    "programs unknown"};
  return kNames[static_cast<std::size_t>(tally)];
}

bool is_fault(Tally tally) { return tally != Tally::Reported && tally != Tally::RacyPrograms; }

void Counts::add(Tally tally, std::uint64_t more, std::size_t size, const std::string& program) {
  if (more == 0) return;
  tallies[static_cast<std::size_t>(tally)] += more;
  if (!is_fault(tally)) return;
  Example& example = examples[static_cast<std::size_t>(tally)];
  if (example.size == 0 || std::pair(size, program) < std::pair(example.size, example.program)) {
    example = {size, program};
  }
}

void add(Census& census, const Census& other) {
  census.position = std::max(census.position, other.position);
  census.programs += other.programs;
  census.runs += other.runs;
  census.real_programs += other.real_programs;
  census.real_runs += other.real_runs;
  census.unordered_programs += other.unordered_programs;
  census.skipped_programs += other.skipped_programs;
  for (std::size_t i = 0; i < census.counts.size(); ++i) {
    for (std::size_t t = 0; t < kTallies; ++t) {
      const Example& example = other.counts[i].examples[t];
      Counts& counts = census.counts[i];
      counts.add(static_cast<Tally>(t), other.counts[i].tallies[t], example.size, example.program);
    }
  }
}

namespace {

/// The results of all runs of one program.
struct ProgramView {
  bool is_skipped = false;
  std::uint64_t runs = 0;
  std::uint64_t real_runs = 0;
  std::uint64_t unordered_runs = 0;
  struct Detector {
    std::array<std::uint64_t, kTallies> tallies{};
    bool is_open = false;
    std::uint64_t& operator[](Tally tally) { return tallies[static_cast<std::size_t>(tally)]; }
  };
  std::vector<Detector> detectors;  ///< one detector for each subject; unused for models
};

class Counting {
 public:
  Counting(Census& census, const std::vector<Subject>& subjects)
      : census_(census), subjects_(subjects), models_(models_of(subjects)) {}

  void count(const synthesis::Skeleton& skeleton) {
    const auto plain = synthesis::program_of(skeleton);
    const ProgramView view = look_at(with_places(*plain));
    ++census_.programs;
    if (view.is_skipped) {
      ++census_.skipped_programs;
      return;
    }
    census_.runs += view.runs;
    census_.real_runs += view.real_runs;
    if (view.real_runs > 0) {
      ++census_.real_programs;
    } else if (view.unordered_runs > 0) {
      ++census_.unordered_programs;
    }
    const std::vector<Sight> sights = models_.observe(plain);
    std::size_t next_model = 0;
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      const bool is_model = subjects_[i].is_model();
      const Sight* sight = is_model ? &sights[next_model++] : nullptr;
      judge(census_.counts[i], view, view.detectors[i], sight, skeleton, plain->name);
    }
  }

 private:
  static Observer models_of(const std::vector<Subject>& subjects) {
    std::vector<Subject> models;
    std::copy_if(subjects.begin(), subjects.end(), std::back_inserter(models),
                 [](const Subject& one) { return one.is_model(); });
    return Observer(std::move(models));
  }

  ProgramView look_at(const std::shared_ptr<const Program>& program) const {
    ProgramView view;
    view.detectors.resize(subjects_.size());
    sim::Options options;
    options.memory = sim::MemoryKind::Sc;
    options.schedule = sim::ScheduleKind::Exhaustive;
    options.max_runs = kMostRuns;
    Context context;
    const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
      if (run.end != sim::RunEnd::Dropped) look_at(run, view);
      return !view.is_skipped;
    });
    view.is_skipped = view.is_skipped || !simulation.ok() || !simulation.value().is_exhaustive;
    return view;
  }

  void look_at(const sim::Run& run, ProgramView& view) const {
    std::vector<std::unique_ptr<detector::Detector>> made;
    made.push_back(detector::make_oracle(run.trace.tables));
    for (const Subject& subject : subjects_) {
      if (!subject.is_model()) made.push_back(subject.make(run.trace.tables));
    }
    MemoryTraceReader reader(run.trace);
    const bool is_judged = detector::replay(reader, made).ok() && !made.front()->is_open();
    if (!is_judged) {
      view.is_skipped = true;
      return;
    }
    const std::vector<RaceReport> oracle = made.front()->races();
    const bool is_real =
        std::any_of(oracle.begin(), oracle.end(), [](const RaceReport& r) { return r.witness.has_value(); });
    ++view.runs;
    view.real_runs += is_real ? 1 : 0;
    view.unordered_runs += !is_real && !oracle.empty() ? 1 : 0;
    std::size_t next = 1;
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      if (!subjects_[i].is_model()) look_at(*made[next++], oracle, is_real, view.detectors[i]);
    }
  }

  enum class Truth : std::uint8_t { Real, Unordered, False };
  static Truth truth_of(const RaceReport& report, const std::vector<RaceReport>& oracle) {
    const auto known = std::find_if(oracle.begin(), oracle.end(),
                                    [&](const RaceReport& other) { return is_same_race(report, other); });
    if (known == oracle.end()) return Truth::False;
    return known->witness ? Truth::Real : Truth::Unordered;
  }

  static void look_at(const detector::Detector& one, const std::vector<RaceReport>& oracle, bool is_real,
                      ProgramView::Detector& view) {
    const std::vector<RaceReport> reports = one.races();
    view.is_open = view.is_open || one.is_open();
    if (reports.empty()) {
      view[Tally::MissedRuns] += is_real ? 1 : 0;
      return;
    }
    ++view[Tally::Reported];
    const Truth first = truth_of(reports.front(), oracle);
    view[Tally::FirstUnordered] += first == Truth::Unordered ? 1 : 0;
    view[Tally::FirstFalse] += first == Truth::False ? 1 : 0;
    const bool later = std::any_of(reports.begin() + 1, reports.end(),
                                   [&](const RaceReport& report) { return truth_of(report, oracle) == Truth::False; });
    view[Tally::LaterFalse] += first != Truth::False && later ? 1 : 0;
  }

  static void judge(Counts& counts, const ProgramView& view, const ProgramView::Detector& detector, const Sight* sight,
                    const synthesis::Skeleton& skeleton, const std::string& name) {
    const std::size_t size = skeleton.size();
    const bool is_unknown = sight != nullptr ? !sight->is_known || !sight->race : detector.is_open;
    if (is_unknown) {
      counts.add(Tally::UnknownPrograms, 1, size, name);
      return;
    }
    for (std::size_t t = 0; t < kTallies && sight == nullptr; ++t) {
      counts.add(static_cast<Tally>(t), detector.tallies[t], size, name);
    }
    const bool is_racy =
        sight != nullptr ? *sight->race : detector.tallies[static_cast<std::size_t>(Tally::Reported)] > 0;
    counts.add(Tally::RacyPrograms, is_racy ? 1 : 0, size, name);
    counts.add(Tally::FalsePrograms, is_racy && view.real_runs + view.unordered_runs == 0 ? 1 : 0, size, name);
    counts.add(Tally::MissedPrograms, !is_racy && view.real_runs > 0 ? 1 : 0, size, name);
  }

  static constexpr std::uint64_t kMostRuns = 20'000;
  Census& census_;
  const std::vector<Subject>& subjects_;
  Observer models_;
};

}  // namespace

void count_programs(Census& census, const std::vector<Subject>& subjects,
                    const std::vector<synthesis::Skeleton>& programs) {
  census.counts.resize(subjects.size());
  Counting counting(census, subjects);
  for (const synthesis::Skeleton& program : programs) counting.count(program);
}

std::string continue_census(Census& census, const std::vector<Subject>& subjects, const std::function<bool()>& pause) {
  const auto alphabet = synthesis::Alphabet::read(census.setting.alphabet, "--alphabet");
  if (!alphabet.ok()) return render(alphabet.errors());
  census.counts.resize(subjects.size());
  Counting counting(census, subjects);
  std::uint64_t number = 0;
  bool is_paused = false;
  synthesis::for_each_program(census.setting.bounds, alphabet.value(), [&](const synthesis::Skeleton& skeleton) {
    const std::uint64_t mine = number++;
    if (mine < census.position || mine % census.setting.shards != census.setting.shard) return true;
    counting.count(skeleton);
    census.position = number;
    is_paused = pause();
    return !is_paused;
  });
  if (!is_paused) {
    census.position = number;
    census.is_complete = true;
  }
  return "";
}

}  // namespace ambit::study
