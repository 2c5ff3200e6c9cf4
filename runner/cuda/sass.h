#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ambit::cuda {

/// One instruction of machine code (SASS) as the disassembler prints it.
struct SassInstruction {
  std::uint32_t line = 0;  ///< of the CUDA source that it was made of, innermost where functions are inlined; 0: none
  std::string name;        ///< with its modifiers: "LDG.E.STRONG.GPU"
  bool is_predicated = false;  ///< it takes effect only where a condition holds
  bool is_reached = true;      ///< the instruction before it can go on with it
};

/// Reads the listing of one kernel that was compiled with line numbers: `nvdisasm -c -gi`.
std::vector<SassInstruction> read_sass(std::string_view listing);

/// True for instructions that act on memory which other threads see, or order such: loads, stores, atomics, fences,
/// cache invalidations, barriers. (Constants, registers spilled to local memory and error reporting are not.)
bool acts_on_memory(const SassInstruction& instruction);

/// Sets the machine instructions of one PTX instruction, several copies of it perhaps, against what it should be
/// compiled to: its kind, width, strength, scope, and the fences and invalidations of a release or an acquire. `ptx` is
/// its name: "st.release.gpu.global.s32". Empty, or what was expected.
std::string check_expansion(std::string_view ptx, const std::vector<std::string>& sass);

/// True for PTX instructions of which the machine code may hold nothing: a fence that the hardware's order implies, a
/// barrier of a warp that is together anyway.
bool may_leave_nothing(std::string_view ptx);

/// True for machine instructions that belong to a PTX instruction's expansion but may stand apart from the rest of it.
bool are_mere_extras(std::string_view ptx, const std::vector<std::string>& sass);

}  // namespace ambit::cuda
