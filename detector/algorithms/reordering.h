#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "detector/algorithms/run_model.h"

namespace ambit::detector {

using StepOrder = std::vector<std::uint32_t>;

/// Checks whether `order` is a correct reordering of the run (definitions 5.1), and whether a and b can both be the
/// next steps after `order`. Returns the first violation, or nothing. The check executes the steps of `order` one by
/// one. The check shares no code with the searches below or the solver. If `keeps_section_order` is true, sections that
/// exclude each other must have the same order as in the run.
std::optional<std::string> find_flaw(const RunModel& model, const StepOrder& order, std::uint32_t a, std::uint32_t b,
                                     bool keeps_section_order);

/// Decides, without a solver, for some pairs of steps whether a reordering makes both the next steps. The time for each
/// pair is linear in the length of the run.
class QuickSearch {
 public:
  /// `model` must outlive the search.
  explicit QuickSearch(const RunModel& model);

  /// Returns the smallest set of steps after which a and b can both be the next steps. The steps are in the order of
  /// the run. The set contains the prerequisites of a and b, and is closed under program order, barriers and reads. If
  /// the set contains two sections that exclude each other, it contains the whole earlier section. Returns nothing if
  /// the set includes a or b. If every read of the run reads the latest write, the function returns a set exactly if a
  /// and b are a sync-preserving race (Mathur, Pavlogiannis, Viswanathan, POPL 2021).
  std::optional<StepOrder> in_run_order(std::uint32_t a, std::uint32_t b);
  /// Returns true if the prerequisites of a and b include a or b, or if a and b are in sections that exclude each
  /// other. Then no reordering makes both a and b the next steps.
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
  std::vector<std::uint32_t> read_;                     ///< for each step, the index of its read in RunModel::problem
  std::vector<std::vector<std::uint32_t>> taken_;       ///< for each step, the sections that begin with this step
  std::vector<std::vector<std::uint32_t>> exclusions_;  ///< for each section, the sections that exclude this section
  std::array<std::uint32_t, 2> goal_{};
  std::vector<std::uint32_t> wanted_;   ///< for each thread, the number of its steps in the set
  std::vector<std::uint32_t> handled_;  ///< for each thread, the number of its steps that take() has handled
  std::vector<std::uint32_t> work_;     ///< threads with steps that take() must handle
};

/// Returns the events of the trace that perform the steps of `order`, and then the events that lead the threads of a
/// and b to a and b. The result includes the fences and failed lock attempts between the steps.
std::vector<std::uint64_t> expand(const RunModel& model, const std::vector<TraceEvent>& events, const StepOrder& order,
                                  std::uint32_t a, std::uint32_t b);

}  // namespace ambit::detector
