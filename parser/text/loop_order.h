#pragma once

#include "core/program.h"

namespace ambit::parser {

/// Orders the code of a thread so that each loop is a range of instructions that is entered at its first one only, as
/// the walk over a thread demands (model/events/control_flow.h). Code that has this form is left as it is. A loop that
/// is entered at several places is entered at one of them; what is executed before that is a copy (node splitting).
/// Returns false, and leaves the code as it is, where the copies would exceed `max_instructions`.
bool order_loops(Thread& thread, std::size_t max_instructions = 100000);

}  // namespace ambit::parser
