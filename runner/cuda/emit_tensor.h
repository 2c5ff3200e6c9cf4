#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"
#include "runner/cuda/kernel.h"
#include "runner/cuda/machine_text.h"
#include "runner/cuda/object_addresses.h"
#include "runner/cuda/tensor_objects.h"

namespace ambit::cuda {

/// The maps that the host makes for a kernel. Errors: elements that no tensor map has; a condition on the bytes of a
/// descriptor.
std::vector<KernelTensorMap> kernel_tensor_maps(const Program& program, Diagnostics& errors);

/// The descriptor that the host has made for the instance `at`: "made_map(at, 0 /* t */, 3 /* g */)".
std::string made_map_text(const Program& program, std::size_t map);
/// The descriptor by which a thread copies: the one in the test's memory, or else the one that the host has made.
std::string tensor_map_text(const Program& program, std::size_t map, const ObjectAddresses& objects);
/// What an ordinary store to a descriptor writes: the bytes that the descriptor has there. Nothing: it stores a value.
std::optional<std::string> map_word(const Program& program, const MemoryAccess& access);

/// Statements at the beginning of a thread: its proxies find the maps as the harness has left them.
std::string thread_maps_text(const Program& program, const Thread& thread, const ObjectAddresses& objects);

/// Why the instruction of a thread is not run, where it deals with a tensor map; empty: it is.
std::string tensor_objection(const Program& program, const Thread& thread, const MachineInstruction& machine);

/// tensormap.replace, which writes what the declaration of the map says of the field. The number in the test stands for
/// a change; the map describes the same box before and after it (docs/async.md).
bool replaces_in_map(const MachineInstruction& machine);
MachineText replace_text(const Program& program, const MachineInstruction& machine, const MachineNames& names);

/// Of an instruction that needs_whole_warp().
constexpr const char* kWholeWarpObjection =
    "an instruction of a whole warp behind a jump, in a warp with several threads of the test, or in a test with wgmma "
    "is not run on hardware";
/// The statements of such an instruction stand between these lines and a "}".
constexpr const char* kForEachLane =
    "  __syncwarp();\n#pragma unroll 1\n  for (unsigned lane = 0; lane < 32; ++lane) {\n";
/// The addresses of the instance of the lane `lane`.
MachineNames names_of_lane(const MachineNames& names);

}  // namespace ambit::cuda
