#pragma once

#include <array>

#include "runner/sim/memory.h"

namespace ambit::sim {

/// The memory of a gpu as in Figure 1 of ScoRD (Kamath, George, Basu, ISCA 2020), idealised
/// (docs/reference/simulator.md):
///
///   thread ── store buffer ── L1 of its multiprocessor ── L2 of its gpu ── system memory
///
/// L1s are not coherent. A line stays in the L1 until the L1 drops it. A store makes the line dirty, and a dirty line
/// may be written back at any time. With one gpu, the L2 is the memory that all threads share. With several gpus, each
/// L2 is a cache of system memory, in the same way as each L1 is a cache of its L2.
///
/// Every operation takes effect at a level that its scope determines: block scope in the L1, cluster and device scope
/// in the L2, system scope (and volatile) in system memory. The operation first writes the location back from each
/// cache above that level and drops the location from these caches. A release first empties the thread's buffer and
/// writes back all dirty lines of the caches above that level. These include lines that other threads wrote and this
/// thread observed (cumulativity). An acquire then drops all clean lines of these caches. Each operation is one step.
///
/// A block's shared memory has one copy and no cache.
class GpuMemory : public Memory {
 public:
  /// `program` must outlive this object.
  GpuMemory(const Program& program, const Options& options);

  void reset(MemoryState& memory) const override;
  unsigned ways(const MemoryState& memory, std::uint32_t thread, const MemoryAccess& access,
                LocationId location) const override;
  Value load(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
             unsigned way) const override;
  void store(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
             Value value) const override;
  Value begin_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                     unsigned way) const override;
  void end_update(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access, LocationId location,
                  Value value) const override;
  void acquire_after(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access) const override;
  void fence(MemoryState& memory, std::uint32_t thread, Order order, Scope scope) const override;
  std::uint32_t place(std::uint32_t thread, Scope scope, LocationId location) const override;
  std::uint32_t level(const MemoryAccess& access, LocationId location) const override;
  bool finds_only(const MemoryState& memory, std::uint32_t thread, LocationId location, std::uint32_t level,
                  Value value) const override;
  void add_actions(const MemoryState& memory, std::vector<MemoryAction>& actions) const override;
  void perform(MemoryState& memory, const MemoryAction& action) const override;
  std::string cache_name(std::uint32_t cache) const override;
  MemoryContents contents(const MemoryState& memory) const override;

 private:
  static constexpr std::size_t kMaxDepth = 2;
  using Line = CacheLine;

  Line& line(MemoryState& memory, std::uint32_t cache, LocationId location) const {
    return memory.lines[cache * locations_ + location];
  }
  const Line& line(const MemoryState& memory, std::uint32_t cache, LocationId location) const {
    return memory.lines[cache * locations_ + location];
  }
  std::uint32_t level_of(Scope scope) const;
  const BufferedStore* find_buffered(const MemoryState& memory, std::uint32_t thread, LocationId location) const;

  /// Puts a value into the cache at `level` of the path, or into memory if the path has no cache at this level.
  void put(MemoryState& memory, const std::array<std::uint32_t, kMaxDepth>& path, std::uint32_t level,
           LocationId location, Value value) const;
  /// Writes the location back from the caches above `level` and drops it from these caches.
  void purge(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location) const;
  Value read_at(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location,
                unsigned way) const;
  void write_at(MemoryState& memory, std::uint32_t thread, std::uint32_t level, LocationId location, Value value) const;
  void drain(MemoryState& memory, std::uint32_t thread, std::size_t entry) const;
  void drain_location(MemoryState& memory, std::uint32_t thread, LocationId location) const;
  void release(MemoryState& memory, std::uint32_t thread, std::uint32_t level) const;
  void acquire(MemoryState& memory, std::uint32_t thread, std::uint32_t level) const;
  void before(MemoryState& memory, std::uint32_t thread, const MemoryAccess& access) const;

  const Program& program_;
  std::size_t locations_ = 0;
  std::uint32_t depth_ = 1;  ///< number of caches between a store buffer and the memory that all gpus share
  std::size_t capacity_ = 0;
  bool warm_ = true;
  bool notes_arrivals_ = false;
  std::vector<std::array<std::uint32_t, kMaxDepth>> paths_;  ///< for each thread, its caches
  /// For each cache, the path of a thread that uses it.
  std::vector<std::array<std::uint32_t, kMaxDepth>> cache_paths_;
  std::vector<std::uint32_t> cache_levels_;
  std::vector<std::string> cache_names_;
  std::vector<bool> is_shared_;  ///< for each location, whether it is in shared memory
};

}  // namespace ambit::sim
