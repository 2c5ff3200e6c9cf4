#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/source.h"

namespace ambit::cuda {

/// wgmma takes four whole warps (PTX ISA 9.7.15: a warpgroup, four warps that follow each other, the first a multiple
/// of four). So a thread of a test that executes wgmma stands for a warpgroup, and every other thread of the test for a
/// warp. All lanes execute what the hardware wants of all of them; the first lane, the leader, executes the rest.
constexpr std::uint32_t kWarpgroup = 4;

/// Whether the instruction is one that all lanes of a warpgroup execute.
bool is_of_warpgroup(const Instruction& instruction);
/// Whether it waits for products: what follows it needs all warps to have waited.
bool completes_products(const Instruction& instruction);
/// How many warps the thread stands for in a test with wgmma.
std::uint32_t warps_of(const Thread& thread);
/// The lanes that execute the thread: 128, or the leader alone.
inline std::uint32_t lanes_of(const Thread& thread) { return warps_of(thread) > 1 ? kWarpgroup * 32 : 1; }
bool has_warpgroups(const Program& program);

/// The program with a warp for each thread, where threads of a test with wgmma stand in one warp and never meet in it:
/// nothing but a barrier of the warp asks for it. Nothing: the program stays as it is.
std::optional<Program> with_own_warps(const Program& program);

/// Why a test with wgmma has no form on hardware: threads of the test share a warp, a factor is not in the shared
/// memory of the block, or grids depend on each other. Nothing: it has one, or no wgmma.
std::optional<Diagnostic> warpgroup_objection(const Program& program);

/// The threads of a block by warp of the hardware: warpgroups first, so that each begins at a multiple of four warps.
std::vector<std::size_t> warps_in_groups(const Program& program, const std::vector<std::size_t>& threads);

/// What wgmma.mma_async takes beside the operands of a test: the accumulators, and the values behind the operands.
struct Product {
  std::uint32_t accumulators = 0;  ///< registers of each lane
  bool is_float = false;           ///< their type: float, else unsigned
  std::string suffix;              ///< scales and transpositions: ", 1, 1, 1, 0, 0"
  std::uint32_t first_bytes = 0;   ///< of the first factor in shared memory; 0: it is in registers
  std::uint32_t second_bytes = 0;  ///< of the second factor
};
/// Nothing: not a wgmma.mma_async of PTX with these operands.
std::optional<Product> product_of(const MachineInstruction& machine);

/// Bytes of shared memory that products of the program read from the object on; 0: none do.
std::uint32_t bytes_of_factor(const Program& program, ObjectId object);

/// Registers of a lane for the accumulators of the thread.
std::uint32_t accumulators_of(const Thread& thread);

/// The names of the products that the thread computes, each once: one set of accumulators, "product0", for each.
std::vector<std::string> products_of(const Thread& thread);
/// Variables for the accumulators: "  float product0[4] = {};\n".
std::string accumulators_text(const Thread& thread);
/// The variable of the accumulators of an instruction: "product0".
std::string accumulators_name(const Thread& thread, const MachineInstruction& machine);

}  // namespace ambit::cuda
