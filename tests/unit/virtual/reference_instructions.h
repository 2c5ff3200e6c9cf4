#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ambit::virtual_gpu {

/// An instruction and a function that computes its result as the PTX ISA defines it. The function uses the host's
/// types, and no code of the virtual GPU.
struct ReferenceInstruction {
  /// The instruction as text, such as "add.s32 {0}, {1}, {2}". {0} is the result, and {1} to {3} are the sources.
  std::string text;
  /// The result's type: h (16 bits), r (32 bits), d (64 bits), f (32-bit float), g (64-bit float), p (predicate).
  char result = 'r';
  std::string sources;
  std::uint64_t (*value)(std::uint64_t a, std::uint64_t b, std::uint64_t c) = nullptr;
};

/// Returns all instructions for which the PTX ISA defines each bit of the result.
const std::vector<ReferenceInstruction>& reference_instructions();

/// An instruction whose result the host does not compute: other rounding modes, half precision, approximations. `units`
/// is the largest allowed difference between the results of a GPU and of the virtual GPU.
struct FurtherInstruction {
  const char* text;
  char result;
  const char* sources;
  double units;  ///< the largest difference, in units in the last place
  double absolute = 0;
};
const std::vector<FurtherInstruction>& further_instructions();

/// Returns values that expose bugs: limits, powers of two, infinities, NaN, subnormal numbers.
const std::vector<std::uint64_t>& special_values(char type);

/// Returns `text` with {0}, {1}, ... replaced by `names`.
std::string filled(const std::string& text, const std::vector<std::string>& names);

/// Returns the low bits of `value`: as many bits as a register of the type has.
std::uint64_t cut_to(char type, std::uint64_t value);

/// Returns a module with the kernel `k`. If its number is below p2, a thread loads three values of 8 bytes from p0 + 24
/// * thread, executes the instruction, and stores the result at p1 + 8 * thread.
std::string kernel_text_of(const ReferenceInstruction& instruction);

}  // namespace ambit::virtual_gpu
