// The log of a thread in a recording kernel. The host compiles this file for its tests, and NVRTC compiles it for the
// GPU, so its types are simple.
#pragma once

#include "kernels/parameters.h"

namespace ambit_kernel {

/// The recorder recognises an iteration of a spin loop if it has at most this number of accesses and fences.
constexpr unsigned kLongestRound = 4;

/// The current length of a thread's log.
struct Log {
  unsigned length = 0;  ///< number of entries; kNoLog if not all entries fit
  unsigned quiet = 0;   ///< number of entries at the end of the log that did not change memory
};

/// Adds `entry` to a log. If the last iteration of a spin loop changed nothing and equals the iteration before it, the
/// log drops the last iteration. `at(n)` returns a reference to the n-th entry, where n < `room`.
template <class Place>
void add_to(Log& log, unsigned room, const LogEntry& entry, bool is_quiet, const Place& at) {
  if (log.length >= room) {
    log.length = kNoLog;
    return;
  }
  at(log.length) = entry;
  ++log.length;
  log.quiet = is_quiet ? log.quiet + 1 : 0;
  for (unsigned round = 1; round <= kLongestRound && 2 * round <= log.quiet; ++round) {
    unsigned same = 0;
    for (; same < round; ++same) {
      const LogEntry& now = at(log.length - 1 - same);
      const LogEntry& before = at(log.length - 1 - same - round);
      if (now.instruction != before.instruction || now.value != before.value) break;
    }
    if (same < round) continue;
    log.length -= round;
    log.quiet -= round;
    return;
  }
}

}  // namespace ambit_kernel
