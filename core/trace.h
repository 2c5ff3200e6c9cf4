#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"
#include "core/expr.h"
#include "core/program.h"
#include "core/scope.h"

namespace ambit {

// A trace describes one run. A trace is the sequence of the run's events, in the order in which they took effect
// (docs/reference/traces.md).

/// The kind of an event in a trace. The binary format numbers the kinds in this order.
enum class TraceOp : std::uint8_t {
  Read,
  Write,
  Rmw,        ///< read-modify-write whose old value is used; a failed compare-exchange only reads
  Reduction,  ///< PTX `red`: the old value is never used, so the operation never acquires
  Fence,
  Barrier,  ///< arrival at a barrier of the block, cluster or grid; the event's scope gives the level
  WarpBarrier,
  LockAcquire,  ///< an acquired lock, in traces that name locks
  LockRelease,
  Fork,  ///< in traces of CPU programs: orders the thread's earlier events before all events of thread `object`
  Join,
  Exit,
  // Asynchronous operations (docs/reference/traces.md, docs/reference/async.md). The trace represents each operation as
  // a thread with an issuer.
  Issue,             ///< starts the operation `object`, which belongs to `group`
  Commit,            ///< closes the open group
  GroupWait,         ///< waits until at most `count` of the youngest groups are unfinished
  Complete,          ///< the operation is complete and updates the mbarrier `object` in phase `value`
  ProxyFence,        ///< fence.proxy.async; `count` is its FenceSpace
  MbarrierInit,      ///< initialises or invalidates the mbarrier `object`
  MbarrierArrive,    ///< changes an mbarrier in phase `value`
  MbarrierWait,      ///< reads an mbarrier in phase `value`, so all earlier phases have completed
  TransactionBegin,  ///< begins an attempt; in the three transaction kinds, `object` is kTransactionLock
  TransactionCommit,
  TransactionAbort,  ///< ends an attempt that left no effect
};
inline constexpr std::size_t kTraceOps = 23;

/// The lock that transactions hold when a detector treats them as critical sections.
inline constexpr std::string_view kTransactionLock = "transaction lock";

/// The operation of a read-modify-write. The value is Generic if the operation is unknown.
enum class TraceRmw : std::uint8_t {
  Generic,
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
  CompareExchange
};
inline constexpr std::size_t kTraceRmws = 12;
TraceRmw to_trace_rmw(RmwOp op);
/// Returns "add", "exch", "cas" ...; "" for Generic.
std::string_view to_string(TraceRmw op);

/// The number of an absent location, site or thread.
inline constexpr std::uint32_t kNoName = 0xffffffffU;
/// The mask of a warp barrier that includes all existing lanes.
inline constexpr std::uint32_t kAllLanes = 0xffffffffU;

/// One event. An event has a fixed size, because it refers to names by their numbers in the TraceTables.
struct TraceEvent {
  TraceOp op = TraceOp::Read;
  TraceRmw rmw = TraceRmw::Generic;
  Order order = Order::Weak;
  Scope scope = Scope::System;          ///< scope of the event, lock or transaction; level of a barrier
  bool is_volatile = false;             ///< if true, order is Relaxed and scope is System, and the access is not atomic
  bool is_failed = false;               ///< a compare-exchange that only read
  bool has_value = false;               ///< `value` is known
  bool has_old_value = false;           ///< for a read-modify-write: `old_value` is known
  bool arrive_only = false;             ///< a barrier arrival that does not wait
  bool is_async = false;                ///< an access by the async proxy
  bool reads_only = false;              ///< GroupWait: waits for the reads of the operations, not for their writes
  bool covers_all = false;              ///< GroupWait: also waits for uncommitted operations.
                                        ///< Issue: completes after all earlier operations of its group.
  AsyncGroup group = AsyncGroup::None;  ///< the group of an Issue, Commit or GroupWait
  std::uint32_t thread = 0;
  std::uint32_t object = kNoName;  ///< location or lock; number of a barrier; the other thread of Fork, Join, Issue
  std::uint32_t site = kNoName;    ///< place in the source
  /// Barrier: number of expected threads, 0 for all. WarpBarrier: mask of lanes. GroupWait, ProxyFence: see TraceOp.
  std::uint32_t count = 0;
  Value value = 0;      ///< for Read, the value read; otherwise the value written
  Value old_value = 0;  ///< used only if the event is an Rmw or Reduction

  bool is_access() const { return op <= TraceOp::Reduction; }
  bool is_update() const { return op == TraceOp::Rmw || op == TraceOp::Reduction; }
  bool is_write() const { return is_access() && op != TraceOp::Read && !is_failed; }
  bool is_read() const { return op == TraceOp::Read || op == TraceOp::Rmw; }
  /// Returns whether the event is an operation on an atomic object (the set A). Plain and volatile accesses are not
  /// atomic operations.
  bool is_atomic() const { return is_access() && order != Order::Weak && !is_volatile; }
  bool is_transaction() const { return op >= TraceOp::TransactionBegin; }
  bool is_asynchronous() const { return op > TraceOp::Exit && op < TraceOp::TransactionBegin; }
  bool is_barrier() const { return op == TraceOp::Barrier || op == TraceOp::WarpBarrier; }

  friend auto operator<=>(const TraceEvent&, const TraceEvent&) = default;
};

/// The shape of the launch. If there are several gpus, each gpu runs a grid of this shape.
struct LaunchGeometry {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t warp = 32;
  std::uint32_t cluster = 1;  ///< number of blocks in a cluster
  std::uint32_t gpus = 1;
  /// True if only the named threads exist, as in traces of CPU programs and of litmus tests. If true, block[0] may be
  /// 0, which means any number of threads.
  bool only_named_threads = false;

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint64_t threads_per_block() const { return std::uint64_t{block[0]} * block[1] * block[2]; }

  friend bool operator==(const LaunchGeometry&, const LaunchGeometry&) = default;
};

/// A thread or asynchronous operation that has events. An operation has the place of the thread that issued it.
struct TraceThread {
  std::string name;
  ThreadPlace place;
  std::uint32_t index_in_block = 0;
  std::uint32_t issuer = kNoName;  ///< for an operation, the thread that issued it

  bool is_operation() const { return issuer != kNoName; }
};

/// A memory cell that has events.
struct TraceLocation {
  std::string name;
  MemorySpace space = MemorySpace::Global;
  int gpu = 0;    ///< for shared memory, the gpu of the block
  int block = 0;  ///< for shared memory, the block
  std::uint32_t object = 0;
  std::uint64_t offset = 0;  ///< bytes from the start of the object
};

/// An array or variable. The object with the name "" contains all cells that the trace names only by an address.
struct TraceObject {
  std::string name;
  std::uint32_t element_size = 4;  ///< size of an element in bytes
};

/// The names in a trace. Names have no duplicates, and their numbers follow the order of first appearance. The tables
/// grow while Ambit reads a trace.
class TraceTables {
 public:
  LaunchGeometry launch;

  const std::vector<TraceThread>& threads() const { return threads_; }
  const std::vector<TraceLocation>& locations() const { return locations_; }
  const std::vector<TraceObject>& objects() const { return objects_; }
  const std::vector<std::string>& sites() const { return sites_; }
  /// Maps locations to their values at the start; nothing for an unknown value. Locations without an entry hold 0.
  const std::unordered_map<std::uint32_t, std::optional<Value>>& initial_values() const { return initial_values_; }

  /// Returns the place of the thread with number `index_in_block` in its block. The warp size determines the warp and
  /// lane of the thread.
  ThreadPlace place(int gpu, std::uint32_t block, std::uint32_t index_in_block) const;
  /// Returns "b0t5", or "g1b0t5" if there are several gpus.
  std::string default_name(int gpu, std::uint32_t block, std::uint32_t index_in_block) const;

  std::optional<std::uint32_t> find_thread(std::string_view name) const;
  /// Returns the thread at a place; nothing if the tables have no thread there.
  std::optional<std::uint32_t> thread_at(int gpu, std::uint32_t block, std::uint32_t index_in_block) const;
  /// Adds a thread, whose name and place must be new.
  std::uint32_t add_thread(std::string name, int gpu, std::uint32_t block, std::uint32_t index_in_block);
  /// Returns the thread at a place. If the place has no thread, adds one under the default name.
  std::uint32_t thread(int gpu, std::uint32_t block, std::uint32_t index_in_block);

  /// Returns operation `number` (from 1) of the thread `issuer`. Adds a new operation under a name such as "P0.1".
  std::uint32_t operation(std::uint32_t issuer, std::uint32_t number);
  /// Returns the issuer and number in an operation's name; nothing if the name is not the name of an operation.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> operation_of_name(std::string_view name) const;

  /// Returns the location with this name: "x", "data[3]", "b0:s[1]" (shared memory of a block), "0x7f00". Adds the
  /// location if it is new.
  std::uint32_t location(std::string_view name);
  std::optional<std::uint32_t> find_location(std::string_view name) const;
  std::uint32_t site(std::string_view name);
  /// Sets the size of an object's elements. Call this function before adding the object's first location.
  void set_element_size(std::string_view object, std::uint32_t bytes);
  // The functions append_*() are for traces of programs, in which locations have numbers instead of names. These
  // functions add no name to the index, so that a million cells fit into memory.
  /// Adds a thread under its default name; its place must be new.
  std::uint32_t append_thread(int gpu, std::uint32_t block, std::uint32_t index_in_block);
  /// Adds an object without a name.
  std::uint32_t append_object(std::uint32_t element_size);
  /// Adds a cell of an object that append_object() returned, under the name "#N", where N is the cell's number. `block`
  /// is the block of shared memory; nothing for global memory.
  std::uint32_t append_location(std::optional<std::uint32_t> block, std::uint32_t object, std::uint64_t offset);
  /// Returns the name of a location; "#N" if location number N is not in the tables.
  std::string location_name(std::uint32_t location) const;
  /// Adds a site; its name must be new.
  std::uint32_t append_site(std::string name);
  void set_initial_value(std::uint32_t location, std::optional<Value> value) { initial_values_[location] = value; }

 private:
  std::uint32_t object(std::string_view name);
  std::uint64_t thread_key(int gpu, std::uint32_t block, std::uint32_t index_in_block) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Names = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  std::vector<TraceThread> threads_;
  std::vector<TraceLocation> locations_;
  std::vector<TraceObject> objects_;
  std::vector<std::string> sites_;
  Names thread_names_;
  Names location_names_;
  Names object_names_;
  Names site_names_;
  std::unordered_map<std::uint64_t, std::uint32_t> thread_places_;
  std::unordered_map<std::uint32_t, std::optional<Value>> initial_values_;
};

/// Reads the events of a trace in order, from any storage.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Returns tables that are complete for all events returned so far.
  virtual const TraceTables& tables() const = 0;
  /// Stores the next events at the beginning of `events` and returns their number; 0 at the end of the trace. If the
  /// input is malformed, contradictory or truncated, returns an error with its line or byte, and no events.
  virtual Result<std::size_t> read(std::span<TraceEvent> events) = 0;
};

/// Writes the events of a trace in order.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  /// `tables` must contain all names of the events, and must be the same object in each call.
  virtual Result<bool> write(const TraceTables& tables, std::span<const TraceEvent> events) = 0;
  /// Completes the output after the last event.
  virtual Result<bool> finish(const TraceTables& tables) = 0;
};

/// A trace in memory.
struct Trace {
  TraceTables tables;
  std::vector<TraceEvent> events;
};

/// Reads a trace in memory.
class MemoryTraceReader : public TraceReader {
 public:
  /// `trace` must outlive the reader.
  explicit MemoryTraceReader(const Trace& trace) : trace_(trace) {}
  const TraceTables& tables() const override { return trace_.tables; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  const Trace& trace_;
  std::size_t next_ = 0;
};

}  // namespace ambit
