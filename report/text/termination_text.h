#pragma once

#include <string>
#include <string_view>

#include "model/termination/termination.h"
#include "report/text/style.h"
#include "report/text/witness_text.h"

namespace ambit::report {

/// "loop", "barrier", "lockstep", "suspended", "never started".
std::string_view to_string(termination::Wait::Kind kind);

/// Returns the words for a line of a run: "terminates", "unknown", "stuck: P1 waits for flag == 1", or "livelock: P0,
/// P1 repeat 4 steps forever".
std::string termination_summary(const termination::TerminationVerdict& verdict);

/// Returns a complete text of a termination verdict. The text lists each thread that does not end: its place, what it
/// waits for, and what it sees. After the list, the text shows an execution that leads to this state. For a livelock,
/// the text lists the steps that repeat, and the steps before them.
std::string termination_text(const termination::TerminationVerdict& verdict, const Style& style, Detail detail);

}  // namespace ambit::report
