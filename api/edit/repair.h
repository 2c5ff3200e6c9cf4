#pragma once

#include <atomic>
#include <memory>

#include "api/check/checking_options.h"
#include "api/edit/repair_request.h"
#include "model/repair/repair_report.h"
#include "parser/cat/model_store.h"

namespace ambit::api {

/// Finds the cheapest changes to the source that reach a goal: the program has no race, the outcome cannot happen, or
/// every loop and barrier ends. If the request has no goal and the model finds a race, the goal is that the program has
/// no race. If the model finds no race, the goal is that the test's own condition cannot hold (`forall`: cannot fail).
/// For every proposal, the parser reads the changed source, and both engines check the changed program. Errors: errors
/// of the files and of the model; the program was read from compiled code (PTX modules, --compiled); there is no
/// goal (no race and no condition).
Result<repair::RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

/// Like fix_test(), but for a program that is already read, such as a program open in an editor. With
/// `checking.only_termination`, the goal is that every loop and barrier ends. Errors: like fix_test(), except for
/// errors of files.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         const CheckingOptions& checking, const std::atomic<bool>& interrupted);
/// Like the overload above, but the request also sets the outcome, the costs and the number of proposals. Does not
/// use the request's file and models.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         RepairRequest request, const std::atomic<bool>& interrupted);

/// Finds the weakest source that keeps the program's verdicts: whether the program races, how often its condition holds
/// and, if requested, whether it terminates. If the test has no condition, the result keeps the test's outcomes. Spin
/// loops that end under a fair scheduler also end in the result. The changes remove barriers, remove or narrow fences,
/// narrow scopes, and weaken orders. The total cost of the changes is minimal. Errors: like fix_test(); the program
/// races.
Result<repair::RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
