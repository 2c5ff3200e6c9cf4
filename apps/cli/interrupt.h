#pragma once

#include <atomic>

namespace ambit::cli {

/// Installs handlers for Ctrl-C (SIGINT) and SIGTERM. The first signal sets the returned flag, so that the command can
/// still print its finished results. A second signal at least half a second later ends the process at once.
const std::atomic<bool>& catch_interrupts();

/// Returns the flag of catch_interrupts(). This function does not install handlers: without a call of
/// catch_interrupts(), the flag is never set.
const std::atomic<bool>& interrupt_flag();

/// Returns `status` if the user has not interrupted the process. After an interrupt, flushes the output and ends the
/// process with `status`. Does not call destructors, because they can take seconds to free gigabytes. Call this
/// function at the end of a command, after all its output.
int ended(int status);

}  // namespace ambit::cli
