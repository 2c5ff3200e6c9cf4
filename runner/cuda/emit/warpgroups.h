#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "core/program.h"

namespace ambit::cuda {

/// wgmma requires four whole warps (PTX ISA 9.7.15: a warpgroup is four consecutive warps, and the number of the first
/// warp is divisible by four). Therefore a thread of a test that executes wgmma represents a warpgroup, and every other
/// thread of the test represents a warp. The hardware requires that all lanes execute some instructions together. The
/// first lane, the leader, executes all other instructions.
constexpr std::uint32_t kWarpgroup = 4;

/// Returns whether all lanes of a warpgroup execute the instruction.
bool is_of_warpgroup(const Instruction& instruction);
/// Returns whether the instruction waits for products. The thread continues only when all its warps have executed this
/// instruction.
bool completes_products(const Instruction& instruction);
/// Returns the number of warps that the thread represents in a test with wgmma.
std::uint32_t warps_of(const Thread& thread);
/// Returns the number of lanes that execute the thread: 128 for a warpgroup, otherwise 1.
inline std::uint32_t lanes_of(const Thread& thread) { return warps_of(thread) > 1 ? kWarpgroup * 32 : 1; }
bool has_warpgroups(const Program& program);

/// Returns the program with a separate warp for each thread, if threads of a test with wgmma share a warp but have no
/// warp barrier. Returns nothing if the program need not change.
std::optional<Program> with_own_warps(const Program& program);

/// Returns why a test with wgmma cannot run on hardware: its threads share a warp, a factor is outside the block's
/// shared memory, or grids depend on each other. Returns nothing if the test can run or has no wgmma.
std::optional<Diagnostic> warpgroup_objection(const Program& program);

/// Returns a block's threads in the order of their hardware warps. Warpgroups come first, so that each warpgroup begins
/// at a multiple of four warps.
std::vector<std::size_t> warps_in_groups(const Program& program, const std::vector<std::size_t>& threads);

/// The operands of wgmma.mma_async that a test does not write: the accumulators, and the values after the other
/// operands.
struct Product {
  std::uint32_t accumulators = 0;  ///< number of registers of each lane
  bool is_float = false;           ///< the registers are float; otherwise unsigned
  std::string suffix;              ///< scales and transpositions: ", 1, 1, 1, 0, 0"
  std::uint32_t first_bytes = 0;   ///< bytes of the first factor in shared memory; 0 if the factor is in registers
  std::uint32_t second_bytes = 0;  ///< bytes of the second factor in shared memory
};
/// Returns nothing if the instruction is not a PTX wgmma.mma_async with these operands.
std::optional<Product> product_of(const MachineInstruction& machine);

/// Returns the number of bytes in shared memory, from the start of the object, that the program's products read.
/// Returns 0 if no product reads the object.
std::uint32_t bytes_of_factor(const Program& program, ObjectId object);

/// Returns the number of registers of a lane for the accumulators of the thread.
std::uint32_t accumulators_of(const Thread& thread);

/// Returns the names of the products that the thread computes, each once. Each product has its own accumulators, for
/// example "product0".
std::vector<std::string> products_of(const Thread& thread);
/// Returns the declarations of the accumulators: "  float product0[4] = {};\n".
std::string accumulators_text(const Thread& thread);
/// Returns the name of the variable with the accumulators of an instruction: "product0".
std::string accumulators_name(const Thread& thread, const MachineInstruction& machine);

}  // namespace ambit::cuda
