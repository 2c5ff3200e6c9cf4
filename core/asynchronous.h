#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace ambit {

/// Returns whether the program has asynchronous operations, related mbarrier operations, or shared memory that the test
/// places in a specific block (MemoryObject::home).
bool is_asynchronous(const Program& program);

/// Returns an error if the program has asynchronous operations, or shared memory that the test places in a specific
/// block (MemoryObject::home). `who` names the component that lacks this support: "the simulator". Otherwise returns
/// nothing.
std::optional<Diagnostic> asynchronous_objection(const Program& program, std::string_view who);

/// Returns whether grids of the program depend on each other (griddepcontrol).
bool has_dependent_grids(const Program& program);

/// The instruction name of two implicit steps: the start of a dependent grid, and the end of a grid. The program has no
/// instructions for these steps.
constexpr std::string_view kGridStep = "griddepcontrol";

/// Returns an error if grids of the program depend on each other (griddepcontrol). `who`: "a launch".
std::optional<Diagnostic> grid_objection(const Program& program, std::string_view who);

/// Joins the elements of a vector (st.async.v2) into one operand in braces. `written` is the list of the instruction's
/// operands as text.
std::vector<std::string> with_vector(const MachineInstruction& machine, std::vector<std::string> written);

/// Returns the thread's registers that hold mbarrier states. Arrivals return these states, and assignments copy them.
std::set<RegisterId> state_registers(const Thread& thread);
/// Returns the source register if the assignment is a plain copy; nothing if the assignment computes a value.
std::optional<RegisterId> copied_register(const Assign& assign);
/// If the program has no condition, removes mbarrier states from the outcomes, because only waits use these states.
void hide_mbarrier_states(Program& program);

}  // namespace ambit
