#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "core/source.h"

namespace ambit::standalone {

/// Why the threads of a test with asynchronous operations are not printed; nothing for other tests. What is printed are
/// the instructions of the machine (Instruction::machine).
std::optional<Diagnostic> machine_objection(const Program& program);

/// Statements that initialise the mbarriers that no instruction does, by the first thread of each block that has them;
/// empty: there are none.
std::string mbarrier_text(const Program& program);

/// "(unsigned)__cvta_generic_to_shared(&b)".
std::string shared_address(const std::string& cell);

}  // namespace ambit::standalone
