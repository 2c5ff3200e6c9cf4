#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/source.h"
#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// A communication edge of a cycle, between two statements of the cycle's program.
struct Communication {
  enum class Kind : std::uint8_t { Rf, Fr, Co } kind = Kind::Rf;
  std::size_t from_thread = 0;
  std::size_t from_statement = 0;
  std::size_t to_thread = 0;
  std::size_t to_statement = 0;
};

/// The litmus test for a cycle of relations: the test's program, and the condition that is true if the cycle occurs.
struct CycleTest {
  Skeleton skeleton;
  std::string name;                          ///< "PodWW+Rfe+PodRR+Fre"
  std::vector<Communication> communication;  ///< the edges in the order of the cycle
  std::string condition;                     ///< "exists (P1:r0 == 1 && P1:r1 == 0)"
};

/// Reads a cycle in the notation of diy (Alglave, Maranget, Sarkar, Sewell, "Fences in weak memory models", CAV 2010):
/// edges that lead from event to event and back to the first event.
///   Rfe Fre Coe (or Wse)    communication with another thread; with .cta, .gpu, .sys the other thread is in the same
///                           block, in another block of the device (the usual case), on another device
///   Rfi Fri Coi             communication within the thread
///   PodWR PosRR ...         program order, to a different or the same location, between a write or read and another
///   F.sc.gpu.dWR ...        program order with a fence between the two accesses
/// A word between two edges gives the access of the event at this place: plain, vol, rlx.gpu, acq.cta, rel.sys,
/// sc.gpu. Other events have the access `usual`. Returns an error in the file `origin` if a word is unknown, if the
/// event between two edges would be both a read and a write, if no edge is external, or if the location changes
/// exactly once.
Result<CycleTest> read_cycle(const std::string& text, const std::string& usual, const std::string& origin);

}  // namespace ambit::synthesis
