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
  Operand awaited;  ///< a state that an arrival returned, or a parity
  bool by_parity = false;
  OrderAndScope at = {Order::Acquire, Scope::Block};
};

/// A cell that an operand of an asynchronous operation covers.
struct AsyncCell {
  Place place;
  Value offset = 0;  ///< distance from the beginning of the operand, in bytes
};

/// Lowers asynchronous operations of a thread to core: mbarrier objects, copies and groups (PTX ISA 8.9.1.1, 9.7.9.25,
/// 9.7.13.15). The arguments are values of the CUDA code; `barrier` is a pointer to a 64-bit cell in shared memory.
class AsyncLowering {
 public:
  explicit AsyncLowering(ThreadContext& thread) : thread_(thread) {}

  void init(const Operand& barrier, Value count, SourceSpan span);
  /// Records that the barrier's count is known only after all threads have been lowered once.
  void note_unknown_count(const Operand& barrier, SourceSpan span);
  void invalidate(const Operand& barrier, SourceSpan span);
  /// Returns the state before the arrival, which wait() takes.
  Operand arrive(const Operand& barrier, const MbarrierArrival& arrival, SourceSpan span);
  /// Returns the number of arrivals that were pending before the arrival that returned `state`. In a test that calls
  /// this function, a state holds the number above its phase.
  Operand pending_count(const Operand& state, SourceSpan span);
  /// Makes the barrier expect `bytes` more bytes; a negative number means that bytes have arrived.
  void expect(const Operand& barrier, Value bytes, OrderAndScope at, SourceSpan span);
  /// Returns whether the phase is over, as a bool.
  Operand test(const Operand& barrier, const MbarrierWait& wait, SourceSpan span);

  /// Returns the cells of the `bytes` bytes at `pointer`. Errors: `pointer` does not point to memory; the bytes are not
  /// a whole number of cells, or exceed the object.
  std::optional<std::vector<AsyncCell>> cells(const Operand& pointer, Value bytes, SourceSpan span);
  /// Returns pairs of source and destination cells, element by element. Error: the elements have different sizes.
  std::optional<std::vector<AsyncElement>> copied(const std::vector<AsyncCell>& targets,
                                                  const std::vector<AsyncCell>& sources, Proxy proxy, SourceSpan span);
  MemoryAccess access(const AsyncCell& cell, Proxy proxy, OrderAndScope at = {Order::Weak, Scope::System});
  /// Makes the operation arrive with `bytes` bytes at the barrier, as .release.cluster. Returns false after an error.
  bool complete(AsyncStep& operation, const Operand& barrier, Value bytes, SourceSpan span);
  /// Returns the block whose shared memory `pointer` points to; nothing if the block is unknown.
  std::optional<BlockId> block_of(const Operand& pointer) const;
  void issue(AsyncStep operation, SourceSpan span);
  void commit(AsyncGroup group, std::string name, SourceSpan span);
  void wait_group(AsyncStep wait, SourceSpan span);
  /// Makes the thread arrive when its earlier operations of `group` are complete. If `joins`, the phase waits for one
  /// more arrival (cp.async.mbarrier.arrive without .noinc).
  void arrive_when_complete(const Operand& barrier, AsyncGroup group, bool joins, std::string name, SourceSpan span);

  /// Checks that the memory is in the state space. Returns true in muted code. Error: the memory is in another space.
  bool is_in(const Operand& pointer, MemorySpace space, SourceSpan span, std::string_view what);
  /// Returns the space of a pointer's target; nothing if it is unknown.
  std::optional<MemorySpace> space_of(const Operand& pointer) const;
  /// Returns the value of a constant argument. Errors: it is not constant, or is outside of the range.
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
