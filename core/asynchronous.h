#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit {

/// Whether the program has asynchronous operations, or mbarrier operations and shared memory as they come with them.
bool is_asynchronous(const Program& program);

/// Why `who` ("the simulator") cannot take the program: it has asynchronous operations, or shared memory of a block
/// that the test names (MemoryObject::home). Nothing when it has neither.
std::optional<Diagnostic> asynchronous_objection(const Program& program, std::string_view who);

/// Whether grids of the program depend on each other (griddepcontrol).
bool has_dependent_grids(const Program& program);

/// The machine instruction of what a thread does when a dependent grid begins or a grid ends: no instruction says it.
constexpr std::string_view kGridStep = "griddepcontrol";

/// Why `who` ("a launch") cannot take the program: it has grids that depend on each other (griddepcontrol).
std::optional<Diagnostic> grid_objection(const Program& program, std::string_view who);

/// `written`: the operands of the instruction as text. Puts the elements of a vector (st.async.v2) in braces, as one
/// operand.
std::vector<std::string> with_vector(const MachineInstruction& machine, std::vector<std::string> written);

/// The registers of the thread that hold states of mbarriers: arrivals write them, and assignments copy them.
std::set<RegisterId> state_registers(const Thread& thread);
/// The register whose whole value the assignment copies; nothing: it computes one.
std::optional<RegisterId> copied_register(const Assign& assign);
/// Without a condition, outcomes do not list the states of mbarriers, which mean nothing but to waits.
void hide_mbarrier_states(Program& program);

}  // namespace ambit
