#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "api/explanation.h"
#include "model/repair/cost_table.h"
#include "model/repair/repair_report.h"

namespace ambit::api {

/// The goal of a repair, and its costs.
struct RepairRequest {
  /// The test, the model, and the goal: the outcome, the race, or, with checking.only_termination, that the program
  /// terminates.
  ExplainRequest question = {};
  std::string costs = {};     ///< file of costs (repair::CostTable::read); if empty, the usual costs
  std::size_t proposals = 1;  ///< number of proposals to find
};

/// Finds the cheapest changes of the source after which the program has no race, or the outcome cannot happen, or every
/// loop and barrier ends. Without a goal in the request, the goal is that the program has no race if the model finds
/// one, else that the test's own condition cannot hold (`forall`: cannot fail). The parser reads every proposal again,
/// and both engines check it. Errors: those of the files and of the model; the program is not read from its own source
/// (PTX modules, --compiled); there is no goal (no race and no condition).
Result<repair::RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

/// Like fix_test(), but for a program that is already read, such as a program open in an editor. With
/// `checking.only_termination`, the goal is that every loop and barrier ends. Errors: those of fix_test, except for
/// files.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         const CheckingOptions& checking, const std::atomic<bool>& interrupted);

/// Finds the weakest source that keeps the program's verdicts: whether it races, how often its condition holds and, if
/// the request includes termination, whether it ends. Removes or narrows fences, narrows scopes, and weakens orders,
/// with the least total cost. Errors: those of fix_test; the program races.
Result<repair::RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
