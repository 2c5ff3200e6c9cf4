#pragma once

#include <atomic>

namespace ambit::cli {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM sets the returned flag, so that what is finished can be printed; a
/// second one, half a second later or more, ends the process at once.
const std::atomic<bool>& catch_interrupts();

/// The same flag, without catching anything: before catch_interrupts it is never set.
const std::atomic<bool>& interrupt_flag();

/// Returns `status`, or, if the user has asked for an end, ends the process with it here: whatever was written is
/// flushed, and nothing is destroyed, because to free the gigabytes of an interrupted check can take seconds. For the
/// end of commands that have written all that they will.
int ended(int status);

}  // namespace ambit::cli
