#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ambit::virtual_gpu {

/// An instruction and what it computes, written from the PTX ISA with the host's own types: an evaluation that shares
/// nothing with the virtual GPU.
struct ReferenceInstruction {
  /// "add.s32 {0}, {1}, {2}": {0} is the result, {1} to {3} the sources.
  std::string text;
  /// h 16 bits, r 32 bits, d 64 bits, f single, g double precision, p predicate.
  char result = 'r';
  std::string sources;
  std::uint64_t (*value)(std::uint64_t a, std::uint64_t b, std::uint64_t c) = nullptr;
};

/// All instructions whose results are defined bit for bit.
const std::vector<ReferenceInstruction>& reference_instructions();

/// Instructions without a reference on the host: other rounding modes, half precision, approximations. `units`: of the
/// last place by which a GPU may differ from the virtual one.
struct FurtherInstruction {
  const char* text;
  char result;
  const char* sources;
  double units;  ///< in the last place, that an approximation may differ by
  double absolute = 0;
};
const std::vector<FurtherInstruction>& further_instructions();

/// Values that find mistakes: limits, powers of two, infinities, NaN, subnormal numbers.
const std::vector<std::uint64_t>& special_values(char type);

/// `text` with its placeholders filled in.
std::string filled(const std::string& text, const std::vector<std::string>& names);

/// The lowest bits of a value, as many as a register of that type has.
std::uint64_t cut_to(char type, std::uint64_t value);

/// A module whose kernel `k` loads three values of 8 bytes from p0 + 24 * thread, executes the instruction for threads
/// below p2, and stores the result at p1 + 8 * thread.
std::string kernel_text_of(const ReferenceInstruction& instruction);

}  // namespace ambit::virtual_gpu
