#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::sim {

/// The state of a run is a value: flat vectors of fixed length, so that it can be copied, hashed and compared.

/// One read in an iteration of a loop: its location, its level of the memory hierarchy, and its value.
struct Watch {
  LocationId location = 0;
  std::uint32_t level = 0;
  Value value = 0;
};
/// An iteration with more reads is not recognised as a wait.
inline constexpr std::uint32_t kMaxWatches = 8;

/// The effects of a thread in a loop since its last jump to the loop's head.
struct LoopState {
  std::uint32_t thread = 0;    ///< that runs the loop
  std::uint8_t watches = 0;    ///< reads; more than kMaxWatches: too many
  bool has_registers = false;  ///< the registers at the head are saved
  bool has_effect = true;      ///< changed memory, or arrived at a barrier
};

inline constexpr std::uint32_t kNone = 0xffffffffU;

struct ThreadState {
  std::uint32_t pc = 0;        ///< never at a register operation, except in lockstep
  std::uint32_t spin = kNone;  ///< loop whose last iteration changed nothing and would repeat (see Machine)
  bool is_waiting = false;     ///< has arrived at the barrier at pc
  bool has_exited = false;
};

/// A line of a cache, or a copy of one location.
struct CacheLine {
  enum class Kind : std::uint8_t { Absent, Clean, Dirty };
  Value value = 0;
  Kind kind = Kind::Absent;
};

/// A store in a buffer.
struct BufferedStore {
  LocationId location = 0;
  std::uint32_t level = 0;  ///< at which it takes effect, see Memory::level
  Value value = 0;
};

/// A value has arrived in a cache or in the memory that all gpus share: others can see it there.
struct Arrival {
  std::uint32_t cache = kNone;  ///< kNone: the memory that all gpus share
  LocationId location = 0;
};

/// The contents of memory. A memory without caches leaves all vectors but the first empty.
struct MemoryState {
  std::vector<Value> values;           ///< by location: the memory that all gpus share
  std::vector<CacheLine> lines;        ///< caches × locations
  std::vector<BufferedStore> buffers;  ///< threads × entries, oldest first
  std::vector<std::uint8_t> buffered;  ///< by thread: entries in use
  std::vector<Arrival> arrivals;       ///< of the last step, in a program with transactions
};

/// Lanes that run together until they reach `reconvergence` (lockstep.h).
struct WarpEntry {
  enum class Kind : std::uint8_t {
    Lanes,
    Transaction,  ///< all lanes that have begun a transaction; those whose attempt failed wait at its begin
    Attempt,      ///< above a Transaction: the lanes that are in the current attempt
  };
  std::uint32_t lanes = 0;  ///< mask over the warp's threads in the order of the program
  std::int64_t reconvergence = 0;
  Kind kind = Kind::Lanes;
};
struct WarpState {
  std::vector<WarpEntry> stack;  ///< the last entry runs
  std::uint32_t active = 0;      ///< lanes that execute the current instruction
  std::uint32_t pending = 0;     ///< active lanes that have not executed it yet
  std::uint32_t undecided = 0;   ///< sides of a branch, the last entries of the stack; any of them may run first
};

/// An open transaction of a thread.
struct TransactionState {
  bool is_open = false;
  bool has_failed = false;  ///< a conflict has ended the attempt; the next one has not begun
  Scope scope = Scope::Device;
  std::uint32_t begin = 0;  ///< the pc where it began
};

/// The effect of an open transaction on a cell.
struct TransactionCell {
  enum class Kind : std::uint8_t { None, Read, Written };
  Kind kind = Kind::None;
  Value value = 0;  ///< Written
};

/// One element of an asynchronous operation that is under way.
struct PendingElement {
  std::uint32_t element = 0;  ///< of AsyncStep::elements
  LocationId source = kNone;  ///< kNone: nothing is read
  LocationId target = kNone;  ///< kNone: nothing is written
  Value value = 0;            ///< written value
  bool has_read = false;
  bool is_done = false;
};
struct PendingOperation {
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  ///< index of its instruction
  std::uint32_t number = 0;       ///< of the thread's operations, from 1; for traces only
  std::uint32_t group = 0;        ///< number of its group, counted from 1; 0: not committed
  std::uint32_t completions = 0;  ///< mbarriers on which it has yet to complete
  std::uint32_t reported_completions = 0;
  std::uint32_t reported_mask = 0;
  std::vector<PendingElement> elements = {};
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<Value> registers;         ///< all threads', one after the other
  std::vector<std::uint32_t> arrivals;  ///< by barrier and member: phase of its last arrival, counted from 1; 0: none
  std::vector<std::uint32_t> phases;    ///< barriers × kBarrierWords (barrier_table.h)
  std::vector<LoopState> loops;         ///< all threads' loops
  std::vector<Watch> watches;           ///< loops × kMaxWatches
  std::vector<Value> loop_registers;    ///< by loop: the registers at its head in the last iteration
  std::vector<WarpState> warps;         ///< in lockstep
  std::vector<TransactionState> transactions;      ///< by thread; empty in a program without transactions
  std::vector<Value> transaction_registers;        ///< like `registers`: where the open transactions began
  std::vector<TransactionCell> transaction_cells;  ///< threads × locations
  std::vector<PendingOperation> operations;        ///< under way, in the order of their issue
  std::vector<std::uint32_t> commits;              ///< threads × kinds of groups: groups committed
  std::vector<std::uint32_t> issued;               ///< by thread: operations; for traces only
  std::vector<Value> async_values;                 ///< by location: the oldest value that the async proxy may see
  MemoryState memory;
  bool is_dropped = false;        ///< an assume() was not met
  bool has_failed = false;        ///< an assert() failed
  bool is_out_of_bounds = false;  ///< an access did not take place
  bool is_endless = false;        ///< a thread computes without end
};

/// A 128-bit hash of all state that affects the rest of the run.
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const State& state);

/// The effect of one step of a thread, for traces and to decide which steps commute.
struct StepEvent {
  enum class Kind : std::uint8_t {
    Nothing,
    Load,
    Store,
    Update,
    Fence,
    Arrive,
    Pass,
    Asynchronous,    ///< an AsyncStep
    OperationRead,   ///< an operation reads an element
    OperationWrite,  ///< an operation writes an element
    Completion,      ///< an operation completes on an mbarrier
  };
  Kind kind = Kind::Nothing;
  bool is_failed = false;  ///< Update: a compare-exchange that only read; the end of a transaction: it has aborted
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  ///< index into Thread::code
  LocationId location = kNone;    ///< accesses
  Value value = 0;                ///< read, or written
  Value old_value = 0;            ///< Update
  std::uint32_t barrier = kNone;  ///< Arrive, Pass
  std::uint32_t instance = 0;     ///< Arrive, Pass: of that barrier
  std::uint32_t expected = 0;     ///< Arrive: threads waited for
  std::uint32_t operation = 0;    ///< Asynchronous, Operation...: number of the thread's operation, from 1
  std::uint32_t part = 0;         ///< Operation...: element; Completion: its number
  std::vector<std::uint32_t> proxy_fences = {};  ///< instructions: fences that the thread executed after the step

  bool is_access() const { return kind == Kind::Load || kind == Kind::Store || kind == Kind::Update; }
  bool writes() const { return kind == Kind::Store || (kind == Kind::Update && !is_failed); }
  friend bool operator==(const StepEvent&, const StepEvent&) = default;
};

}  // namespace ambit::sim
