#pragma once

#include <string>
#include <vector>

#include "parser/ptx/decoded_step.h"
#include "parser/ptx/mbarrier_layout.h"

// What instructions at mbarriers and asynchronous instructions are in core, for columns of PTX and for CUDA code alike.
namespace ambit::parser::ptx {

/// The ranges of the counts of an mbarrier (PTX ISA 9.7.13.15.1).
inline constexpr Value kMostArrivals = (Value{1} << 20) - 1;
inline constexpr Value kMostTransactionBytes = (Value{1} << 20) - 1;
inline constexpr Value kMostGroups = 1024;
/// Bulk copies move multiples of this, in bytes.
inline constexpr Value kBulkUnit = 16;

/// How an operation changes an mbarrier.
struct MbarrierChange {
  Value arrivals = 0;  ///< 0: the operation is no arrival
  Value bytes = 0;     ///< more expected before; negative: have come
  bool drops = false;
  bool no_complete = false;
};

/// The update of the object's cell. `old` receives the state before.
Rmw mbarrier_update(const MbarrierLayout& layout, MemoryAccess access, RegisterId old, const MbarrierChange& change);
/// What the update must find in the state before; nothing where the layout does not tell.
std::vector<Assert> mbarrier_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change);
/// What mbarrier.init must find: the object is not in use. Nothing where the layout does not tell.
std::vector<Assert> mbarrier_init_rules(const MbarrierLayout& layout, const Expr& state);
/// One more arrival is pending in this phase (cp.async.mbarrier.arrive without .noinc).
Rmw mbarrier_join(const MbarrierLayout& layout, MemoryAccess access, RegisterId old);
/// Whether the phase that `awaited` names, a state or a parity, is over in `state`; of type `type`.
Expr phase_is_over(const MbarrierLayout& layout, const Expr& state, Expr awaited, bool by_parity, ScalarType type);

/// The fence of the instruction; a fence that acquires a tensor map still lacks its address.
Fence fence_of(const Opcode& opcode);
ProxyFence proxy_fence_of(const Opcode& opcode);

/// "cp.async.bulk": the words up to the first that names a space.
std::string async_name(const std::vector<Word>& words);
/// What is wrong with the size of a copy; empty: nothing.
std::string copy_size_flaw(const InstructionNode& node, const AsyncForm& form, Value bytes);

}  // namespace ambit::parser::ptx
