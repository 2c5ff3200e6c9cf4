#pragma once

#include <cstddef>
#include <vector>

#include "core/program.h"

namespace ambit::termination {

/// Returns, by instruction, the first later instruction that every way from it to the thread's end passes; code.size()
/// is the end. Instructions without a way to the end have the end.
std::vector<std::size_t> immediate_post_dominators(const Thread& thread);

/// Returns, by instruction, whether control can reach it from `from` without passing `until`.
std::vector<bool> reachable_before(const Thread& thread, std::size_t from, std::size_t until);

/// A place where the lanes of a warp diverge and reconverge under one program counter and a reconvergence stack.
struct Divergence {
  /// Equal for the same place in the code of different lanes.
  struct Key {
    enum class Part : std::uint8_t { Prefix, Own, Suffix, Whole } part = Part::Prefix;
    std::size_t shape = 0;  ///< Own: which code
    std::size_t place = 0;  ///< from the beginning, or for Suffix from the end
    friend bool operator==(const Key&, const Key&) = default;
  };
  Key key;
  std::size_t begin = 0;  ///< the branch; Whole: the first instruction that is not in the code of every lane
  std::size_t end = 0;    ///< where lanes wait for each other; code.size(): nowhere
  std::size_t shape = 0;  ///< Whole: the direction of this lane, different for different codes
};

/// Returns the divergences of each thread of one warp. A conditional branch diverges until its immediate
/// post-dominator. Besides, in kernels each lane has its own code, in which branches on its number are resolved. The
/// code between the longest common beginning and the longest common end of all lanes (compared by source place) counts
/// as one divergence, Whole. The result has only divergences in which a lane may wait (a loop, a barrier).
std::vector<std::vector<Divergence>> find_divergences(const Program& program, const std::vector<std::uint32_t>& lanes);

}  // namespace ambit::termination
