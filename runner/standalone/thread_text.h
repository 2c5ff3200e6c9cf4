#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"

namespace ambit::standalone {

/// Properties of the declarations of the program's variables. The properties depend on all accesses.
struct Declarations {
  std::vector<bool> is_volatile;  ///< for each object, whether every plain access to it is volatile
};
Declarations find_declarations(const Program& program);

/// A thread of a test as a CUDA C++ function.
struct ThreadText {
  std::string name;                   ///< name of the function
  std::string definition;             ///< the function
  std::vector<std::string> observed;  ///< parameters for the registers that are passed by reference, such as "int r0"
  bool uses_atomic_ref = false;       ///< <cuda/atomic> is needed
  bool uses_groups = false;           ///< <cooperative_groups.h> is needed
  bool uses_clusters = false;         ///< cluster_functions() are needed
  bool drops_runs = false;            ///< the thread has an `assume`
  bool needs_sm_90a = false;          ///< the thread has instructions that only sm_90a has
};

/// Writes a thread of the test as a function. A thread with wgmma becomes 128 threads of the program; the first of
/// these threads is the leader (runner/cuda/emit/warpgroups.h). Errors, located in the test: features without an
/// equivalent in CUDA C++ (docs/guide/standalone.md).
ThreadText thread_text(const Program& program, std::size_t thread, const Declarations& declarations,
                       Diagnostics& errors);

}  // namespace ambit::standalone
