#include "api/check/ending.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/rules/shipped.h"
#include "runner/sim/endless_run.h"

namespace ambit::api {
namespace {

using termination::Termination;
using termination::TerminationVerdict;

bool allows_interleavings(const rules::Rules& rules) {
  const auto shipped = rules::shipped_models();
  return std::ranges::find(shipped, rules.name) != shipped.end();
}

/// Replaces an unknown verdict by the answer of the livelock search, if the search has an answer.
void conclude(TerminationVerdict& verdict, const sim::EndlessRunSearch& search, const rules::Rules& rules) {
  if (search.run && allows_interleavings(rules)) {
    verdict.termination = Termination::Livelock;
    verdict.livelock = search.run;
  } else if (search.run) {
    verdict.unknown_detail +=
        fmt::format("; there is a livelock under sc, and Ambit does not know whether {} allows it", verdict.model);
    return;
  } else if (search.is_complete && !search.has_deadlock && rules.name == "sc" && verdict.scheduler == Scheduler::Fair) {
    verdict.termination = Termination::Terminates;
  } else {
    if (!search.is_complete) {
      verdict.unknown_detail += fmt::format("; the search for a livelock was not complete: {}", search.why_not);
    }
    return;
  }
  verdict.unknown.reset();
  verdict.unknown_detail.clear();
}

}  // namespace

Result<TerminationVerdict> check_ending(verdict::Checker& checker, const std::shared_ptr<const Program>& program,
                                        const std::shared_ptr<const rules::Rules>& rules, Scheduler scheduler,
                                        const verdict::CheckOptions& options, Context& context) {
  auto checked = termination::check_termination(checker, program, rules, scheduler, options, context);
  if (!checked.ok() || checked.value().unknown != UnknownReason::Bound || scheduler == Scheduler::Lockstep) {
    return checked;
  }
  const auto search = sim::find_endless_run(program, sim::kMostStates, context);
  if (!search.ok()) return checked;  // the simulator does not support the program
  TerminationVerdict verdict = std::move(checked).value();
  verdict.program = program;
  conclude(verdict, search.value(), *rules);
  return verdict;
}

}  // namespace ambit::api
