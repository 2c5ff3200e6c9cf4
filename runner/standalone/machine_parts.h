#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"
#include "core/program.h"

namespace ambit::standalone {

/// Returns why the threads of a test with asynchronous operations cannot be printed. Returns nothing if the threads can
/// be printed, or if the test has no asynchronous operations. The printer supports machine instructions
/// (Instruction::machine).
std::optional<Diagnostic> machine_objection(const Program& program);

/// Returns statements for the first thread of a block, followed by a barrier of the block. The statements initialise
/// the mbarriers that no instruction of the test initialises. Returns an empty text if there are no such mbarriers. If
/// `is_in_cluster` is true, omits the barrier, because the caller adds a barrier of the cluster.
std::string mbarrier_text(const Program& program, bool is_in_cluster);

/// Returns "(unsigned)__cvta_generic_to_shared(&b)".
std::string shared_address(const std::string& cell);

/// Converts an address in the state space .shared to the address of the same place in another block of the cluster.
/// Uses cluster_functions().
std::string shared_in_block(const std::string& address, int rank);
std::string_view cluster_functions();

/// Returns the macros and functions that programs with wgmma need.
std::string_view group_functions();

}  // namespace ambit::standalone
