#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ambit::virtual_gpu {

/// An instruction and its result. The result is computed as the PTX ISA defines it, with the host's types and without
/// code of the virtual GPU.
struct ReferenceInstruction {
  /// The text "add.s32 {0}, {1}, {2}", where {0} is the result and {1} to {3} are the sources.
  std::string text;
  /// The type of the result: h 16 bits, r 32 bits, d 64 bits, f single, g double precision, p predicate.
  char result = 'r';
  std::string sources;
  std::uint64_t (*value)(std::uint64_t a, std::uint64_t b, std::uint64_t c) = nullptr;
};

/// Returns all instructions whose results are defined bit for bit.
const std::vector<ReferenceInstruction>& reference_instructions();

/// Instructions without a reference on the host: other rounding modes, half precision, approximations. `units` is the
/// largest allowed difference between a GPU and the virtual GPU.
struct FurtherInstruction {
  const char* text;
  char result;
  const char* sources;
  double units;  ///< units in the last place, for approximations
  double absolute = 0;
};
const std::vector<FurtherInstruction>& further_instructions();

/// Returns values that expose bugs: limits, powers of two, infinities, NaN, subnormal numbers.
const std::vector<std::uint64_t>& special_values(char type);

/// Returns `text` with its placeholders filled in.
std::string filled(const std::string& text, const std::vector<std::string>& names);

/// Returns the lowest bits of a value, limited to the width of a register of that type.
std::uint64_t cut_to(char type, std::uint64_t value);

/// Returns a module whose kernel `k` loads three values of 8 bytes from p0 + 24 * thread, executes the instruction for
/// threads below p2, and stores the result at p1 + 8 * thread.
std::string kernel_text_of(const ReferenceInstruction& instruction);

}  // namespace ambit::virtual_gpu
