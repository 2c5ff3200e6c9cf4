#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/program.h"
#include "core/source.h"

namespace ambit::standalone {

/// Why the threads of a test with asynchronous operations are not printed; nothing for other tests. What is printed are
/// the instructions of the machine (Instruction::machine).
std::optional<Diagnostic> machine_objection(const Program& program);

/// Statements with which the first thread of a block initialises the mbarriers that no instruction does, and the block
/// meets; empty: there are none. `is_in_cluster`: the caller lets the cluster meet instead.
std::string mbarrier_text(const Program& program, bool is_in_cluster);

/// "(unsigned)__cvta_generic_to_shared(&b)".
std::string shared_address(const std::string& cell);

/// An address in the state space .shared as that of the block of a rank of the cluster, by cluster_functions().
std::string shared_in_block(const std::string& address, int rank);
std::string_view cluster_functions();

/// Macros and functions of programs with wgmma.
std::string_view group_functions();

}  // namespace ambit::standalone
