#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// The size of a descriptor in memory.
constexpr std::uint32_t kTensorMapBytes = 128;
/// The alignment of shared memory that a tensor copy accesses (PTX ISA 5.5.7).
constexpr std::uint32_t kTensorAlignment = 128;

/// Returns the thread's machine instructions in order, each once.
std::vector<const MachineInstruction*> machine_instructions(const Thread& thread);

/// Returns the object that an operand names with a constant address.
std::optional<ObjectId> object_at(const Program& program, const MachineInstruction::Operand& operand);

/// Returns whether the instruction is tensormap.cp_fenceproxy, which a warp's 32 lanes execute together for one
/// descriptor.
bool needs_whole_warp(const MachineInstruction& machine);

/// Returns the tensor map whose descriptor the object holds, as an index in Program::tensor_maps. An object in global
/// memory holds the map's own descriptor. An object in shared memory holds a copy, which a tensormap.cp_fenceproxy
/// copies to the map. Returns nothing if the object holds values.
std::optional<std::size_t> map_in(const Program& program, ObjectId object);

/// Returns the alignment of the object in shared memory. The alignment is kTensorAlignment for a descriptor and for an
/// object of a tensor copy, and 16 for other bulk copies.
std::uint32_t shared_alignment(const Program& program, ObjectId object);

}  // namespace ambit::cuda
