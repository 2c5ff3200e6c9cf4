#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detector/algorithms/run_model.h"

namespace ambit::detector {

using StepOrder = std::vector<std::uint32_t>;

/// Checks whether `order` is a correct reordering of the run (definitions 5.1) after which steps a and b are both next.
/// Returns the first violation, if there is one. Runs the order step by step, independently of the searches below and
/// of the solver. If `keeps_section_order`, sections that exclude each other must keep the run's order.
std::optional<std::string> find_flaw(const RunModel& model, const StepOrder& order, std::uint32_t a, std::uint32_t b,
                                     bool keeps_section_order);

/// Decides some questions about reorderings without a solver, in time linear in the run for each pair.
class QuickSearch {
 public:
  /// `model` must outlive the search.
  explicit QuickSearch(const RunModel& model);

  /// Returns the smallest part of the run, in its own order, that must run before a and b are both next. This part is
  /// the set of their prerequisites, closed under program order, barriers, reads, and "if two sections exclude each
  /// other, the earlier section is complete". Returns nothing if this part includes a or b. If the run's reads find the
  /// latest write, there is a result exactly if a and b are a sync-preserving race (Mathur, Pavlogiannis, Viswanathan,
  /// POPL 2021).
  std::optional<StepOrder> in_run_order(std::uint32_t a, std::uint32_t b);
  /// Returns whether it is certain that no reordering makes a and b next at the same time: their prerequisites include
  /// a or b, or both are in sections that exclude each other.
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
  std::vector<std::vector<std::uint32_t>> steps_;       ///< for each thread
  std::vector<std::uint32_t> position_;                 ///< for each step, its position in its thread
  std::vector<std::uint32_t> read_;                     ///< for each step, the index of its read
  std::vector<std::vector<std::uint32_t>> taken_;       ///< for each step, the sections that begin with it
  std::vector<std::vector<std::uint32_t>> exclusions_;  ///< for each section
  std::array<std::uint32_t, 2> goal_{};
  std::vector<std::uint32_t> wanted_;   ///< for each thread, the number of its steps that are included
  std::vector<std::uint32_t> handled_;  ///< for each thread, the number of included steps that take() has handled
  std::vector<std::uint32_t> work_;     ///< threads whose steps take() must handle
};

/// Returns the events of the trace that run with `order`, then the further events that bring the threads of a and b to
/// these steps. Includes the fences and failed lock attempts between steps.
std::vector<std::uint64_t> expand(const RunModel& model, const std::vector<TraceEvent>& events, const StepOrder& order,
                                  std::uint32_t a, std::uint32_t b);

}  // namespace ambit::detector
