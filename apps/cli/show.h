#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "core/program.h"
#include "runner/sim/schedule_file.h"

namespace ambit::cli {

/// Steps through one run: what happens, memory with its caches and buffers after it, and what can happen next. If the
/// standard input is a terminal, waits at each step: Enter takes what the schedule would, a number takes that choice, q
/// leaves. The text of an error; empty: none.
std::string show_run(const std::shared_ptr<const Program>& program, const sim::Options& options,
                     const std::optional<sim::Schedule>& schedule, std::istream& in, std::ostream& out);

}  // namespace ambit::cli
