#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"

namespace ambit::standalone {

/// How the variables of the program are declared, found from all accesses.
struct Declarations {
  std::vector<bool> is_volatile;  ///< by object: every plain access of it is volatile
};
Declarations find_declarations(const Program& program);

/// A thread of a test as a function of CUDA C++.
struct ThreadText {
  std::string name;                   ///< of the function
  std::string definition;             ///< the function
  std::vector<std::string> observed;  ///< the registers that it gets by reference, as "int r0"
  bool uses_atomic_ref = false;       ///< <cuda/atomic> is needed
  bool uses_groups = false;           ///< <cooperative_groups.h> is needed
  bool drops_runs = false;            ///< it has an `assume`
};

/// Writes a thread. Errors, located in the test: what CUDA C++ cannot say (docs/standalone.md).
ThreadText thread_text(const Program& program, std::size_t thread, const Declarations& declarations,
                       Diagnostics& errors);

/// The barriers of a block that all its threads reach, in the order of the code, as statements. Nothing: some barrier
/// is conditional, or the threads of the block have different ones.
std::optional<std::vector<std::string>> block_barriers(const Program& program, int block);

}  // namespace ambit::standalone
