#pragma once

#include <atomic>

namespace ambit::cli {

/// Makes the first Ctrl-C (SIGINT) or SIGTERM set the returned flag, so that finished results can be printed. A second
/// signal at least half a second later ends the process at once.
const std::atomic<bool>& catch_interrupts();

/// Returns the flag of catch_interrupts(). Does not catch signals itself: before catch_interrupts() the flag is never
/// set.
const std::atomic<bool>& interrupt_flag();

/// Returns `status`, or, if the user has interrupted the process, ends it with `status`. In the second case, flushes
/// the output but destroys nothing, because freeing the gigabytes of an interrupted check can take seconds. Call this
/// function at the end of a command that has written all its output.
int ended(int status);

}  // namespace ambit::cli
