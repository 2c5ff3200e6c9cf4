#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/source.h"
#include "core/expr.h"
#include "core/scope.h"

namespace ambit {

// ---- memory ----

using LocationId = std::uint32_t;
using ObjectId = std::uint32_t;

enum class MemorySpace : std::uint8_t { Global, Shared };

/// The encoding of an mbarrier object's state in a cell. An unpacked cell counts arrivals. A packed cell has these
/// fields, from the lowest bit: the transaction count (two's complement, in multiples of `unit`), pending arrivals,
/// other counts, the phase.
struct MbarrierCell {
  Value arrivals = 1;  ///< number of arrivals that complete a phase
  Value unit = 1;      ///< the transaction count is in multiples of this number of bytes
  unsigned transaction_bits = 0;
  unsigned pending_bits = 0;
  unsigned phase_shift = 0;  ///< 0 if not packed
};
/// Returns the state for display: "phase 1 with 1 of 2 arrivals", "phase 0 with 1 of 1 arrivals, 16 bytes missing",
/// "not initialised".
std::string state_text(const MbarrierCell& cell, Value value);

/// A declared variable or array. Shared memory has one object for each block ("b0:s"), global memory a single object.
struct MemoryObject {
  std::string name;  ///< the name that conditions use: "x", "data", "b0:s"
  ScalarType type;
  MemorySpace space = MemorySpace::Global;
  std::uint32_t length = 1;    ///< number of elements
  bool is_array = false;       ///< declared with [ ]: its cells are named "data[0]"
  bool is_initialized = true;  ///< if false, reads of the initial value are undefined (--uninit)
  LocationId first = 0;        ///< the elements are locations `first` to `first` + `length` - 1
  SourceSpan span;
  /// If this object is an alias, the object that owns the cells (PTX ISA 8.4, "virtual aliases"). An alias is a second
  /// virtual address of the owner. An alias has the owner's type, length, `first` and cells. The owner is never an
  /// alias itself.
  std::optional<ObjectId> alias_of = std::nullopt;
  bool is_opaque = false;  ///< the object's values are opaque (OpaqueUse)
  /// For shared memory with a named block (`s @ cta 1`): the place of the block. Warp and lane have no
  /// meaning.
  std::optional<ThreadPlace> home = std::nullopt;
  std::optional<MbarrierCell> mbarrier = std::nullopt;  ///< encoding of an mbarrier object
};

/// One memory cell: the unit of coherence. Cells never overlap.
struct Location {
  std::string name;  ///< "x", "data[3]", "b0:s[1]"
  ObjectId object = 0;
  std::uint32_t index = 0;
  ScalarType type;
  Value initial = 0;
};

/// Pointers are plain 64-bit values. The upper half holds the object number plus one, so that 0 is the null pointer.
/// The lower half holds the element index. Pointer arithmetic counts elements, not bytes.
constexpr Value make_address(ObjectId object, std::uint32_t index) {
  return (static_cast<Value>(object) + 1) * (Value{1} << 32) + index;
}

/// Return the object number and the element index of an address value. An object with this number need not exist: the
/// null pointer has the object number -1.
constexpr Value object_of(Value address) { return (address >> 32) - 1; }
constexpr std::uint32_t index_of(Value address) { return static_cast<std::uint32_t>(address & 0xffffffff); }

/// A line `t = tensormap(g, {4,4}, {2,2})` of a PTX litmus file. The map describes an array in global memory as a
/// tensor. The map also gives the size of the box that a tensor copy moves. The innermost dimension is first.
struct TensorMap {
  std::string name;
  ObjectId array = 0;
  std::vector<std::uint32_t> sizes;  ///< elements in each dimension
  std::vector<std::uint32_t> box;
  /// The object that holds the descriptor. Nothing if no instruction of the test changes the descriptor, and no fence
  /// names the descriptor.
  std::optional<ObjectId> descriptor = std::nullopt;
  SourceSpan span;
};

// ---- instructions ----

/// The path by which an access reaches memory (PTX ISA 8.3; Lustig, Cooksey, Giroux, ISCA 2022). Accesses by different
/// proxies need a proxy fence between them. Async is the proxy of cp.async.bulk, fence.proxy.async and related
/// instructions.
enum class Proxy : std::uint8_t { Generic, Constant, Texture, Surface, Async, Tensormap };
std::string_view to_string(Proxy proxy);

/// Properties of a memory instruction's access.
struct MemoryAccess {
  Expr address;     ///< an address value (make_address)
  ScalarType type;  ///< type of the cell
  Order order = Order::Weak;
  Scope scope = Scope::System;  ///< meaningless for a weak access
  bool is_atomic = false;       ///< an operation on an atomic object (the set A); volatile accesses are not atomic
  bool is_volatile = false;     ///< if true, order is Relaxed and scope is System (definitions 2.1)
  bool is_opaque = false;       ///< the value read or written is opaque (OpaqueUse)
  Proxy proxy = Proxy::Generic;
  bool is_read_only = false;  ///< a load such as __ldg or ld.global.nc; concurrent writes of its cell are not allowed
  /// The phase of an mbarrier object is its cell's value divided by this number. The number is 0 for other objects.
  Value phase_size = 0;
};

enum class RmwOp : std::uint8_t {
  Add,
  Subtract,
  Exchange,
  Min,
  Max,
  IncrementWrap,
  DecrementWrap,
  And,
  Or,
  Xor,
  CompareExchange,
  Update,  ///< for mbarriers: stores `operand`, an expression of the old value in `target`
};
std::string_view to_string(RmwOp op);
/// Returns the operator that combines the old value with the operand. Returns nothing for Exchange, CompareExchange and
/// Update, which store the operand itself.
std::optional<Op> operator_of(RmwOp op);

/// Marks instructions that come from lock(l) and unlock(l), so that Ambit need not infer critical sections.
enum class LockRole : std::uint8_t { None, Acquire, Release };

struct Assign {
  RegisterId target = 0;
  Expr value;
};
struct Load {
  RegisterId target = 0;
  MemoryAccess access;
  std::optional<Expr> succeeds = std::nullopt;  ///< for a wait: the result of the wait, as an expression of `target`
};
struct Store {
  MemoryAccess access;
  Expr value;
  LockRole lock = LockRole::None;
};
/// target := old value; memory := op(old, operand). CompareExchange writes `operand` iff old == compare. A failed
/// CompareExchange only reads.
struct Rmw {
  std::optional<RegisterId> target;
  RmwOp op = RmwOp::Exchange;
  MemoryAccess access;
  Expr operand;
  Expr compare;               ///< used only if the operation is CompareExchange
  bool is_reduction = false;  ///< PTX `red`: the old value is never used (the set RED)
  LockRole lock = LockRole::None;
  bool is_arrival = false;        ///< arrives at an mbarrier
  bool takes_either_way = false;  ///< a CompareExchange that may succeed or fail, regardless of the values (OpaqueUse)
};
struct Fence {
  Order order = Order::SeqCst;
  Scope scope = Scope::Device;
  /// True for fence.release|acquire.sync_restrict, which orders only accesses of shared memory. A release orders only
  /// accesses to its own block's shared memory.
  bool is_shared_only = false;
};

/// The memory that fence.proxy.async affects: all memory, or one state space. SharedBlock is the shared memory of the
/// fence's own block.
enum class FenceSpace : std::uint8_t { All, Global, SharedBlock, SharedCluster };

/// The instruction fence.proxy.KIND or fence.proxy.alias. A ProxyFence is not a Fence.
struct ProxyFence {
  Proxy proxy = Proxy::Generic;  ///< meaningless for an alias fence
  bool is_alias = false;
  FenceSpace space = FenceSpace::All;
  /// fence.mbarrier_init.release.cluster: publishes only earlier mbarrier.init operations and is not a proxy fence (PTX
  /// ISA 9.7.13).
  bool is_mbarrier_init = false;
  /// Release and Acquire are the one-directional fences: fence.proxy.async::generic.release|acquire.sync_restrict and
  /// fence.proxy.tensormap::generic. One-directional fences work only in pairs. Suppose synchronisation orders a
  /// release fence before an acquire fence. Then operations before the release fence precede operations of the other
  /// proxy after the acquire fence.
  enum class Direction : std::uint8_t { Both, Release, Acquire } direction = Direction::Both;
  Scope scope = Scope::Cluster;                 ///< scope of a one-directional fence
  std::optional<Value> address = std::nullopt;  ///< for a Tensormap acquire, the address value of the descriptor
};

/// The mechanisms by which a thread waits for its own asynchronous operations. None: the thread can wait only on an
/// mbarrier.
enum class AsyncGroup : std::uint8_t { None, Copy, Bulk, Matrix, TensorLoad, TensorStore, Tensor };

/// An execution fails the assertion if the value is 0.
struct Assert {
  Expr condition;
  std::string misuse = {};  ///< The rule of PTX that a failure violates; behaviour is then undefined.
                            ///< Empty for an assertion of the program.
};

/// One element of an asynchronous operation. The element has a read (`source`), a write (`target`), or both. If the
/// element has both, the write stores the value that the read returns.
struct AsyncElement {
  std::optional<MemoryAccess> source;
  std::optional<MemoryAccess> target;
  Expr value;                      ///< the written value, if there is no source
  std::optional<RmwOp> reduction;  ///< operator that updates the target; absent if the target is overwritten
};

/// A step of a thread that concerns asynchronous operations (PTX ISA 8.9.1.1, 9.7.9.25, 9.7.15).
struct AsyncStep {
  enum class Kind : std::uint8_t {
    Issue,        ///< starts an operation, whose accesses are not in program order
    Commit,       ///< closes the group of the operations issued since the last commit
    Wait,         ///< waits until at most `pending` of the youngest groups are unfinished
    FenceBefore,  ///< the fence tcgen05.fence::before_thread_sync
    FenceAfter,   ///< the fence tcgen05.fence::after_thread_sync
  } kind = Kind::Issue;
  std::string name;  ///< the name for display: "cp.async.bulk"
  AsyncGroup group = AsyncGroup::None;
  std::vector<AsyncElement> elements;
  /// Updates of mbarrier objects when the operation completes. No other operation uses the target registers of these
  /// updates.
  std::vector<Rmw> completions;
  /// A rule for the value that an mbarrier update reads. If the value breaks the rule, behaviour is undefined.
  struct Rule {
    std::size_t completion = 0;  ///< index in `completions`
    Assert rule;
  };
  std::vector<Rule> rules = {};
  /// For tcgen05 operations: two operations form a pipeline only if these modifiers are equal (PTX ISA 9.7.18.6.2),
  /// such as "cta_group::1.kind::f16".
  std::string form = {};
  /// For wgmma.mma_async: the registers that receive the product. Until a wait covers the operation, only the operation
  /// may use these registers.
  std::vector<RegisterId> products = {};
  /// Issue: the operation completes only after the thread's earlier operations in this group (cp.async.mbarrier.arrive,
  /// tcgen05.commit).
  bool tracks_earlier = false;
  std::uint32_t pending = 0;
  bool reads_only = false;   ///< Wait: the thread waits for reads of the sources, but not for writes (.read)
  bool needs_commit = true;  ///< Wait: covers only committed operations; wait_all covers all operations
};

/// An exchange of values between the threads that arrive at a barrier (core/value_exchange.h). Only arrivals with the
/// same function and type exchange values with each other.
struct ValueExchange {
  enum class Function : std::uint8_t { Shuffle, Any, All, Ballot, Match, Count, Add, Min, Max, And, Or, Xor };
  Function function = Function::Shuffle;
  RegisterId target = 0;  ///< receives the result; `value` and `source` do not use this register
  ScalarType type;        ///< type of `value`
  Expr value;             ///< the thread's own contribution
  Expr source;            ///< for a Shuffle, the lane whose value the thread receives
};

enum class BarrierKind : std::uint8_t { Block, Warp, Cluster, Grid };
struct Barrier {
  BarrierKind kind = BarrierKind::Block;
  std::uint32_t id = 0;              ///< number of the block's barrier; 0 is __syncthreads
  std::optional<Expr> resource;      ///< Block: arrivals with the same `id` and `resource` belong together; 0 if absent
  std::optional<Expr> count;         ///< number of expected threads; all threads of the group if absent
  std::uint32_t mask = 0xffffffffU;  ///< Warp: the lanes that take part
  bool arrive_only = false;          ///< the thread does not wait at the barrier, and therefore does not acquire
  bool wait_only = false;            ///< barrier.cluster.wait: waits for the phase of the thread's last arrival
  bool is_relaxed = false;           ///< barrier.cluster.arrive.relaxed and exchanges of a warp: orders no accesses
  bool is_boundary = false;          ///< Grid: the end of a kernel, or the start of the next kernel in its stream
  std::optional<ValueExchange> exchange = std::nullopt;
};
/// Returns the scope in which the barrier orders accesses, which is at least the block (definitions 0). A kernel
/// boundary orders accesses of all GPUs.
Scope scope_of(const Barrier& barrier);

/// Jumps to the instruction with index `target` if `condition` is not 0. If `target` is code.size(), the branch ends
/// the thread.
struct Branch {
  Expr condition;
  std::size_t target = 0;
  /// The condition depends on an opaque value (OpaqueUse), so the branch may jump or not.
  bool takes_either_way = false;
};
struct Jump {
  std::size_t target = 0;
};
/// Excludes executions in which the value is 0.
struct Assume {
  Expr condition;
};

/// The beginning of `atomic(scope) { ... }`. The thread's memory accesses up to the next TransactionEnd in the code
/// form one transaction. The transaction is atomic for all threads in the scope. Transactions do not nest, and no jump
/// enters or leaves a transaction.
struct TransactionBegin {
  Scope scope = Scope::Device;
};
/// The end of a transaction. If `aborted` is present and not 0, the attempt has failed: memory keeps no write of the
/// attempt, but registers keep their new values.
struct TransactionEnd {
  std::optional<Expr> aborted;
};

using Operation = std::variant<Assign, Load, Store, Rmw, Fence, ProxyFence, Barrier, Branch, Jump, Assume, Assert,
                               AsyncStep, TransactionBegin, TransactionEnd>;

/// Returns the access of a load, store or read-modify-write; null for other operations.
const MemoryAccess* access_of(const Operation& operation);
MemoryAccess* access_of(Operation& operation);

/// Return the value that a read-modify-write stores after it has read `old`. A compare-and-swap stores this value only
/// if its comparison succeeds. If the result is the operand itself, the expression is not converted to the type of the
/// access.
Value stored_value(RmwOp op, ScalarType type, Value old, Value operand);
Expr stored_value(const Rmw& rmw, const Expr& old);

/// Returns the register that an operation assigns. An asynchronous step assigns registers only when it completes.
std::optional<RegisterId> assigned_register(const Operation& operation);

/// Returns the target of a branch or jump; null for other operations.
const std::size_t* jump_target(const Operation& operation);
std::size_t* jump_target(Operation& operation);

/// The PTX instruction for one or more steps of a thread. Only mbarrier operations and asynchronous operations need
/// this record. Hardware executes the PTX instruction instead of the steps.
struct MachineInstruction {
  /// An operand after the target, in PTX's order. Address is a memory address. State is the state of an mbarrier that
  /// an arrival returned. For Tensor, `value` is an index into Program::tensor_maps.
  struct Operand {
    enum class Kind : std::uint8_t { Address, Value, State, Sink, Tensor } kind = Kind::Value;
    Expr value;
    std::vector<Value> coordinates = {};  ///< for Tensor, the coordinates of the box
  };
  std::string name;                  ///< the name with all modifiers: "mbarrier.try_wait.parity.shared::cta.b64"
  std::optional<RegisterId> target;  ///< receives a state of an mbarrier, or whether a phase has completed
  std::vector<Operand> operands;

  /// Returns whether the instruction is a tensor copy, or changes, copies or fences a tensor map.
  bool uses_tensor_map() const;
};

struct Instruction {
  Operation operation;
  SourceSpan span;
  /// The steps of one machine instruction are consecutive and share this object. Null if the operation itself
  /// determines the instruction.
  std::shared_ptr<const MachineInstruction> machine = nullptr;
  /// True if the instruction copies a product (AsyncStep::products) between a variable of the source and an operand of
  /// inline assembly. The variable and the operand share one register, so the program needs no copy.
  bool is_binding = false;
};

struct Register {
  std::string name;  ///< "r0"; the compiler's temporaries begin with '%'
  ScalarType type;
  bool is_opaque = false;  ///< may hold an opaque value (OpaqueUse)
};

/// One thread: a list of instructions with jumps. Each backward jump closes a loop. The parsers lower structured
/// control flow to jumps. PTX has labels and jumps already. Registers start at 0.
struct Thread {
  std::string name;  ///< "P0", "b1t32"
  ThreadPlace place;
  /// Number of the thread's grid. A grid depends on the grid with the preceding number, if the test has such a grid.
  int grid = 0;
  std::vector<Register> registers;
  std::vector<Instruction> code;
  SourceSpan span;
};

/// A place where a test's behaviour depends on an opaque value: a value of a floating-point type, or a value computed
/// from such a value. Ambit does not compute opaque values. In place of an opaque value, the program has an integer
/// with the same dependencies. If no opaque value affects control flow or a verdict, the executions are the same for
/// all opaque values.
struct OpaqueUse {
  enum class Kind : std::uint8_t {
    Branch,
    Address,
    Compare,    ///< the success of a compare-and-swap
    Assertion,  ///< assert and assume
    Condition,  ///< the test's condition, which has no effect on races
    Filter
  } kind = Kind::Branch;
  SourceSpan span;
  /// For Branch and Compare: whether both ways are explored (--opaque-branches). The explored executions include all
  /// executions of the program, and may include executions that the program does not have.
  bool is_explored = false;
  /// Returns whether this use makes two answers unknown: the answer about races, and the answer about the condition.
  bool hides_everything() const { return !is_explored && kind != Kind::Condition; }
};
/// Returns the name of the part of the test that depends on the value: "this branch".
std::string_view to_string(OpaqueUse::Kind kind);

// ---- condition and expectations ----

/// A register or cell whose final value is part of an outcome.
struct Observable {
  enum class Kind : std::uint8_t { Register, Memory } kind = Kind::Memory;
  std::uint32_t thread = 0;  ///< used only if the kind is Register
  RegisterId reg = 0;        ///< used only if the kind is Register
  LocationId location = 0;   ///< used only if the kind is Memory
  ScalarType type;
  std::string name;  ///< "P1:r0", "x", "data[1]"
};

enum class Quantifier : std::uint8_t { None, Exists, NotExists, Forall };
/// Returns "exists", "~exists", "forall" or "condition".
std::string_view to_string(Quantifier quantifier);

/// A line `filter (F) exists (P)`. The Register leaves of F and P are indices into Program::observables.
struct Condition {
  Quantifier quantifier = Quantifier::None;
  std::optional<Expr> proposition;  ///< absent with Quantifier::None, which lists the outcomes
  std::optional<Expr> filter;       ///< executions in which the filter is 0 are excluded from all answers
  SourceSpan span;
};

/// The number of allowed executions in which the proposition holds: none, some or all (language.md).
enum class Frequency : std::uint8_t { Never, Sometimes, Always };
std::string_view to_string(Frequency frequency);

/// A line `expect MODEL(option=value, ...) : Sometimes, race on x, executions 4 because "..."`.
struct Expectation {
  std::string model;
  std::map<std::string, std::string> options;
  std::optional<Frequency> frequency;
  bool possible = false;  ///< the proposition holds in some allowed execution: Sometimes or Always
  std::optional<bool> race;
  std::optional<LocationId> race_location;
  std::optional<std::uint64_t> executions;
  bool unknown = false;  ///< the answer is expected to be Unknown
  std::optional<bool> barrier_divergence;
  std::optional<bool> undefined = std::nullopt;  ///< whether some execution breaks a rule of PTX (Assert::misuse)
  std::string because;
  SourceSpan span;
};

/// Names a scheduler by the threads for which it guarantees progress (docs/reference/termination.md). A scheduler
/// chooses between blocks, and is fair to the threads of one block. Hsa, Obe and Lobe are from Sorensen et al.,
/// "Specifying and Testing GPU Workgroup Progress Models", OOPSLA 2021.
enum class Scheduler : std::uint8_t {
  Fair,      ///< every thread
  Hsa,       ///< the threads of the lowest-numbered block that has not finished
  Obe,       ///< the threads of each block that has started (occupancy-bound execution)
  Lobe,      ///< the threads of each block up to the highest-numbered block that has started (linear occupancy-bound)
  Lockstep,  ///< the threads of each warp; a warp's lanes share one program counter and a reconvergence stack
};
/// Returns "fair", "hsa", "obe", "lobe" or "lockstep".
std::string_view to_string(Scheduler scheduler);
std::optional<Scheduler> scheduler_from_string(std::string_view name);

/// A line `expect MODEL(option=value, ...) under SCHEDULER : terminates|stuck|Unknown because "..."`.
struct TerminationExpectation {
  std::string model;
  std::map<std::string, std::string> options;
  Scheduler scheduler = Scheduler::Fair;
  std::optional<bool> terminates;  ///< absent if the expected answer is Unknown
  std::string because;
  SourceSpan span;
};

/// A line `label SUITE : race|norace [predictable]`: the verdict of a benchmark suite.
struct SuiteLabel {
  std::string suite;
  bool race = false;
  bool predictable = false;
  std::string because;
  SourceSpan span;
};

/// A line `detect DETECTOR : race|norace|either`: the expected verdict of a detector over all schedules.
struct DetectExpectation {
  enum class Verdict : std::uint8_t { Race, NoRace, Either } verdict = Verdict::Either;
  std::string detector;
  SourceSpan span;
};

// ---- program ----

/// The number of launched threads in a block. The size of a cluster or grid is the sum over its blocks. The number
/// includes threads without events, because a barrier that only some threads reach is divergent. The key is the gpu and
/// the block number.
struct BlockSize {
  int gpu = 0;
  int block = 0;
  std::uint32_t threads = 0;
};

/// A parsed litmus test. A Program has the same form for all input languages.
struct Program {
  std::string name;
  std::string description;
  std::map<std::string, std::string> metadata;  ///< Key=Value lines
  SourceFilePtr source;
  Diagnostics remarks;       ///< the parser's remarks about accepted constructs that are not part of the language
  bool has_columns = false;  ///< a PTX litmus file: one line of the source holds statements of several threads
  bool is_compiled = false;  ///< the code is a compiler's output, which only models of PTX can check

  std::vector<MemoryObject> objects;
  std::vector<Location> locations;
  std::vector<TensorMap> tensor_maps;
  std::vector<Thread> threads;
  std::vector<BlockSize> blocks;

  std::vector<Observable> observables;  ///< observables of the condition, or all observables if there is no condition
  Condition condition;
  std::vector<OpaqueUse> opaque_uses;  ///< opaque uses in the order of the source
  std::vector<Expectation> expectations;
  std::vector<TerminationExpectation> terminations;
  std::vector<SuiteLabel> labels;
  std::vector<DetectExpectation> detections;

  /// Returns the location to which an address value points; nothing if the address is null or out of its object's
  /// bounds. An address in an alias points to a location of the aliased object.
  std::optional<LocationId> location_at(Value address) const;
  /// Returns the name of the cell at an address. If t is an alias of x, an address in t gives "t", not "x". Returns
  /// nothing if location_at() returns nothing.
  std::optional<std::string> name_at(Value address) const;
  /// Like name_at(), but returns the struct's name, such as "pool[1]", for an address of the struct's first
  /// field.
  std::optional<std::string> pointer_name(Value address) const;
  bool has_aliases() const;
  /// Returns the first instruction that is an asynchronous step or a related mbarrier operation; null if the program
  /// has no such instruction.
  const Instruction* first_asynchronous() const;
  /// Returns the place of the first transaction; nothing if the program has no transaction.
  std::optional<SourceSpan> first_transaction() const;
  bool has_grid_barrier() const;
  /// Returns whether some cluster has threads in several blocks.
  bool has_clusters() const;
};

/// Returns an error at the program's first transaction, for a component that does not support transactions. The message
/// begins with `who`: "the simulator has".
Diagnostics transaction_objections(const Program& program, std::string_view who, std::string hint);

}  // namespace ambit
