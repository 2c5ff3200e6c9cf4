#pragma once

#include "core/program.h"

namespace ambit::parser {

/// Orders the code of a thread: each loop becomes a range of instructions with only one entry, the first instruction.
/// model/events/control_flow.h requires this form. Code that already has this form is not changed. If a loop has
/// several entries, one entry remains. The function copies the code between the other entries and the remaining entry
/// (node splitting). If the copies would exceed `max_instructions`, returns false and leaves the code unchanged.
bool order_loops(Thread& thread, std::size_t max_instructions = 100000);

}  // namespace ambit::parser
