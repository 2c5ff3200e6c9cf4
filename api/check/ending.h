#pragma once

#include <memory>

#include "model/termination/termination.h"

namespace ambit::api {

/// Like termination::check_termination(), but if a loop can exceed the unrolling bound of that check, also searches the
/// program's interleavings for a livelock. Every shipped model allows interleavings, and every scheduler of blocks
/// allows schedules that are fair to all threads. So a livelock that the search finds is possible under these models
/// and schedulers. Under `sc` and `fair`, a complete search without a livelock shows that the program terminates.
Result<termination::TerminationVerdict> check_ending(verdict::Checker& checker,
                                                     const std::shared_ptr<const Program>& program,
                                                     const std::shared_ptr<const rules::Rules>& rules,
                                                     Scheduler scheduler, const verdict::CheckOptions& options,
                                                     Context& context);

}  // namespace ambit::api
