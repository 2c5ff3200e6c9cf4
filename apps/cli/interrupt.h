#pragma once

#include <atomic>

namespace ambit::cli {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM sets the returned flag, so that what is finished can be printed; a
/// second one, half a second later or more, ends the process at once.
const std::atomic<bool>& catch_interrupts();

/// The same flag, without catching anything: before catch_interrupts it is never set.
const std::atomic<bool>& interrupt_flag();

}  // namespace ambit::cli
