#pragma once

#include <string>
#include <vector>

#include "generate/test.h"

namespace ambit::generate {

/// A shape: the writes and reads of each thread, and the outcome that sequential consistency forbids.
struct Shape {
  std::string name;
  std::string description;
  std::vector<std::vector<Step>> threads;  ///< only reads and writes; the variants add fences, scopes and orders
  std::vector<Clause> condition;
  int locations = 2;
};

/// Returns the six cycles with two threads: MP SB LB S R 2+2W.
std::vector<Shape> two_thread_shapes();
/// Returns the cycles with three or four threads: WRC RWC ISA2 Z6.0-Z6.5 IRIW.
std::vector<Shape> wide_shapes();
/// Returns the shapes that litmus/classic lacks: WWC WRW+2W 3.2W.
std::vector<Shape> further_shapes();
/// Returns the shapes with one location: CoRR CoWR CoRW1 CoRW2 CoWW.
std::vector<Shape> coherence_shapes();
/// Returns the message-passing shapes that read the data only if the flag was seen: MP+if WRC+if ISA2+if. Location 0 is
/// the data.
std::vector<Shape> guarded_shapes();

}  // namespace ambit::generate
