#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"

namespace ambit::sim {

/// The state of a run consists of flat vectors of fixed length, so that it is easy to copy, hash and compare.

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
  std::uint32_t thread = 0;    ///< thread that runs the loop
  std::uint8_t watches = 0;    ///< number of reads; more than kMaxWatches means that the iteration is not a wait
  bool has_registers = false;  ///< the registers at the head are saved
  bool has_effect = true;      ///< the iteration has changed memory or arrived at a barrier
};

inline constexpr std::uint32_t kNone = 0xffffffffU;

struct ThreadState {
  std::uint32_t pc = 0;        ///< next instruction; between steps, a register operation only in lockstep
  std::uint32_t spin = kNone;  ///< loop whose last iteration changed nothing and would repeat (see Machine)
  bool is_waiting = false;     ///< the thread has arrived at the barrier at pc
  bool has_exited = false;
};

/// A line of a cache, which is a copy of one location.
struct CacheLine {
  enum class Kind : std::uint8_t { Absent, Clean, Dirty };
  Value value = 0;
  Kind kind = Kind::Absent;
};

/// A store in a buffer.
struct BufferedStore {
  LocationId location = 0;
  std::uint32_t level = 0;  ///< level at which the store takes effect (Memory::level)
  Value value = 0;
};

/// The arrival of a value in a cache or in the memory that all gpus share, where other threads can see it.
struct Arrival {
  std::uint32_t cache = kNone;  ///< kNone for the memory that all gpus share
  LocationId location = 0;
};

/// The contents of memory. In a memory without caches, only the first vector is used.
struct MemoryState {
  std::vector<Value> values;           ///< for each location, its value in the memory that all gpus share
  std::vector<CacheLine> lines;        ///< caches × locations
  std::vector<BufferedStore> buffers;  ///< store buffers, threads × entries, oldest store first
  std::vector<std::uint8_t> buffered;  ///< for each thread, the number of entries in use
  std::vector<Arrival> arrivals;       ///< arrivals in the last step, in a program with transactions
};

/// Lanes that run together until they reach `reconvergence` (lockstep.h).
struct WarpEntry {
  enum class Kind : std::uint8_t {
    Lanes,
    Transaction,  ///< all lanes that have begun a transaction; lanes whose attempt failed wait at its beginning
    Attempt,      ///< entry above a Transaction entry: the lanes in the current attempt
  };
  std::uint32_t lanes = 0;  ///< mask of the warp's threads, in the order of the program
  std::int64_t reconvergence = 0;
  Kind kind = Kind::Lanes;
};
struct WarpState {
  std::vector<WarpEntry> stack;  ///< the last entry contains the lanes that run
  std::uint32_t active = 0;      ///< lanes that execute the current instruction
  std::uint32_t pending = 0;     ///< active lanes that have not executed the current instruction yet
  /// Number of sides of a branch that may run first. These sides are the last entries of the stack. The number is 0 if
  /// no decision is pending.
  std::uint32_t undecided = 0;
};

/// An open transaction of a thread.
struct TransactionState {
  bool is_open = false;
  bool has_failed = false;  ///< a conflict has ended the attempt, and the next attempt has not begun
  Scope scope = Scope::Device;
  std::uint32_t begin = 0;  ///< pc where the transaction began
};

/// The effect of an open transaction on a cell.
struct TransactionCell {
  enum class Kind : std::uint8_t { None, Read, Written };
  Kind kind = Kind::None;
  Value value = 0;  ///< Written: the value
};

/// One element of a pending asynchronous operation.
struct PendingElement {
  std::uint32_t element = 0;  ///< index in AsyncStep::elements
  LocationId source = kNone;  ///< kNone if nothing is read
  LocationId target = kNone;  ///< kNone if nothing is written
  Value value = 0;            ///< written value
  bool has_read = false;
  bool is_done = false;
};
struct PendingOperation {
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  ///< index of the operation's instruction
  std::uint32_t number = 0;       ///< number among the thread's operations, from 1; used for traces only
  std::uint32_t group = 0;        ///< number of the operation's group, from 1; 0 if the operation is not committed
  std::uint32_t completions = 0;  ///< number of mbarriers on which the operation has not completed yet
  std::uint32_t reported_completions = 0;
  std::uint32_t reported_mask = 0;
  std::vector<PendingElement> elements = {};
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<Value> registers;  ///< registers of all threads, one thread after the other
  /// For each barrier and each member, the phase of the member's last arrival, from 1; 0 if the member has not arrived.
  std::vector<std::uint32_t> arrivals;
  std::vector<std::uint32_t> phases;               ///< kBarrierWords words for each barrier (barrier_table.h)
  std::vector<LoopState> loops;                    ///< loops of all threads
  std::vector<Watch> watches;                      ///< loops × kMaxWatches
  std::vector<Value> loop_registers;               ///< for each loop, the registers at its head in the last iteration
  std::vector<WarpState> warps;                    ///< lockstep only
  std::vector<TransactionState> transactions;      ///< one entry for each thread; empty without transactions
  std::vector<Value> transaction_registers;        ///< values of `registers` at the beginning of the open transactions
  std::vector<TransactionCell> transaction_cells;  ///< threads × locations
  std::vector<PendingOperation> operations;        ///< pending operations, in the order in which they were issued
  std::vector<std::uint32_t> commits;              ///< number of committed groups, for each thread and kind of group
  std::vector<std::uint32_t> issued;  ///< for each thread, the number of issued operations; used for traces only
  std::vector<Value> async_values;    ///< for each location, the oldest value that the async proxy may see
  MemoryState memory;
  bool is_dropped = false;        ///< an assume() was not met
  bool has_failed = false;        ///< an assert() failed
  bool is_out_of_bounds = false;  ///< an access was out of bounds and was not performed
  bool is_endless = false;        ///< a thread computes without end
};

/// A 128-bit hash of all state that affects the rest of the run.
struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const State& state);

/// The effect of one step of a thread. Used for traces, and to decide which steps commute.
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
  /// For an update: a compare-exchange failed. For the end of a transaction: the transaction has aborted.
  bool is_failed = false;
  std::uint32_t thread = 0;
  std::uint32_t instruction = 0;  ///< index into Thread::code
  LocationId location = kNone;    ///< location of an access
  Value value = 0;                ///< value read or written
  Value old_value = 0;            ///< Update: the value read
  std::uint32_t barrier = kNone;  ///< Arrive, Pass
  std::uint32_t instance = 0;     ///< Arrive, Pass: instance of the barrier
  std::uint32_t expected = 0;     ///< Arrive: number of threads that the phase waits for
  std::uint32_t operation = 0;    ///< Asynchronous, Operation...: number of the operation in its thread, from 1
  std::uint32_t part = 0;         ///< Operation...: number of the element; Completion: number of the completion
  /// Instruction numbers of the proxy fences that the thread executed after the step.
  std::vector<std::uint32_t> proxy_fences = {};

  bool is_access() const { return kind == Kind::Load || kind == Kind::Store || kind == Kind::Update; }
  bool writes() const { return kind == Kind::Store || (kind == Kind::Update && !is_failed); }
  friend bool operator==(const StepEvent&, const StepEvent&) = default;
};

}  // namespace ambit::sim
