#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "core/program.h"
#include "runner/sim/schedule_file.h"

namespace ambit::cli {

/// Shows one run step by step. For each step, prints the event, then memory with its caches and buffers, then the
/// possible next steps. If the standard input is a terminal, waits at each step: Enter takes the schedule's choice, a
/// number takes the choice with this number, and q quits. Returns the text of an error, or an empty text.
std::string show_run(const std::shared_ptr<const Program>& program, const sim::Options& options,
                     const std::optional<sim::Schedule>& schedule, std::istream& in, std::ostream& out);

}  // namespace ambit::cli
