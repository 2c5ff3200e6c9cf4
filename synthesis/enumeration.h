#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "synthesis/alphabet.h"
#include "synthesis/skeleton.h"

namespace ambit::synthesis {

/// The inclusive limits of an enumeration.
struct Bounds {
  unsigned events = 4;  ///< total number of statements
  unsigned threads = 2;
  unsigned blocks = 2;
  unsigned variables = 2;
  unsigned locks = 1;
  /// If true, also visits programs that is_relevant() rejects.
  bool all = false;
};

/// Returns whether the program has no useless part: each variable is written, and two threads access it; two threads
/// take each lock; no thread begins or ends with a fence or has two fences in a row; a block with a barrier has two
/// threads; a block's threads have the same number of barriers. With Bounds::all, only the condition on the number of
/// barriers applies, because programs that violate this condition diverge.
bool is_relevant(const Skeleton& skeleton);

/// Returns the canonical program of a skeleton's class. The programs of a class differ only in the order of threads, in
/// the numbering of blocks, and in the names of variables and locks. The canonical program is the first program of its
/// class in lexicographic order. A skeleton has no values to rename.
Skeleton canonical(const Skeleton& skeleton);

/// Calls `visit` once for each class of programs within the bounds, with the canonical program of the class, always in
/// the same order. `visit` returns false to stop. Locks may nest arbitrarily, but a thread releases only locks that it
/// holds, and holds no lock at its end. In each thread, a read precedes every guarded statement. Returns the number of
/// programs visited.
///
/// The function adds threads one by one and names the cells in the order of first use. The function abandons a prefix
/// of threads if a permutation of these threads makes the prefix smaller. The same permutation also makes all
/// extensions of the prefix smaller.
std::uint64_t for_each_program(const Bounds& bounds, const Alphabet& alphabet,
                               const std::function<bool(const Skeleton&)>& visit);

/// Estimates the number of states that for_each_program visits: the mean of random descents (Knuth, "Estimating the
/// efficiency of backtrack programs", 1975). Returns the same estimate each time.
double estimated_states(const Bounds& bounds, const Alphabet& alphabet, int descents = 20'000);

/// Returns a random program that is canonical, relevant and within the bounds. The program depends only on the seed.
/// Returns nothing if a few thousand attempts find no program of this kind.
std::optional<Skeleton> random_program(const Bounds& bounds, const Alphabet& alphabet, std::uint64_t seed);

}  // namespace ambit::synthesis
