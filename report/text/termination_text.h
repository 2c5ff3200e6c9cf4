#pragma once

#include <string>
#include <string_view>

#include "model/termination/termination.h"
#include "report/text/style.h"
#include "report/text/witness_text.h"

namespace ambit::report {

/// "loop", "barrier", "lockstep", "suspended", "never started".
std::string_view to_string(termination::Wait::Kind kind);

/// Returns the words for the line about a test: "terminates", "unknown", "stuck: P1 waits for flag == 1", or "livelock:
/// P0, P1 repeat 4 steps forever".
std::string termination_summary(const termination::TerminationVerdict& verdict);

/// Describes a termination verdict completely. Lists each thread that does not end, with its place, the values that it
/// waits for and the values that it sees. Then shows an execution that leads to this state. For a livelock, lists the
/// steps that repeat, and the steps before the livelock.
std::string termination_text(const termination::TerminationVerdict& verdict, const Style& style, Detail detail);

}  // namespace ambit::report
