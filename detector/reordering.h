#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detector/run_model.h"

namespace ambit::detector {

using StepOrder = std::vector<std::uint32_t>;

/// Checks whether `order` is a correct reordering of the run (definitions 5.1) after which steps a and b are both next.
/// Returns the first violation, or nothing. Runs the order step by step, independently of the searches below and of the
/// solver. `keeps_section_order`: sections that exclude each other must keep the run's order.
std::optional<std::string> find_flaw(const RunModel& model, const StepOrder& order, std::uint32_t a, std::uint32_t b,
                                     bool keeps_section_order);

/// Decides some questions about reorderings without a solver, in time linear in the run for each pair.
class QuickSearch {
 public:
  /// `model` must outlive the search.
  explicit QuickSearch(const RunModel& model);

  /// Returns the smallest part of the run, in its own order, that must run before a and b are both next: their
  /// prerequisites, closed under program order, barriers, reads, and "if two sections exclude each other, the earlier
  /// one is complete". Returns nothing if it includes a or b. If the run's reads find the latest write, there is a
  /// result exactly if a and b are a sync-preserving race (Mathur, Pavlogiannis, Viswanathan, POPL 2021).
  std::optional<StepOrder> in_run_order(std::uint32_t a, std::uint32_t b);
  /// Returns true if a and b are both next in no reordering: their prerequisites include one of them, or both are in
  /// sections that exclude each other. False: unknown.
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
  std::vector<std::uint32_t> handled_;  ///< by thread: how many of the included steps take() has handled
  std::vector<std::uint32_t> work_;     ///< threads
};

/// Returns the events of the trace that run with `order`, then the further events that bring the threads of a and b to
/// these steps. Includes the fences and failed lock attempts between steps.
std::vector<std::uint64_t> expand(const RunModel& model, const std::vector<TraceEvent>& events, const StepOrder& order,
                                  std::uint32_t a, std::uint32_t b);

}  // namespace ambit::detector
