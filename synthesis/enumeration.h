#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "synthesis/alphabet.h"
#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// All sizes up to these.
struct Bounds {
  unsigned events = 4;  ///< statements of a program
  unsigned threads = 2;
  unsigned blocks = 2;
  unsigned variables = 2;
  unsigned locks = 1;
  /// Programs in which something is there for nothing, too (is_relevant).
  bool all = false;
};

/// Everything in the program can matter: each variable is written, and accessed by two threads; each lock is taken by
/// two threads; no thread begins or ends with a fence or has two fences in a row; a block with a barrier has two
/// threads; a block's threads have the same number of barriers (in `all` programs as well: others diverge).
bool is_relevant(const Skeleton& skeleton);

/// Of all programs that differ only in the order of threads, in the numbers of blocks, and in the names of variables
/// and locks, the one whose threads come first in lexicographic order. Values need no names: a skeleton has none.
Skeleton canonical(const Skeleton& skeleton);

/// Calls `visit` once for each class of programs within the bounds, with its canonical member, always in the same
/// order; `visit` returns false to stop. Locks nest in any way, but a thread releases only what it holds and ends
/// without a lock. A guarded statement has a read before it in its thread. Returns the number of programs visited.
///
/// Threads are added one by one, with new names for cells in the order of their first use. A prefix of threads that a
/// permutation of them makes smaller is left at once: what follows it would have a smaller copy, too.
std::uint64_t for_each_program(const Bounds& bounds, const Alphabet& alphabet,
                               const std::function<bool(const Skeleton&)>& visit);

/// An estimate of the number of states that for_each_program goes through: the mean of random descents (Knuth,
/// "Estimating the efficiency of backtrack programs", 1975). The same every time.
double estimated_states(const Bounds& bounds, const Alphabet& alphabet, int descents = 20'000);

/// A random program within the bounds, canonical and relevant; the same for the same seed. Nothing if some thousand
/// attempts found none.
std::optional<Skeleton> random_program(const Bounds& bounds, const Alphabet& alphabet, std::uint64_t seed);

}  // namespace ambit::synthesis
