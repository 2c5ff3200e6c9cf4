#pragma once

#include <atomic>

namespace ambit::cli {

/// From now on the first Ctrl-C (SIGINT) or SIGTERM sets the returned flag, so that what is finished can be printed; a
/// second one, half a second later or more, ends the process at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace ambit::cli
