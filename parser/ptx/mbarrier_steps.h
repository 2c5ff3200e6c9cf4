#pragma once

#include <string>
#include <vector>

#include "parser/ptx/decoded_step.h"
#include "parser/ptx/mbarrier_layout.h"

// Lowers mbarrier and asynchronous instructions to core, for columns of PTX and for CUDA code.
namespace ambit::parser::ptx {

/// Ranges of the counts of an mbarrier (PTX ISA 9.7.13.15.1).
inline constexpr Value kMostArrivals = (Value{1} << 20) - 1;
inline constexpr Value kMostTransactionBytes = (Value{1} << 20) - 1;
inline constexpr Value kMostGroups = 1024;
/// The sizes of bulk copies are multiples of this number of bytes.
inline constexpr Value kBulkUnit = 16;

/// The change of an mbarrier by an operation.
struct MbarrierChange {
  Value arrivals = 0;  ///< 0 if the operation is not an arrival
  /// bytes that are also expected before the arrivals; a negative number means that bytes have arrived
  Value bytes = 0;
  bool drops = false;
  bool no_complete = false;
};

/// Returns the update of the object's cell. `old` receives the previous state.
Rmw mbarrier_update(const MbarrierLayout& layout, MemoryAccess access, RegisterId old, const MbarrierChange& change);
/// Returns the conditions on the state before the update; empty if the layout does not have the information.
std::vector<Assert> mbarrier_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change);
/// Like mbarrier_rules(), for the update by an asynchronous operation that completes.
std::vector<Assert> completion_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change);
/// Returns the condition of mbarrier.init: the object is not in use. Empty if the layout does not have the information.
std::vector<Assert> mbarrier_init_rules(const MbarrierLayout& layout, const Expr& state);
/// Returns the condition of mbarrier.inval and of waits: the object is initialised (PTX ISA 9.7.15.16.9). Empty if no
/// thread invalidates the object.
std::vector<Assert> mbarrier_live_rules(const MbarrierLayout& layout, const Expr& state);
/// Returns the update that adds a pending arrival to this phase (cp.async.mbarrier.arrive without .noinc).
Rmw mbarrier_join(const MbarrierLayout& layout, MemoryAccess access, RegisterId old);
/// Returns the condition, of type `type`, that the phase of `awaited` (a state or a parity) is over in `state`.
Expr phase_is_over(const MbarrierLayout& layout, const Expr& state, Expr awaited, bool by_parity, ScalarType type);

/// Adds an update of an mbarrier, and the rules for this update, to the completion of the operation.
void add_completion(AsyncStep& operation, const MbarrierLayout& layout, Rmw completion, const MbarrierChange& change);

/// A store or reduction by st.async or red.async, or a bulk copy between blocks.
struct RemoteStore {
  bool is_own_block = false;  ///< whether the destination is in the issuing thread's block
  bool is_one_block = false;  ///< whether the destination and the mbarrier are in one block
  std::size_t cluster_blocks = 1;
};
/// Returns the condition of PTX that the instruction violates, so that its behaviour is undefined (PTX ISA 9.7.10.12,
/// 9.7.15.7, 9.7.10.28.4.1); nothing if it violates no condition.
std::optional<Assert> remote_store_rule(const std::vector<Word>& opcode, const RemoteStore& store);

/// Returns the fence of the instruction. The caller must add the address that an acquiring fence of a tensor map has.
Fence fence_of(const Opcode& opcode);
ProxyFence proxy_fence_of(const Opcode& opcode);

/// Returns the words before the first word that names a space, for example "cp.async.bulk".
std::string async_name(const std::vector<Word>& words);
/// Returns the scope of each reduction of a cp.reduce.async.bulk (by default .relaxed.sys, .relaxed.gpu for tensors;
/// PTX ISA 9.7.10.28.4.2 and 9.7.10.28.5.4) or a red.async.
Scope reduction_scope(const AsyncOpcode& opcode);
/// Returns AsyncStep::form of the instruction: all words of tcgen05.mma and tcgen05.cp; empty for other instructions.
std::string tensor_form(const std::vector<Word>& words);
/// Returns the error in the size of a copy; an empty string if there is no error.
std::string copy_size_flaw(const InstructionNode& node, const AsyncForm& form, Value bytes);

}  // namespace ambit::parser::ptx
