#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::cuda {

/// One machine instruction (SASS) as the disassembler prints it.
struct SassInstruction {
  std::uint32_t line = 0;      ///< line in the CUDA source; the innermost line if functions are inlined; 0 if unknown
  std::string name;            ///< name with modifiers: "LDG.E.STRONG.GPU"
  bool is_predicated = false;  ///< the instruction takes effect only if a condition holds
  bool is_reached = true;      ///< control can reach the instruction from the previous instruction
};

/// Reads the listing (`nvdisasm -c -gi`) of one kernel that was compiled with line numbers.
std::vector<SassInstruction> read_sass(std::string_view listing);

/// Returns whether an instruction accesses memory that other threads observe, or orders such accesses: loads, stores,
/// atomics, fences, cache invalidations, barriers. Accesses to constants, registers spilled to local memory and error
/// reporting do not count.
bool acts_on_memory(const SassInstruction& instruction);

/// Checks the machine instructions of one PTX instruction. The machine code may contain several copies of the PTX
/// instruction. Checks the kind, width, strength and scope of each access. For a release or an acquire, also checks the
/// fences and invalidations. `ptx` is the name of the PTX instruction: "st.release.gpu.global.s32". If the machine
/// instructions are wrong, returns the expected instructions, otherwise an empty text.
std::string check_expansion(std::string_view ptx, const std::vector<std::string>& sass);

/// Returns whether the compiler may translate a PTX instruction to no machine instruction. Examples are a fence that
/// the hardware's order implies, and a barrier of a converged warp.
bool may_leave_nothing(std::string_view ptx);

/// Returns whether all of these machine instructions are optional extras of a PTX instruction. Optional extras may be
/// separate from the other machine instructions of the PTX instruction.
bool are_mere_extras(std::string_view ptx, const std::vector<std::string>& sass);

}  // namespace ambit::cuda
