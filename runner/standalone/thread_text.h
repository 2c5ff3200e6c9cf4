#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"

namespace ambit::standalone {

/// The declarations of the program's variables, found from all accesses.
struct Declarations {
  std::vector<bool> is_volatile;  ///< by object: every plain access of it is volatile
};
Declarations find_declarations(const Program& program);

/// A thread of a test as a function of CUDA C++.
struct ThreadText {
  std::string name;                   ///< of the function
  std::string definition;             ///< the function
  std::vector<std::string> observed;  ///< the registers passed by reference, as "int r0"
  bool uses_atomic_ref = false;       ///< <cuda/atomic> is needed
  bool uses_groups = false;           ///< <cooperative_groups.h> is needed
  bool uses_clusters = false;         ///< cluster_functions() are needed
  bool drops_runs = false;            ///< it has an `assume`
  bool needs_sm_90a = false;          ///< it has instructions of this architecture only
};

/// Writes a thread. A thread with wgmma is 128 threads of the program, with the first as the leader
/// (runner/cuda/warpgroups.h). Errors, located in the test: features without an equivalent in CUDA C++
/// (docs/standalone.md).
ThreadText thread_text(const Program& program, std::size_t thread, const Declarations& declarations,
                       Diagnostics& errors);

}  // namespace ambit::standalone
