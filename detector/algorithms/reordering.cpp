#include "detector/algorithms/reordering.h"

#include <fmt/format.h>

#include <algorithm>

namespace ambit::detector {
namespace {

/// Executes an order step by step and finds the first impossible step.
class Rerun {
 public:
  Rerun(const RunModel& model, bool keeps_section_order)
      : model_(model),
        keeps_section_order_(keeps_section_order),
        done_(model.steps.size(), false),
        last_write_(model.problem.writes.size(), kNoName),
        location_written_(model.steps.size(), kNoName) {
    for (std::uint32_t location = 0; location < model.problem.writes.size(); ++location) {
      for (const std::uint32_t step : model.problem.writes[location]) location_written_[step] = location;
    }
  }

  std::optional<std::string> run(std::uint32_t step) {
    if (done_[step]) return fmt::format("step {} runs twice", step);
    if (auto missing = missing_before(step)) return missing;
    if (auto wrong = check_read(step)) return wrong;
    if (auto excluded = check_sections(step)) return excluded;
    done_[step] = true;
    if (location_written_[step] != kNoName) last_write_[location_written_[step]] = step;
    return std::nullopt;
  }

  std::optional<std::string> check_next(std::uint32_t step) const {
    if (done_[step]) return fmt::format("step {} has run already", step);
    return missing_before(step);
  }

 private:
  std::optional<std::string> missing_before(std::uint32_t step) const {
    const auto& event = model_.problem.events[step];
    std::vector<std::uint32_t> needs = event.needs;
    if (event.previous != kNoName) needs.push_back(event.previous);
    if (event.gate != kNoName) {
      const auto& gate = model_.problem.gates[event.gate];
      needs.insert(needs.end(), gate.begin(), gate.end());
    }
    for (const std::uint32_t need : needs) {
      if (!done_[need]) return fmt::format("step {} needs step {} before it", step, need);
    }
    return std::nullopt;
  }

  std::optional<std::string> check_read(std::uint32_t step) const {
    for (const auto& read : model_.problem.reads) {
      if (read.event != step) continue;
      if (std::ranges::find(read.sources, last_write_[read.location]) == read.sources.end()) {
        return fmt::format("step {} reads from a write that it did not read from", step);
      }
    }
    return std::nullopt;
  }

  bool is_open(const solver::ReorderingProblem::Section& section) const {
    return done_[section.acquire] && (section.release == kNoName || !done_[section.release]);
  }

  std::optional<std::string> check_sections(std::uint32_t step) const {
    const auto& sections = model_.problem.sections;
    for (const auto& exclusion : model_.problem.exclusions) {
      for (const auto& [own, other] :
           {std::pair{exclusion.first, exclusion.second}, std::pair{exclusion.second, exclusion.first}}) {
        if (sections[own].acquire != step) continue;
        if (is_open(sections[other]))
          return fmt::format("step {} enters a section that an open section excludes", step);
        if (keeps_section_order_ && own == exclusion.first && done_[sections[other].acquire]) {
          return fmt::format("step {} enters its section after a later section", step);
        }
      }
    }
    return std::nullopt;
  }

  const RunModel& model_;
  bool keeps_section_order_;
  std::vector<bool> done_;
  std::vector<std::uint32_t> last_write_;
  std::vector<std::uint32_t> location_written_;
};

}  // namespace

std::optional<std::string> find_flaw(const RunModel& model, const StepOrder& order, std::uint32_t a, std::uint32_t b,
                                     bool keeps_section_order) {
  Rerun rerun(model, keeps_section_order);
  for (const std::uint32_t step : order) {
    if (auto flaw = rerun.run(step)) return flaw;
  }
  if (auto flaw = rerun.check_next(a)) return flaw;
  return rerun.check_next(b);
}

// ---- search without a solver ----

QuickSearch::QuickSearch(const RunModel& model)
    : model_(model),
      read_(model.steps.size(), kNoName),
      taken_(model.steps.size()),
      exclusions_(model.sections.size()) {
  for (std::uint32_t step = 0; step < model.steps.size(); ++step) {
    const std::uint32_t thread = model.steps[step].thread;
    if (thread >= steps_.size()) steps_.resize(thread + 1);
    position_.push_back(static_cast<std::uint32_t>(steps_[thread].size()));
    steps_[thread].push_back(step);
  }
  for (std::uint32_t i = 0; i < model.problem.reads.size(); ++i) read_[model.problem.reads[i].event] = i;
  for (std::uint32_t i = 0; i < model.sections.size(); ++i) taken_[model.sections[i].acquire].push_back(i);
  for (std::uint32_t i = 0; i < model.problem.exclusions.size(); ++i) {
    exclusions_[model.problem.exclusions[i].first].push_back(i);
    exclusions_[model.problem.exclusions[i].second].push_back(i);
  }
}

bool QuickSearch::is_included(std::uint32_t step) const {
  return step != kNoName && position_[step] < handled_[model_.steps[step].thread];
}

void QuickSearch::include(std::uint32_t step) {
  if (step == kNoName) return;
  const std::uint32_t thread = model_.steps[step].thread;
  if (position_[step] < wanted_[thread]) return;
  wanted_[thread] = position_[step] + 1;
  work_.push_back(thread);
}

void QuickSearch::include_needs(std::uint32_t step) {
  const auto& event = model_.problem.events[step];
  include(event.previous);
  for (const std::uint32_t need : event.needs) include(need);
  if (event.gate == kNoName) return;
  for (const std::uint32_t need : model_.problem.gates[event.gate]) include(need);
}

/// Returns whether the section can end before the two goal steps become the next steps.
bool QuickSearch::can_end(std::uint32_t section) const {
  const std::uint32_t release = model_.sections[section].release;
  if (release == kNoName) return false;
  return std::ranges::none_of(goal_, [&](std::uint32_t goal) {
    return model_.steps[goal].thread == model_.steps[release].thread && goal <= release;
  });
}

bool QuickSearch::apply(const solver::ReorderingProblem::Exclusion& exclusion, Rule rule) {
  const bool first_can_end = can_end(exclusion.first);
  const bool second_can_end = can_end(exclusion.second);
  if (rule == Rule::RunOrder) {
    if (!first_can_end) return false;
    include(model_.sections[exclusion.first].release);
    return true;
  }
  if (!first_can_end && !second_can_end) return false;
  if (!first_can_end) include(model_.sections[exclusion.second].release);
  if (!second_can_end) include(model_.sections[exclusion.first].release);
  return true;
}

bool QuickSearch::take_acquire(std::uint32_t section, Rule rule) {
  return std::ranges::all_of(exclusions_[section], [&](std::uint32_t i) {
    const auto& exclusion = model_.problem.exclusions[i];
    const std::uint32_t other = exclusion.first == section ? exclusion.second : exclusion.first;
    return !is_included(model_.sections[other].acquire) || apply(exclusion, rule);
  });
}

bool QuickSearch::take(std::uint32_t step, Rule rule) {
  if (step == goal_[0] || step == goal_[1]) return false;
  include_needs(step);
  if (read_[step] != kNoName) {
    const auto& sources = model_.problem.reads[read_[step]].sources;
    if (rule == Rule::RunOrder || sources.size() == 1) include(sources.front());
  }
  return std::ranges::all_of(taken_[step], [&](std::uint32_t section) { return take_acquire(section, rule); });
}

bool QuickSearch::close(std::uint32_t a, std::uint32_t b, Rule rule) {
  goal_ = {a, b};
  wanted_.assign(steps_.size(), 0);
  handled_.assign(steps_.size(), 0);
  work_.clear();
  include_needs(a);
  include_needs(b);
  while (!work_.empty()) {
    const std::uint32_t thread = work_.back();
    work_.pop_back();
    while (handled_[thread] < wanted_[thread]) {
      if (!take(steps_[thread][handled_[thread]++], rule)) return false;
    }
  }
  return true;
}

std::optional<StepOrder> QuickSearch::in_run_order(std::uint32_t a, std::uint32_t b) {
  if (!close(a, b, Rule::RunOrder)) return std::nullopt;
  StepOrder order;
  for (std::uint32_t step = 0; step < model_.steps.size(); ++step) {
    if (is_included(step)) order.push_back(step);
  }
  return order;
}

bool QuickSearch::cannot_meet(std::uint32_t a, std::uint32_t b) { return !close(a, b, Rule::Necessary); }

// ---- witnesses ----

std::vector<std::uint64_t> expand(const RunModel& model, const std::vector<TraceEvent>& events, const StepOrder& order,
                                  std::uint32_t a, std::uint32_t b) {
  std::vector<std::vector<std::uint64_t>> of_thread;
  for (std::uint64_t e = 0; e < events.size(); ++e) {
    if (events[e].thread >= of_thread.size()) of_thread.resize(events[e].thread + 1);
    of_thread[events[e].thread].push_back(e);
  }
  std::vector<std::size_t> next(of_thread.size(), 0);
  std::vector<std::uint64_t> expanded;
  const auto run_to = [&](std::uint32_t thread, std::uint64_t end) {
    for (std::size_t& at = next[thread]; at < of_thread[thread].size() && of_thread[thread][at] < end; ++at) {
      expanded.push_back(of_thread[thread][at]);
    }
  };
  for (const std::uint32_t step : order) run_to(model.steps[step].thread, model.steps[step].event + 1);
  for (const std::uint32_t goal : {a, b}) run_to(model.steps[goal].thread, model.steps[goal].event);
  return expanded;
}

}  // namespace ambit::detector
