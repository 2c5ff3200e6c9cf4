#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/scope.h"

namespace ambit::virtual_gpu {

/// Extent of a grid, a block or a cluster in three dimensions.
struct Extent {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// The effect of an access on memory. A Reduction is a read-modify-write that does not return the old value (`red`).
enum class AccessKind : std::uint8_t { Read, Write, ReadModifyWrite, Reduction };

/// The operation of a ReadModifyWrite or a Reduction.
enum class AtomicOperation : std::uint8_t {
  None,
  Add,
  And,
  Or,
  Xor,
  Exchange,
  CompareExchange,
  Minimum,
  Maximum,
  Increment,
  Decrement,
};

/// The memory space of an access, determined after generic addresses are resolved. Accesses to local, constant and
/// parameter memory are not reported, because these memories are private or read-only.
enum class AccessSpace : std::uint8_t { Global, Shared };

/// The relation of an access to a cp.async copy. A copy reads and writes between its issue and its completion. A copy
/// is complete when its thread waits for the copy, when its thread ends, or when an mbarrier that tracks the copy
/// completes its phase. The observer receives each access of the copy twice: at the issue, and when code may begin to
/// rely on the copy. The second report is an access of the copying thread.
enum class CopyStep : std::uint8_t {
  None,
  Issue,
  /// At cp.async.mbarrier.arrive: code after a wait for the phase may rely on the copy. The copy may still be pending.
  Tracked,
  Completed,  ///< like Tracked, but the copy is complete
  Over,       ///< a copy that was reported as Tracked is complete; this is not another access
};

/// The execution of a memory instruction by the active lanes of a warp. If lanes access different spaces through
/// generic addresses, there is a WarpAccess for each space.
struct WarpAccess {
  std::uint32_t site = 0;   ///< number of the instruction (see Device::site)
  std::uint32_t block = 0;  ///< linear number of the block that executes the access
  std::uint32_t warp = 0;   ///< number of the warp in the block
  std::uint32_t lanes = 0;  ///< mask of the lanes that access
  AccessKind kind = AccessKind::Read;
  AtomicOperation operation = AtomicOperation::None;
  AccessSpace space = AccessSpace::Global;
  Order order = Order::Weak;
  Scope scope = Scope::Thread;
  bool is_volatile = false;  ///< the instruction has .volatile; `order` and `scope` are then Relaxed and System
  bool is_constant = false;  ///< ld.global.nc, which promises that the memory is read-only during the kernel
  CopyStep copy = CopyStep::None;
  bool is_consecutive = false;  ///< each of the 32 lanes accesses the bytes directly after the previous lane's bytes
  std::uint8_t bytes = 0;       ///< bytes that one lane accesses, including all elements of a vector: 1 to 32
  std::uint32_t failed = 0;     ///< mask of the lanes whose compare-exchange failed
  /// For shared memory: the block that owns the memory. `target_block` can differ from `block` only in clusters.
  std::uint32_t target_block = 0;
  /// 32 addresses; undefined for lanes that are not in `lanes`. For shared memory: offsets in the block's shared
  /// memory.
  const std::uint64_t* addresses = nullptr;
  /// 32 values: for a Read, the values that were read; for any other access, the stored values. For an access wider
  /// than 8 bytes, only the low 8 bytes. Null unless Observer::wants_values.
  const std::uint64_t* values = nullptr;
  /// 32 old values of a ReadModifyWrite or Reduction. Null for other kinds, and null unless Observer::wants_values.
  const std::uint64_t* old_values = nullptr;

  /// Returns whether a whole warp accesses consecutive words.
  bool is_run() const { return is_consecutive && bytes == 4 && lanes == ~0U; }
};

/// A variable in the shared memory of a kernel's blocks.
struct SharedVariable {
  std::string name;                 ///< mangled name
  std::uint32_t offset = 0;         ///< offset in the block's shared memory
  std::uint64_t bytes = 0;          ///< 0 for dynamic shared memory
  std::uint32_t element_bytes = 0;  ///< size of an array's elements; 0 if unknown
};

/// Describes a launch to an observer.
struct LaunchInfo {
  std::uint32_t launch = 0;  ///< number of the launch on this Device, from 0
  std::string_view kernel;   ///< mangled name
  Extent grid;
  Extent block;
  Extent cluster;  ///< size of a cluster in blocks; 1 x 1 x 1 without clusters
  std::uint32_t warps_of_block = 0;
  std::uint32_t shared_bytes = 0;  ///< static and dynamic shared memory of a block
  /// The variables in shared memory, ordered by offset. Valid as long as the Device exists.
  std::span<const SharedVariable> shared;
  std::uint64_t stream = 0;           ///< Launch::stream
  bool invalidates_barriers = false;  ///< the kernel or a function that it can call has mbarrier.inval
};

/// A barrier arrival of the active lanes of one warp.
struct BarrierArrival {
  std::uint32_t site = 0;
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint32_t barrier = 0;    ///< number of the barrier, 0 to 15; kClusterBarrier for barrier.cluster
  std::uint32_t count = 0;      ///< number of threads that the barrier waits for; 0 for all threads of the block
  bool is_arrive_only = false;  ///< bar.arrive: does not wait
  bool is_wait_only = false;    ///< barrier.cluster.wait: the lanes have already arrived
};
inline constexpr std::uint32_t kClusterBarrier = 0xffff;

/// Receives the virtual GPU's events in the order in which they take effect, with one call for each warp instruction.
/// All calls come from one thread. By default, each function does nothing.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// Returns whether WarpAccess::values and old_values are needed. Called once for each launch.
  virtual bool wants_values() const { return false; }

  virtual void begin_launch(const LaunchInfo& /*info*/) {}
  /// Returns whether the observer needs the events of the launch that has begun. Called once for each launch.
  virtual bool wants_events() const { return true; }
  /// Ends a launch. The device calls this function even if a fault, a deadlock or a limit ended the launch.
  virtual void end_launch() {}
  virtual void access(const WarpAccess& /*access*/) {}
  virtual void fence(std::uint32_t /*site*/, std::uint32_t /*block*/, std::uint32_t /*warp*/, std::uint32_t /*lanes*/,
                     Order /*order*/, Scope /*scope*/) {}
  virtual void barrier(const BarrierArrival& /*arrival*/) {}
  /// Reports that all threads have arrived; the waiting threads continue. For kClusterBarrier, `block` is the first
  /// block of the cluster.
  virtual void barrier_complete(std::uint32_t /*block*/, std::uint32_t /*barrier*/) {}
  /// Reports that the lanes met at a bar.warp.sync or another `.sync` instruction. `orders_memory` is true only for
  /// bar.warp.sync. The other instructions exchange values and do not order memory.
  virtual void warp_barrier(std::uint32_t /*site*/, std::uint32_t /*block*/, std::uint32_t /*warp*/,
                            std::uint32_t /*lanes*/, bool /*orders_memory*/) {}
  /// Reports that a block starts. The block's shared memory is uninitialised.
  virtual void block_begin(std::uint32_t /*block*/) {}
  virtual void block_end(std::uint32_t /*block*/) {}
  /// Reports that the host wrote to device memory, directly or by a copy or memset.
  virtual void host_wrote(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void allocated(std::uint32_t /*allocation*/, std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void freed(std::uint32_t /*allocation*/) {}
};

}  // namespace ambit::virtual_gpu
