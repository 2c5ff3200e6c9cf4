#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit {

/// The misuse of an Assert that stands for a failed assertion of a library.
inline constexpr std::string_view kLibraryAssertion = "an assertion of a library fails";

/// Finds branches whose conditions do not matter. By instruction of the thread: the target of such a branch or the next
/// instruction, where it may as well go. Its two ways meet and do nothing before, except for assignments to registers
/// that nothing reads: the pauses of a back-off, of which only the length depends on a clock. Registers that
/// Program::observables shows are read. An assertion of a library on opaque values is taken to hold: such a branch goes
/// the other way.
std::vector<std::optional<std::size_t>> idle_branches(const Program& program, std::uint32_t thread);

}  // namespace ambit
