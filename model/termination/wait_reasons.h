#pragma once

#include <vector>

#include "model/events/execution.h"
#include "model/termination/termination.h"
#include "model/termination/termination_question.h"

namespace ambit::termination {

/// Returns the reason for each thread of `program` that does not end in the witness. The result is sorted as in
/// TerminationVerdict::waits. `graph` belongs to the question's program.
std::vector<Wait> explain(const Program& program, const TerminationQuestion& question, const events::EventGraph& graph,
                          const events::Execution& witness);

}  // namespace ambit::termination
