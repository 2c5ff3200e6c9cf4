#pragma once

#include "core/program.h"

namespace ambit::parser {

/// Orders the code of a thread so that each loop is a range of instructions that is entered only at its first
/// instruction; the walk over a thread requires this form (model/events/control_flow.h). Code in this form is not
/// changed. A loop with several entries keeps one entry; code that is executed before this entry is copied (node
/// splitting). Returns false, and leaves the code unchanged, if the copies would exceed `max_instructions`.
bool order_loops(Thread& thread, std::size_t max_instructions = 100000);

}  // namespace ambit::parser
