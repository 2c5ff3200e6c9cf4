#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parser/litmus/async_lowering.h"

namespace ambit::parser::litmus {

/// The form of an ldmatrix or stmatrix.
struct FragmentForm {
  bool is_load = true;
  int rows = 8;               ///< number of rows; if i < rows, lane i provides the address of row i
  std::size_t registers = 1;  ///< number of registers in each lane
  int matrices = 1;
  bool is_8_by_8 = true;  ///< whether a matrix has 8 x 8 elements of 16 bits
  bool is_transposed = false;
};
/// Returns the form of `opcode`; nothing if PTX has no such instruction. `opcode` includes all modifiers.
std::optional<FragmentForm> fragment_form(std::string_view opcode);

/// The size of a row of ldmatrix and stmatrix, in bytes.
inline constexpr Value kRowBytes = 16;

/// Returns the lane that elect.sync elects. PTX promises that elections with the same mask choose the same lane, but
/// does not specify the lane. Ambit elects the lowest lane of the mask.
int elected_lane(std::uint32_t mask);
/// Returns a barrier at which lanes of a warp wait for each other (.sync). The barrier does not order memory accesses.
Barrier warp_meeting(std::uint32_t mask = 0xffffffffU);

/// Lowers ldmatrix and stmatrix (PTX ISA 9.7.14.5) to weak accesses of rows in shared memory. PTX does not define which
/// lane performs which access. In Ambit, the lane that provides the address of a row accesses the row. In an ldmatrix
/// of 8 x 8 matrices, each lane also reads the elements that it receives. Ambit does not compute the values of the
/// elements that the lanes exchange.
class FragmentLowering {
 public:
  explicit FragmentLowering(ThreadContext& thread) : thread_(thread) {}

  /// Loads the fragment. `row` contains the cells of the lane's row. For a lane that provides no address, `row` is
  /// empty. Returns the value of the lane's registers.
  Operand load(const FragmentForm& form, const std::vector<AsyncCell>& row, SourceSpan span);
  /// Stores the fragment. `values` are the values of the lane's registers.
  void store(const std::vector<AsyncCell>& row, const std::vector<Operand>& values, SourceSpan span);

 private:
  Operand read(MemoryAccess access, SourceSpan span);
  FragmentSite note_row(const std::vector<AsyncCell>& row, SourceSpan span);

  ThreadContext& thread_;
  AsyncLowering async_{thread_};
};

}  // namespace ambit::parser::litmus
