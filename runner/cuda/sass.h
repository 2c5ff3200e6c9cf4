#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::cuda {

/// One machine instruction (SASS) as the disassembler prints it.
struct SassInstruction {
  std::uint32_t line = 0;      ///< of the CUDA source, the innermost if functions are inlined; 0: none
  std::string name;            ///< with its modifiers: "LDG.E.STRONG.GPU"
  bool is_predicated = false;  ///< it takes effect only if a condition holds
  bool is_reached = true;      ///< control can reach it from the instruction before it
};

/// Reads the listing (`nvdisasm -c -gi`) of one kernel that was compiled with line numbers.
std::vector<SassInstruction> read_sass(std::string_view listing);

/// Returns whether an instruction accesses memory that other threads see, or orders such accesses: loads, stores,
/// atomics, fences, cache invalidations, barriers. (Not: constants, registers spilled to local memory, error
/// reporting.)
bool acts_on_memory(const SassInstruction& instruction);

/// Checks the machine instructions of one PTX instruction, possibly in several copies: kind, width, strength,
/// scope, and the fences and invalidations of a release or an acquire. `ptx` is its name: "st.release.gpu.global.s32".
/// Returns the expected instructions if they are wrong, or an empty text.
std::string check_expansion(std::string_view ptx, const std::vector<std::string>& sass);

/// Returns whether a PTX instruction may have no machine instructions: a fence that the hardware's order implies, a
/// barrier of a converged warp.
bool may_leave_nothing(std::string_view ptx);

/// Returns whether machine instructions of a PTX instruction's expansion may be separate from the rest of it.
bool are_mere_extras(std::string_view ptx, const std::vector<std::string>& sass);

}  // namespace ambit::cuda
