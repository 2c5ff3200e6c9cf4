#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runner/shadow/shadow_memory.h"
#include "runner/shadow/stream_order.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Two unordered accesses to the same place in device memory, by work in different streams.
struct StreamRace {
  struct Side {
    std::uint32_t site = kCopy;  ///< instruction of a kernel; kCopy for a copy, which has no instructions
    bool is_write = false;
    bool is_atomic = false;
    std::string work;  ///< "kernel `add` (launch 3)", "cudaMemcpyAsync"
    std::string name;  ///< "add", "cudaMemcpyAsync"
    std::uint64_t stream = 0;
  };
  static constexpr std::uint32_t kCopy = 0xffffffffU;

  Side first;  ///< the side that was issued earlier
  Side second;
  std::uint64_t address = 0;  ///< address of one of the places with a race
  std::uint64_t count = 0;    ///< number of pairs of accesses
};

/// Finds races between work in different streams. Keeps the last accesses of kernels and copies to each word of device
/// memory, from launch to launch. Uses the rule of FastTrack (Flanagan and Freund, PLDI 2009) with streams as threads.
/// Atomic accesses of device scope do not race with each other. Suppose that an atomic read in one kernel returns the
/// value of an atomic write in another kernel. The reading kernel is then ordered after the writing kernel if two
/// conditions hold. The write must be a release or follow a release fence of its thread, and the read must be an
/// acquire or precede an acquire fence (PTX ISA, sections 8.7 and 8.8: release and acquire patterns,
/// synchronizes-with). The kernels are ordered as a whole. Therefore the class may miss races of accesses that the
/// fences do not order, but it reports no false positives.
class StreamHistory : public virtual_gpu::Observer {
 public:
  using Report = std::function<void(const StreamRace&)>;
  /// `order` must outlive this object.
  StreamHistory(StreamOrder& order, Report report);

  /// Begins `work`. The next calls of touch() record accesses of this work.
  void begin(StreamWork work, std::uint64_t stream, std::string name, std::string text);
  /// Records that the work reads or writes a range of device memory.
  void touch(std::uint64_t address, std::uint64_t bytes, bool is_write);
  /// Reports the races of the work.
  void end();

  // ---- Observer ----
  void access(const virtual_gpu::WarpAccess& access) override;
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override;
  void end_launch() override { end(); }

 private:
  struct Work {
    StreamWork work;
    std::uint64_t stream = 0;
    std::string name;
    std::string text;
  };
  /// An access in a cell. `work` is an index in works_ plus 1, combined with kAtomic for atomic accesses and kReleases
  /// for releases.
  struct Entry {
    std::uint32_t work = 0;
    std::uint32_t site = 0;
  };
  struct Cell {
    Entry write;
    Entry read;
    std::uint32_t more_reads = 0;  ///< index of a list plus 1; 0 if there is no list
    std::uint32_t unused = 0;
  };
  struct Now {
    std::uint32_t site = 0;
    bool reads = false;
    bool writes = false;
    bool is_atomic = false;
    bool releases = false;
    bool acquires = false;
    std::uint32_t warp = 0;  ///< number of the warp in the grid
    std::uint32_t lane = 0;  ///< mask of the lane
  };
  /// For a warp in the current work: the lanes that have executed a release fence, and the lanes' reads of values that
  /// other work released.
  struct WarpState {
    std::uint32_t fenced = 0;
    struct Observation {
      std::uint32_t lane = 0;  ///< mask of the lane
      StreamWork work;
    };
    std::vector<Observation> observed;
  };

  static constexpr std::uint32_t kAtomic = 0x80000000U;
  static constexpr std::uint32_t kReleases = 0x40000000U;
  static constexpr std::uint32_t kNumber = kReleases - 1;

  void visit(Cell& cell, std::uint64_t address, const Now& now);
  void observe(const Entry& write, const Now& now);
  std::uint32_t warp_number(std::uint32_t block, std::uint32_t warp) const { return block * 32 + warp; }
  bool is_ordered(const Entry& entry) const;
  void check(const Entry& before, bool was_write, const Now& now, std::uint64_t address);
  void keep_read(Cell& cell, const Entry& entry);

  StreamOrder& order_;
  Report report_;
  std::vector<Work> works_;
  std::unordered_map<std::uint32_t, WarpState> warps_;  ///< the warps of the current work; the key is warp_number()
  ShadowMemory<sizeof(Cell)> memory_;
  std::vector<std::vector<Entry>> lists_;
  struct Key {
    std::uint64_t sites;
    std::uint64_t flags;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.sites * 0x9e3779b97f4a7c15ULL ^ key.flags; }
  };
  std::unordered_map<Key, StreamRace, KeyHash> found_;  ///< races found in the current work
};

}  // namespace ambit::shadow
