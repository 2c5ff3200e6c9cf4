// How a recording kernel keeps what a thread does. Compiled by the host, for its tests, and, as text, by NVRTC; hence
// the plain types.
#pragma once

#include "kernels/parameters.h"

namespace ambit_kernel {

/// Accesses and fences of the longest round of a spin that is known as one.
constexpr unsigned kLongestRound = 4;

/// How much of a run a thread has kept.
struct Log {
  unsigned length = 0;  ///< kNoLog: more than there is room for
  unsigned quiet = 0;   ///< of them the last ones that changed nothing in memory
};

/// Adds `entry` to a log. A spin is one wait: when its last round, which changed nothing, is the one before once more,
/// that round is dropped. `at`: gives a place for the n-th entry, n < `room`.
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
