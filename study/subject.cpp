#include "study/subject.h"

#include <algorithm>
#include <utility>

#include "model/eval/enumerate.h"
#include "model/events/event_graph.h"
#include "runner/sim/simulate.h"

namespace ambit::study {

using events::Possibility;

bool Subject::speaks_of_races() const {
  return !is_model() ||
         std::any_of(rules->flags.begin(), rules->flags.end(), [](const rules::Flag& flag) { return flag.is_race(); });
}

Observer::Observer(std::vector<Subject> subjects) : subjects_(std::move(subjects)) {
  has_detectors_ = std::any_of(subjects_.begin(), subjects_.end(), [](const Subject& one) { return !one.is_model(); });
}

std::vector<Sight> Observer::observe(const std::shared_ptr<const Program>& program) const {
  std::vector<Sight> sights(subjects_.size());
  check_models(program, sights);
  if (has_detectors_) run_detectors(program, sights);
  return sights;
}

void Observer::check_models(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const {
  std::vector<std::pair<Mappings, events::EventGraph>> graphs;  // models with the same mappings share a graph
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    if (!subjects_[i].is_model()) continue;
    const rules::Rules& rules = *subjects_[i].rules;
    auto graph =
        std::find_if(graphs.begin(), graphs.end(), [&](const auto& one) { return one.first == rules.mappings; });
    if (graph == graphs.end()) {
      events::GraphOptions options;
      options.mappings = rules.mappings;
      auto built = events::build(program, options);
      if (!built.ok()) continue;
      graphs.emplace_back(rules.mappings, std::move(built).value());
      graph = graphs.end() - 1;
    }
    Context context;
    events::Questions questions;
    questions.proposition = false;
    questions.incidents = false;
    questions.outcomes = true;
    events::Answers answers =
        eval::enumerate(graph->second, fitted_.of(subjects_[i].rules, graph->second), questions, context);
    Sight& sight = sights[i];
    sight.is_known = !answers.unknown && answers.bound.possibility != Possibility::Possible;
    sight.outcomes = std::move(answers.outcomes);
    for (std::size_t f = 0; f < rules.flags.size(); ++f) {
      if (!rules.flags[f].is_race()) continue;
      sight.race = sight.race.value_or(false) || answers.flags[f].possibility == Possibility::Possible;
    }
  }
}

void Observer::run_detectors(const std::shared_ptr<const Program>& program, std::vector<Sight>& sights) const {
  sim::Options options;
  options.memory = sim::MemoryKind::Sc;
  options.schedule = sim::ScheduleKind::Exhaustive;
  Context context;
  std::vector<bool> is_open(subjects_.size(), false);
  const auto simulation = sim::simulate(program, options, context, [&](const sim::Run& run) {
    if (run.end == sim::RunEnd::Dropped) return true;
    std::vector<std::unique_ptr<detector::Detector>> made;
    for (const Subject& subject : subjects_) {
      if (!subject.is_model()) made.push_back(subject.make(run.trace.tables));
    }
    MemoryTraceReader reader(run.trace);
    if (!detector::replay(reader, made).ok()) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      if (subjects_[i].is_model()) continue;
      const detector::Detector& one = *made[next++];
      is_open[i] = is_open[i] || one.is_open();
      if (const auto failure = one.failure(); failure && sights[i].failure.empty()) sights[i].failure = *failure;
      sights[i].by_run.push_back(!one.races().empty());
    }
    return true;
  });
  for (std::size_t i = 0; i < subjects_.size(); ++i) {
    if (subjects_[i].is_model()) continue;
    Sight& sight = sights[i];
    sight.is_known = simulation.ok() && simulation.value().is_exhaustive && !is_open[i];
    sight.race = std::find(sight.by_run.begin(), sight.by_run.end(), true) != sight.by_run.end();
  }
}

}  // namespace ambit::study
