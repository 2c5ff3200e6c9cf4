#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"
#include "runner/cuda/emit/kernel.h"
#include "runner/cuda/emit/machine_text.h"
#include "runner/cuda/emit/object_addresses.h"
#include "runner/cuda/emit/tensor_objects.h"

namespace ambit::cuda {

/// Returns the maps that the host makes for a kernel. Errors: elements of a type that no tensor map supports; a
/// condition on the bytes of a descriptor.
std::vector<KernelTensorMap> kernel_tensor_maps(const Program& program, Diagnostics& errors);

/// Returns the descriptor that the host has made for the instance `at`: "made_map(at, 0 /* t */, 3 /* g */)".
std::string made_map_text(const Program& program, std::size_t map);
/// Returns the descriptor for a thread's tensor copies. The result is the descriptor in the test's memory or, if the
/// memory has no descriptor, the descriptor that the host has made.
std::string tensor_map_text(const Program& program, std::size_t map, const ObjectAddresses& objects);
/// If the access is an ordinary store to a descriptor, returns the stored value as a C++ expression. The value is bytes
/// of the descriptor that the host has made. Otherwise returns nothing.
std::optional<std::string> map_word(const Program& program, const MemoryAccess& access);

/// Returns statements for the beginning of a thread. The statements reset the thread's copies of descriptors in shared
/// memory, and make the descriptors visible to the tensormap proxy.
std::string thread_maps_text(const Program& program, const Thread& thread, const ObjectAddresses& objects);

/// Returns the reason why a thread's instruction on a tensor map cannot run on hardware, or an empty text.
std::string tensor_objection(const Program& program, const Thread& thread, const MachineInstruction& machine);

/// Returns whether the instruction is tensormap.replace. The kernel ignores the value in this instruction: it writes
/// the field's value from the map's declaration. Therefore the map describes the same box before and after the change
/// (docs/reference/async.md).
bool replaces_in_map(const MachineInstruction& machine);
MachineText replace_text(const Program& program, const MachineInstruction& machine, const MachineNames& names);

/// The error message for an instruction for which needs_whole_warp() is true.
constexpr const char* kWholeWarpObjection =
    "hardware cannot run an instruction of a whole warp after a jump, in a warp with several threads of the test, "
    "or in a test with wgmma";
/// The text before the statements of an instruction if needs_whole_warp() is true. The text "}" follows the statements.
constexpr const char* kForEachLane =
    "  __syncwarp();\n#pragma unroll 1\n  for (unsigned lane = 0; lane < 32; ++lane) {\n";
/// Returns a copy of `names` whose addresses belong to the instance of the lane `lane`.
MachineNames names_of_lane(const MachineNames& names);

}  // namespace ambit::cuda
