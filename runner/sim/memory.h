#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/program.h"
#include "runner/sim/simulator_options.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// An action of the memory.
struct MemoryAction {
  enum class Kind : std::uint8_t {
    Drain,      ///< a thread's store leaves its buffer
    WriteBack,  ///< a dirty line moves to the next lower level
  };
  Kind kind = Kind::Drain;
  std::uint32_t unit = 0;  ///< number of the thread (Drain) or of the cache (WriteBack)
  LocationId location = 0;
  friend bool operator==(const MemoryAction&, const MemoryAction&) = default;
};

/// A value that a part of the memory holds.
struct HeldValue {
  LocationId location = 0;
  Value value = 0;
  bool is_dirty = false;  ///< in a cache: the value is not yet written back
  friend bool operator==(const HeldValue&, const HeldValue&) = default;
};

/// All contents of memory, for display.
struct MemoryContents {
  struct Cache {
    std::string name;                    ///< "L1.b0"
    std::uint32_t level = 0;             ///< 0 is nearest to the threads
    std::vector<std::uint32_t> threads;  ///< threads whose accesses use the cache
    std::vector<HeldValue> lines;        ///< lines in the order of the locations
  };
  std::vector<HeldValue> values;  ///< contents of the memory that all threads share, including shared memory of blocks
  std::vector<Cache> caches;
  /// For each thread, its buffered stores, oldest first. Empty if the memory has no buffers.
  std::vector<std::vector<HeldValue>> buffers;
};
/// Returns the caches and buffers with their contents, one per line. A star marks dirty values.
std::vector<std::string> lines_of(const MemoryContents& contents, const Program& program);

/// The memory of a simulated machine. A Memory contains no state of a run; all state is in a MemoryState. Threads and
/// locations have the program's numbers.
class Memory {
 public:
  virtual ~Memory() = default;

  virtual void reset(MemoryState& memory) const = 0;

  /// Returns the number of ways in which a reading access can find its value. There are several ways if caches have
  /// clean copies of the location, because a cache may drop a clean copy before the read. In way number w, the caches
  /// drop the w copies nearest to the thread.
  virtual unsigned ways(const MemoryState& memory, std::uint32_t thread, const MemoryAccess& access,
                        LocationId location) const = 0;
  /// Returns the value that a load finds. Requires `way` < ways(...).
  virtual Value load(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                     unsigned way) const = 0;
  virtual void store(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                     Value value) const = 0;
  /// Performs the read of a read-modify-write. Unless the compare fails, end_update() must follow immediately and
  /// perform the write.
  virtual Value begin_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                             unsigned way) const = 0;
  virtual void end_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                          Value value) const = 0;
  /// Performs the acquire at the end of a read-modify-write.
  virtual void acquire_after(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access) const = 0;
  virtual void fence(MemoryState& memory, std::uint32_t thread, Order order, Scope scope) const = 0;

  /// Returns the cache in which the thread's operations of scope `scope` take effect. Returns kNone if these operations
  /// take effect in the memory that all gpus share.
  virtual std::uint32_t place(std::uint32_t thread, Scope scope, LocationId location) const = 0;

  /// Returns the level at which an access takes effect; 0 is the nearest cache.
  virtual std::uint32_t level(const MemoryAccess& access, LocationId location) const = 0;
  /// Returns whether `value` is the only value that a read at level `level` can return.
  virtual bool finds_only(const MemoryState& memory, std::uint32_t thread, LocationId location, std::uint32_t level,
                          Value value) const = 0;

  /// Appends the possible actions of the memory.
  virtual void add_actions(const MemoryState& memory, std::vector<MemoryAction>& actions) const = 0;
  virtual void perform(MemoryState& memory, const MemoryAction& action) const = 0;

  /// Returns the name of a cache, "L1.b0".
  virtual std::string cache_name(std::uint32_t cache) const = 0;
  virtual MemoryContents contents(const MemoryState& memory) const = 0;
};

/// Creates a memory. `program` must outlive the memory.
std::unique_ptr<Memory> make_memory(const Program& program, const Options& options);

}  // namespace ambit::sim
