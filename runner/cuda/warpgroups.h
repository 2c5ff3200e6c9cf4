#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"

namespace ambit::cuda {

/// wgmma takes four whole warps (PTX ISA 9.7.15: a warpgroup, four consecutive warps, the first a multiple of four). So
/// a thread of a test that executes wgmma represents a warpgroup, and every other thread of the test a warp. All lanes
/// execute the instructions that hardware requires of all of them; the first lane, the leader, executes the rest.
constexpr std::uint32_t kWarpgroup = 4;

/// Returns whether all lanes of a warpgroup execute the instruction.
bool is_of_warpgroup(const Instruction& instruction);
/// Returns whether it waits for products: all warps must have waited before the next instruction.
bool completes_products(const Instruction& instruction);
/// Returns the number of warps that the thread represents in a test with wgmma.
std::uint32_t warps_of(const Thread& thread);
/// Returns the number of lanes that execute the thread: 128, or the leader alone.
inline std::uint32_t lanes_of(const Thread& thread) { return warps_of(thread) > 1 ? kWarpgroup * 32 : 1; }
bool has_warpgroups(const Program& program);

/// Returns the program with a warp for each thread, if threads of a test with wgmma share a warp but have no warp
/// barrier. Nothing: the program does not change.
std::optional<Program> with_own_warps(const Program& program);

/// Returns why a test with wgmma cannot run on hardware: threads of the test share a warp, a factor is not in the
/// shared memory of the block, or grids depend on each other. Nothing: it can, or has no wgmma.
std::optional<Diagnostic> warpgroup_objection(const Program& program);

/// Returns the threads of a block by hardware warp: warpgroups first, so that each begins at a multiple of four warps.
std::vector<std::size_t> warps_in_groups(const Program& program, const std::vector<std::size_t>& threads);

/// Operands of wgmma.mma_async that a test does not have: the accumulators, and the values after the operands.
struct Product {
  std::uint32_t accumulators = 0;  ///< registers of each lane
  bool is_float = false;           ///< their type: float, else unsigned
  std::string suffix;              ///< scales and transpositions: ", 1, 1, 1, 0, 0"
  std::uint32_t first_bytes = 0;   ///< of the first factor in shared memory; 0: it is in registers
  std::uint32_t second_bytes = 0;  ///< of the second factor
};
/// Nothing: not a PTX wgmma.mma_async with these operands.
std::optional<Product> product_of(const MachineInstruction& machine);

/// Returns the bytes of shared memory that products of the program read from the object on; 0: none do.
std::uint32_t bytes_of_factor(const Program& program, ObjectId object);

/// Returns the registers of a lane for the accumulators of the thread.
std::uint32_t accumulators_of(const Thread& thread);

/// Returns the names of the products that the thread computes, each once: one set of accumulators, "product0", for
/// each.
std::vector<std::string> products_of(const Thread& thread);
/// Returns variables for the accumulators: "  float product0[4] = {};\n".
std::string accumulators_text(const Thread& thread);
/// Returns the variable of the accumulators of an instruction: "product0".
std::string accumulators_name(const Thread& thread, const MachineInstruction& machine);

}  // namespace ambit::cuda
