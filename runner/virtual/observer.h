#pragma once

#include <array>
#include <cstdint>
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

/// The effect of an access on memory. A Reduction is a read-modify-write whose old value nobody sees (`red`).
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

/// The space of an access, after generic addresses were resolved. Local, constant and parameter memory is private or
/// read-only and is not reported.
enum class AccessSpace : std::uint8_t { Global, Shared };

/// The relation of an access to a cp.async copy. A copy reads and writes at some time between its issue and its
/// completion: its thread waits for it or ends, or an mbarrier that tracks it completes its phase. So each of its
/// accesses is reported at its issue, and again by its thread at the point after which code may rely on it.
enum class CopyStep : std::uint8_t {
  None,
  Issue,
  Tracked,    ///< cp.async.mbarrier.arrive: code after a wait for the phase may rely on the copy, which may be pending
  Completed,  ///< like Tracked, and the copy is complete
  Over,       ///< a copy reported as Tracked is complete; not an access
};

/// One memory instruction of the active lanes of one warp. Lanes that access different spaces through generic addresses
/// are reported as one WarpAccess for each space.
struct WarpAccess {
  std::uint32_t site = 0;   ///< number of the instruction: Device::site
  std::uint32_t block = 0;  ///< linear number in the grid; Shared: the block that executes the access
  std::uint32_t warp = 0;   ///< in the block
  std::uint32_t lanes = 0;  ///< mask of the lanes that access
  AccessKind kind = AccessKind::Read;
  AtomicOperation operation = AtomicOperation::None;
  AccessSpace space = AccessSpace::Global;
  Order order = Order::Weak;
  Scope scope = Scope::Thread;
  bool is_volatile = false;  ///< spelled .volatile; `order` and `scope` are then Relaxed and System
  bool is_constant = false;  ///< ld.global.nc: promised to be read-only during the kernel
  CopyStep copy = CopyStep::None;
  bool is_consecutive = false;     ///< lane i + 1 accesses the bytes right after lane i's, for all 32 lanes
  std::uint8_t bytes = 0;          ///< of a lane, whole width of a vector access: 1 to 32
  std::uint32_t failed = 0;        ///< lanes whose compare-exchange stored nothing
  std::uint32_t target_block = 0;  ///< Shared: the block that owns the memory; differs in clusters only
  /// [32]; lanes outside of `lanes` are undefined. Shared: offset in the block's shared memory.
  const std::uint64_t* addresses = nullptr;
  /// [32], the values read (Read) or stored; the low 8 bytes of a wider access. Null unless Observer::wants_values.
  const std::uint64_t* values = nullptr;
  /// [32], the old values of a ReadModifyWrite or Reduction. Null for others and unless Observer::wants_values.
  const std::uint64_t* old_values = nullptr;

  /// Returns whether a whole warp accesses consecutive words.
  bool is_run() const { return is_consecutive && bytes == 4 && lanes == ~0U; }
};

/// Describes a launch to an observer.
struct LaunchInfo {
  std::uint32_t launch = 0;  ///< counts from 0 in a Device
  std::string_view kernel;   ///< mangled name
  Extent grid;
  Extent block;
  Extent cluster;  ///< in blocks; 1 x 1 x 1 without clusters
  std::uint32_t warps_of_block = 0;
  std::uint32_t shared_bytes = 0;     ///< static and dynamic, of a block
  std::uint64_t stream = 0;           ///< as given in Launch::stream
  bool invalidates_barriers = false;  ///< the kernel or a function that it can call has mbarrier.inval
};

/// A barrier arrival of the active lanes of one warp.
struct BarrierArrival {
  std::uint32_t site = 0;
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint32_t barrier = 0;    ///< 0 to 15; kClusterBarrier for barrier.cluster
  std::uint32_t count = 0;      ///< threads that it waits for; 0: all of the block
  bool is_arrive_only = false;  ///< bar.arrive: does not wait
  bool is_wait_only = false;    ///< barrier.cluster.wait: arrived before
};
inline constexpr std::uint32_t kClusterBarrier = 0xffff;

/// Receives the virtual GPU's events in the order they take effect, one call for each warp instruction. All calls come
/// from one thread. By default, each function does nothing.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// Returns whether WarpAccess::values and old_values are needed. Called once for each launch.
  virtual bool wants_values() const { return false; }

  virtual void begin_launch(const LaunchInfo& /*info*/) {}
  /// Returns whether it needs the events of the launch that has begun. Called once for each launch.
  virtual bool wants_events() const { return true; }
  /// Called also after a launch that a fault, a deadlock or a limit ended.
  virtual void end_launch() {}
  virtual void access(const WarpAccess& /*access*/) {}
  virtual void fence(std::uint32_t /*site*/, std::uint32_t /*block*/, std::uint32_t /*warp*/, std::uint32_t /*lanes*/,
                     Order /*order*/, Scope /*scope*/) {}
  virtual void barrier(const BarrierArrival& /*arrival*/) {}
  /// All threads have arrived; the waiting ones go on. `block` is the first block of the cluster for kClusterBarrier.
  virtual void barrier_complete(std::uint32_t /*block*/, std::uint32_t /*barrier*/) {}
  /// The lanes met at a bar.warp.sync or another `.sync` instruction. `orders_memory`: bar.warp.sync only; the others
  /// exchange values and do not order memory.
  virtual void warp_barrier(std::uint32_t /*site*/, std::uint32_t /*block*/, std::uint32_t /*warp*/,
                            std::uint32_t /*lanes*/, bool /*orders_memory*/) {}
  /// The block starts; its shared memory is fresh.
  virtual void block_begin(std::uint32_t /*block*/) {}
  virtual void block_end(std::uint32_t /*block*/) {}
  /// The host stored into device memory, itself or by a copy or memset.
  virtual void host_wrote(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void allocated(std::uint32_t /*allocation*/, std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void freed(std::uint32_t /*allocation*/) {}
};

}  // namespace ambit::virtual_gpu
