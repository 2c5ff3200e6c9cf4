#pragma once

#include <cstddef>
#include <vector>

#include "core/program.h"

namespace ambit::termination {

/// Returns, for each instruction, the next instruction that is on all paths from this instruction to the thread's end;
/// code.size() is the end. For instructions without a path to the end, returns the end.
std::vector<std::size_t> immediate_post_dominators(const Thread& thread);

/// Returns, for each instruction, whether control can reach it from `from` without going through `until`.
std::vector<bool> reachable_before(const Thread& thread, std::size_t from, std::size_t until);

/// A place where the lanes of a warp diverge and reconverge under one program counter and a reconvergence stack.
struct Divergence {
  /// Lanes have equal keys for the same place in their code.
  struct Key {
    enum class Part : std::uint8_t { Prefix, Own, Suffix, Whole } part = Part::Prefix;
    std::size_t shape = 0;  ///< for Own, the shape of the lane's code
    std::size_t place = 0;  ///< position, counted from the beginning; for Suffix, from the end
    friend bool operator==(const Key&, const Key&) = default;
  };
  Key key;
  std::size_t begin = 0;  ///< the branch; for Whole, the first instruction in which the lanes' code differs
  std::size_t end = 0;    ///< the place where lanes wait for each other; code.size() if they do not wait
  std::size_t shape = 0;  ///< for Whole, this lane's direction, which differs between lanes with different code
};

/// Returns the divergences of each thread of one warp. A conditional branch diverges until its immediate
/// post-dominator. In a kernel, each lane also has its own code, in which branches on the lane number are already
/// resolved. The code of all lanes has a longest common prefix and a longest common suffix (instructions are compared
/// by source place). The code between prefix and suffix counts as one divergence, Whole. The result has only
/// divergences in which a lane may wait (a loop, a barrier).
std::vector<std::vector<Divergence>> find_divergences(const Program& program, const std::vector<std::uint32_t>& lanes);

}  // namespace ambit::termination
