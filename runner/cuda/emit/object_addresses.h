#pragma once

#include <cstddef>
#include <string>

#include "core/program.h"
#include "runner/cuda/emit/emit_cells.h"
#include "runner/cuda/emit/layout.h"

namespace ambit::cuda {

/// An address as C++ text.
struct ObjectAddress {
  std::string text;
  bool is_narrow = false;    ///< the address has 32 bits
  bool is_own = true;        ///< false if the address is in the shared memory of another block
  bool is_reachable = true;  ///< false if the address is in another cluster
};

/// Returns why an instruction cannot use the address, or an empty text. `needs_own_block` is the result of
/// needs_own_block() for the instruction.
std::string objection_to(const ObjectAddress& address, bool needs_own_block);

/// Addresses of cells, for one thread of a test that has asynchronous operations.
class ObjectAddresses {
 public:
  /// The arguments must outlive this object.
  ObjectAddresses(const Program& program, const Layout& layout, const SharedCells& shared, std::size_t thread)
      : program_(program), layout_(layout), shared_(shared), thread_(thread) {}

  /// Returns the address in the cell's own state space: .global, .shared::cta or .shared::cluster.
  ObjectAddress in_space(LocationId location) const;
  ObjectAddress generic(LocationId location) const;
  /// Returns the address as an operand: an instruction without a state space takes a generic address.
  ObjectAddress of_operand(LocationId location, const MachineInstruction& machine) const;

 private:
  ObjectAddress find(LocationId location, const char* own, const char* peer) const;

  const Program& program_;
  const Layout& layout_;
  const SharedCells& shared_;
  std::size_t thread_;
};

}  // namespace ambit::cuda
