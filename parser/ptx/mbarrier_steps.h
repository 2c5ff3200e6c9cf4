#pragma once

#include <string>
#include <vector>

#include "parser/ptx/decoded_step.h"
#include "parser/ptx/mbarrier_layout.h"

// Functions that lower mbarrier and asynchronous instructions to core. The readers of PTX litmus tests and of CUDA code
// share these functions.
namespace ambit::parser::ptx {

/// The largest counts of an mbarrier (PTX ISA 9.7.13.15.1).
inline constexpr Value kMostArrivals = (Value{1} << 20) - 1;
inline constexpr Value kMostTransactionBytes = (Value{1} << 20) - 1;
inline constexpr Value kMostGroups = 1024;
/// The sizes of bulk copies are multiples of this number of bytes.
inline constexpr Value kBulkUnit = 16;

/// The change of an mbarrier's state by an operation.
struct MbarrierChange {
  Value arrivals = 0;  ///< 0 if the operation is not an arrival
  /// Increase of the expected bytes before the arrivals. A negative number means that bytes have arrived.
  Value bytes = 0;
  bool drops = false;
  bool no_complete = false;
};

/// Returns the read-modify-write that applies `change` to the object's cell. `old` receives the previous state.
Rmw mbarrier_update(const MbarrierLayout& layout, MemoryAccess access, RegisterId old, const MbarrierChange& change);
/// Returns assertions on the state before the update. If the layout does not store the fields that the assertions need,
/// the list is empty.
std::vector<Assert> mbarrier_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change);
/// Like mbarrier_rules(), but for the update by the completion of an asynchronous operation.
std::vector<Assert> completion_rules(const MbarrierLayout& layout, const Expr& state, const MbarrierChange& change);
/// Returns the assertion of mbarrier.init: the object is not in use. If the layout does not store whether the object is
/// in use, the list is empty.
std::vector<Assert> mbarrier_init_rules(const MbarrierLayout& layout, const Expr& state);
/// Returns the assertion of mbarrier.inval and of waits: the object is initialised (PTX ISA 9.7.15.16.9). The list is
/// empty if no thread invalidates the object.
std::vector<Assert> mbarrier_live_rules(const MbarrierLayout& layout, const Expr& state);
/// Returns the update that adds a pending arrival to the current phase (cp.async.mbarrier.arrive without .noinc).
Rmw mbarrier_join(const MbarrierLayout& layout, MemoryAccess access, RegisterId old);
/// Returns an expression of type `type` that is 1 if the awaited phase has completed in `state`, and 0 otherwise.
/// `awaited` is a state or a parity.
Expr phase_is_over(const MbarrierLayout& layout, const Expr& state, Expr awaited, bool by_parity, ScalarType type);

/// Adds an update of an mbarrier, and the assertions for this update, to the completion of the operation.
void add_completion(AsyncStep& operation, const MbarrierLayout& layout, Rmw completion, const MbarrierChange& change);

/// The blocks that are involved in a st.async, a red.async, or a bulk copy in shared memory.
struct RemoteStore {
  bool is_own_block = false;  ///< whether the destination is in the issuing thread's block
  bool is_one_block = false;  ///< whether the destination and the mbarrier are in one block
  std::size_t cluster_blocks = 1;
};
/// If the instruction has undefined behaviour, because it violates a condition of PTX (PTX ISA 9.7.10.12, 9.7.15.7,
/// 9.7.10.28.4.1), returns an assertion that fails. Otherwise, returns nothing.
std::optional<Assert> remote_store_rule(const std::vector<Word>& opcode, const RemoteStore& store);

/// Returns the fence that the instruction denotes. For an acquire fence of a tensor map, the caller must add the
/// address.
Fence fence_of(const Opcode& opcode);
ProxyFence proxy_fence_of(const Opcode& opcode);

/// Returns the words before the first word that names a space, for example "cp.async.bulk".
std::string async_name(const std::vector<Word>& words);
/// Returns the scope of the reductions of a red.async or cp.reduce.async.bulk. The default of cp.reduce.async.bulk is
/// .relaxed.sys; for tensors, .relaxed.gpu (PTX ISA 9.7.10.28.4.2 and 9.7.10.28.5.4).
Scope reduction_scope(const AsyncOpcode& opcode);
/// Returns the value of AsyncStep::form: the whole opcode for tcgen05.mma and tcgen05.cp, empty for other instructions.
std::string tensor_form(const std::vector<Word>& words);
/// Returns an error message if the size of a copy is invalid; otherwise, an empty string.
std::string copy_size_flaw(const InstructionNode& node, const AsyncForm& form, Value bytes);

}  // namespace ambit::parser::ptx
