#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "api/explanation.h"
#include "model/repair/cost_table.h"
#include "model/repair/repair_report.h"

namespace ambit::api {

/// What is to be repaired, and how.
struct RepairRequest {
  /// The test, the model, the outcome or the race. With checking.only_termination: that it ends.
  ExplainRequest question = {};
  std::string costs = {};     ///< a file of costs (repair::CostTable::read); empty: the usual costs
  std::size_t proposals = 1;  ///< how many to find
};

/// The cheapest changes of the source after which the program has no race, or the outcome cannot happen, or every loop
/// and barrier ends. Without a goal in the request: no race where the model finds one, else that the test's own
/// condition cannot hold (`forall`: cannot fail). Every proposal is read again by the parser and checked by both
/// engines. Errors: those of the files and of the model; a program that is not read from its own source (PTX modules,
/// --compiled); nothing to ask (no race and no condition).
Result<repair::RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

/// The same for a program of a text that is read already, such as one open in an editor. With
/// `checking.only_termination`: that it ends. Errors: those of fix_test but for files.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         const CheckingOptions& checking, const std::atomic<bool>& interrupted);

/// The weakest source with the verdicts of the program (whether it races, how often its condition holds, whether it
/// ends if the request asks that): fences removed or narrowed, scopes narrowed, orders weakened, all together, of least
/// cost in all. Errors: those of fix_test; the program races.
Result<repair::RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
