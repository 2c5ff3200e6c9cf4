#pragma once

#include <string>
#include <string_view>

#include "model/termination/termination.h"
#include "report/text/style.h"
#include "report/text/witness_text.h"

namespace ambit::report {

/// "loop", "barrier", "lockstep", "suspended", "never started".
std::string_view to_string(termination::Wait::Kind kind);

/// Returns the words for a line of a run: "terminates", "unknown", or "stuck: P1 waits for flag == 1".
std::string termination_summary(const termination::TerminationVerdict& verdict);

/// Returns a complete text of a termination verdict. The text lists each thread that does not end: its place, what it
/// waits for, and what it sees. After the list, the text shows an execution that leads to this state.
std::string termination_text(const termination::TerminationVerdict& verdict, const Style& style, Detail detail);

}  // namespace ambit::report
