#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detector/run_model.h"

namespace ambit::detector {

using StepOrder = std::vector<std::uint32_t>;

/// What keeps `order` from being a correct reordering of the run (definitions 5.1) after which steps a and b are both
/// next; nothing: it is one. Goes through the order step by step, so that it can judge what the searches below and the
/// solver find. `keeps_section_order`: sections that exclude each other must keep the run's order.
std::optional<std::string> find_flaw(const RunModel& model, const StepOrder& order, std::uint32_t a, std::uint32_t b,
                                     bool keeps_section_order);

/// Answers about reorderings that need no solver, in time linear in the run for each pair.
class QuickSearch {
 public:
  /// `model` must outlive the search.
  explicit QuickSearch(const RunModel& model);

  /// The smallest part of the run that must take place before a and b are next, if its order is the run's: what they
  /// need, closed under program order, barriers, reads, and "of two sections that exclude each other the earlier one is
  /// complete". Nothing if that includes a or b. For runs whose reads find the latest write, this is exactly whether a
  /// and b are a sync-preserving race (Mathur, Pavlogiannis, Viswanathan, POPL 2021).
  std::optional<StepOrder> in_run_order(std::uint32_t a, std::uint32_t b);
  /// In no reordering are both next: what must take place before includes one of them, or both stand in sections that
  /// exclude each other. False: not known.
  bool cannot_meet(std::uint32_t a, std::uint32_t b);

 private:
  enum class Rule : std::uint8_t { RunOrder, Necessary };
  bool close(std::uint32_t a, std::uint32_t b, Rule rule);
  void include(std::uint32_t step);
  void include_needs(std::uint32_t step);
  bool take(std::uint32_t step, Rule rule);
  bool take_acquire(std::uint32_t section, Rule rule);
  bool apply(const solver::ReorderingProblem::Exclusion& exclusion, Rule rule);
  bool is_included(std::uint32_t step) const;
  bool can_end(std::uint32_t section) const;

  const RunModel& model_;
  std::vector<std::vector<std::uint32_t>> steps_;       ///< by thread
  std::vector<std::uint32_t> position_;                 ///< by step, in its thread
  std::vector<std::uint32_t> read_;                     ///< by step: index of its read
  std::vector<std::vector<std::uint32_t>> taken_;       ///< by step: sections that it begins
  std::vector<std::vector<std::uint32_t>> exclusions_;  ///< by section
  std::array<std::uint32_t, 2> goal_{};
  std::vector<std::uint32_t> wanted_;   ///< by thread: how many of its steps are included
  std::vector<std::uint32_t> handled_;  ///< by thread: how many of those were looked at
  std::vector<std::uint32_t> work_;     ///< threads
};

/// The events of the trace that run when `order` does, then what else the threads of a and b must run to be at them:
/// steps, and the fences and failed attempts between.
std::vector<std::uint64_t> expand(const RunModel& model, const std::vector<TraceEvent>& events, const StepOrder& order,
                                  std::uint32_t a, std::uint32_t b);

}  // namespace ambit::detector
