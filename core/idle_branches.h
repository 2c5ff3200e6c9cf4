#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit {

/// The text in Assert::misuse for an assertion in a header of a CUDA library.
inline constexpr std::string_view kLibraryAssertion = "an assertion of a library fails";

/// Finds branches whose conditions have no effect, such as branches that read a clock to choose the length of a pause.
/// Returns, for each instruction of the thread, the successor that may replace the branch. Both successors of a branch
/// without effect reach one instruction. On the paths to this instruction, the code only assigns registers that are
/// never read. Registers in Program::observables count as read. The analysis assumes that library assertions on opaque
/// values hold, so it also replaces a branch to the failure of an assertion.
std::vector<std::optional<std::size_t>> idle_branches(const Program& program, std::uint32_t thread);

}  // namespace ambit
