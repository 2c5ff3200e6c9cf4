#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit {

/// Assert::misuse of an assertion in a header of a CUDA library.
inline constexpr std::string_view kLibraryAssertion = "an assertion of a library fails";

/// Finds branches whose conditions have no effect, such as branches that choose the length of a pause by a clock.
/// Returns, for each instruction of the thread, the successor that may replace the branch. Both successors of such a
/// branch reach the same instruction, and on the way there they only assign registers that are never read. Registers in
/// Program::observables count as read. A library's assertion on opaque values is assumed to hold, so its branch to the
/// failure is replaced.
std::vector<std::optional<std::size_t>> idle_branches(const Program& program, std::uint32_t thread);

}  // namespace ambit
