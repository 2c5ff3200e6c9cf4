#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parser/litmus/place_lowering.h"
#include "parser/ptx/mbarrier_steps.h"

namespace ambit::parser::litmus {

using ptx::kMostArrivals;
using ptx::kMostTransactionBytes;

/// An arrival at an mbarrier object (PTX ISA 9.7.13.15, mbarrier.arrive).
struct MbarrierArrival {
  Value count = 1;
  Value bytes = 0;  ///< transaction bytes that the thread expects before it arrives
  bool expects = false;
  bool drops = false;
  bool no_complete = false;
  OrderAndScope at = {Order::Release, Scope::Block};
};

/// A wait for an mbarrier object.
struct MbarrierWait {
  Operand awaited;  ///< the state that an arrival returned, or a phase parity
  bool by_parity = false;
  OrderAndScope at = {Order::Acquire, Scope::Block};
};

/// A cell that an operand of an asynchronous operation covers.
struct AsyncCell {
  Place place;
  Value offset = 0;  ///< distance from the beginning of the operand, in bytes
};

/// Lowers asynchronous operations to core instructions: mbarrier operations, copies and groups (PTX ISA 8.9.1.1,
/// 9.7.9.25, 9.7.13.15). The arguments are values of the CUDA code. `barrier` is a pointer to a 64-bit cell in shared
/// memory.
class AsyncLowering {
 public:
  explicit AsyncLowering(ThreadContext& thread) : thread_(thread) {}

  void init(const Operand& barrier, Value count, SourceSpan span);
  /// Records that the arrival count of the mbarrier is unknown until all threads have been lowered once.
  void note_unknown_count(const Operand& barrier, SourceSpan span);
  void invalidate(const Operand& barrier, SourceSpan span);
  /// Emits an arrival. Returns the mbarrier state before the arrival; test() can wait for this state's phase.
  Operand arrive(const Operand& barrier, const MbarrierArrival& arrival, SourceSpan span);
  /// Returns the number of pending arrivals in `state`. In a test that calls this function, a state contains this
  /// number in the bits above the phase.
  Operand pending_count(const Operand& state, SourceSpan span);
  /// Adds `bytes` to the transaction bytes that the mbarrier expects. A negative number means that bytes have arrived.
  void expect(const Operand& barrier, Value bytes, OrderAndScope at, SourceSpan span);
  /// Emits code that tests whether a phase has completed. Returns a bool.
  Operand test(const Operand& barrier, const MbarrierWait& wait, SourceSpan span);

  /// Returns the cells of the `bytes` bytes at `pointer`. Errors: `pointer` does not point to memory; the range
  /// contains only a part of some cell, or exceeds the object.
  std::optional<std::vector<AsyncCell>> cells(const Operand& pointer, Value bytes, SourceSpan span);
  /// Pairs the source cells of a copy with the destination cells. Error: the cells have different sizes.
  std::optional<std::vector<AsyncElement>> copied(const std::vector<AsyncCell>& targets,
                                                  const std::vector<AsyncCell>& sources, Proxy proxy, SourceSpan span);
  MemoryAccess access(const AsyncCell& cell, Proxy proxy, OrderAndScope at = {Order::Weak, Scope::System});
  /// Sets the completion of an asynchronous operation: complete-tx of `bytes` bytes on the mbarrier, with
  /// .release.cluster semantics. Returns false after an error.
  bool complete(AsyncStep& operation, const Operand& barrier, Value bytes, SourceSpan span);
  /// Returns the block whose shared memory `pointer` points to; nothing if the block is unknown.
  std::optional<BlockId> block_of(const Operand& pointer) const;
  void issue(AsyncStep operation, SourceSpan span);
  void commit(AsyncGroup group, std::string name, SourceSpan span);
  void wait_group(AsyncStep wait, SourceSpan span);
  /// Makes the thread arrive when the thread's earlier operations of `group` are complete. If `joins` is set, the phase
  /// waits for one additional arrival (cp.async.mbarrier.arrive without .noinc).
  void arrive_when_complete(const Operand& barrier, AsyncGroup group, bool joins, std::string name, SourceSpan span);

  /// Checks that `pointer` points into the state space `space`. Always returns true in muted code (CodeBuilder::mute).
  /// Error: the pointer points into another space.
  bool is_in(const Operand& pointer, MemorySpace space, SourceSpan span, std::string_view what);
  /// Returns the state space that a pointer points into; nothing if the space is unknown.
  std::optional<MemorySpace> space_of(const Operand& pointer) const;
  /// Returns the value of a constant argument. Errors: the argument is not constant, or is out of range.
  std::optional<Value> constant(const Operand& operand, Value least, Value most, SourceSpan span,
                                std::string_view what);

 private:
  struct Object {
    ObjectId id;
    const ptx::MbarrierLayout& layout;
    MemoryAccess access;
  };
  std::optional<ObjectId> object_of(const Operand& pointer) const;
  std::optional<Object> object(const Operand& barrier, OrderAndScope at, SourceSpan span);
  void check_misuse(std::vector<Assert> rules, SourceSpan span);

  ThreadContext& thread_;
  PlaceLowering places_{thread_};
};

}  // namespace ambit::parser::litmus
