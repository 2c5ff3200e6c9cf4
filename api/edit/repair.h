#pragma once

#include <atomic>
#include <memory>

#include "api/check/checking_options.h"
#include "api/edit/repair_request.h"
#include "model/repair/repair_report.h"
#include "parser/cat/model_store.h"

namespace ambit::api {

/// Finds the cheapest changes of the source that reach a goal: the program has no race, the outcome cannot happen, or
/// every loop and barrier ends. If the request has no goal and the model finds a race, the goal is that the program has
/// no race. If the model finds no race, the goal is that the test's own condition cannot hold (`forall`: cannot fail).
/// For every proposal, the parser reads the changed source again, and both engines check it. Errors: errors of the
/// files and of the model; the program was not read from its own source (PTX modules, --compiled); there is no goal (no
/// race and no condition).
Result<repair::RepairReport> fix_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

/// Like fix_test(), but for a program that is already read, such as a program open in an editor. With
/// `checking.only_termination`, the goal is that every loop and barrier ends. Errors: like fix_test(), except for
/// errors of files.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         const CheckingOptions& checking, const std::atomic<bool>& interrupted);
/// Like the function above, with all choices of a request: its outcome, its costs and the number of proposals. Does not
/// use the request's file and models.
Result<repair::RepairReport> fix_program(const std::shared_ptr<const Program>& program, const parser::RulesPtr& rules,
                                         RepairRequest request, const std::atomic<bool>& interrupted);

/// Finds the weakest source that keeps the program's verdicts: whether it races, how often its condition holds and, if
/// the request includes termination, whether it ends. If the test has no condition, the result keeps its outcomes; if
/// spin loops of the source end under a fair scheduler, they end in the result. The changes remove barriers, remove or
/// narrow fences, narrow scopes, and weaken orders. The total cost of the changes is minimal. Errors: like fix_test();
/// the program races.
Result<repair::RepairReport> relax_test(const RepairRequest& request, const std::atomic<bool>& interrupted);

}  // namespace ambit::api
