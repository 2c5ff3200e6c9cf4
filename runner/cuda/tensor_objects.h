#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/program.h"

namespace ambit::cuda {

/// Of a descriptor in memory.
constexpr std::uint32_t kTensorMapBytes = 128;
/// Bytes of which the shared memory that a tensor copy reads or writes is a multiple (PTX ISA 5.5.7).
constexpr std::uint32_t kTensorAlignment = 128;

/// The thread's instructions of the machine, each once, in their order.
std::vector<const MachineInstruction*> machine_instructions(const Thread& thread);

/// The object that an operand names by a constant address.
std::optional<ObjectId> object_at(const Program& program, const MachineInstruction::Operand& operand);

/// tensormap.cp_fenceproxy, which the 32 lanes of a warp execute together, for one descriptor.
bool needs_whole_warp(const MachineInstruction& machine);

/// The tensor map whose descriptor the object holds, as an index in Program::tensor_maps: in global memory the map's
/// own, in shared memory the copy that a tensormap.cp_fenceproxy copies to it. Nothing: the object holds values.
std::optional<std::size_t> map_in(const Program& program, ObjectId object);

/// Bytes of which the object's place in shared memory is a multiple: kTensorAlignment where a tensor copy reads or
/// writes it or it holds a descriptor, 16 for other bulk copies.
std::uint32_t shared_alignment(const Program& program, ObjectId object);

}  // namespace ambit::cuda
