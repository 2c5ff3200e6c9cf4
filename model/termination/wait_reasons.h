#pragma once

#include <vector>

#include "model/events/execution.h"
#include "model/termination/termination.h"
#include "model/termination/termination_question.h"

namespace ambit::termination {

/// In the witness, some threads of `program` do not end. Returns the reason for each of these threads, sorted as in
/// TerminationVerdict::waits. `graph` belongs to the question's program.
std::vector<Wait> explain(const Program& program, const TerminationQuestion& question, const events::EventGraph& graph,
                          const events::Execution& witness);

}  // namespace ambit::termination
