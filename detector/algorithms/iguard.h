#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "detector/algorithms/warp_group.h"
#include "detector/detector.h"
#include "detector/inference/places.h"
#include "detector/race_log.h"

namespace ambit::detector {

struct IguardOptions {
  /// If true, behave like the published source: it has two words of metadata, counters wrap, and the bins of a lock
  /// signature overlap.
  bool as_source = false;
};

/// iGUARD (Kamath, Basu, SOSP 2021): stores the last writer and the last accessor of each word of global memory.
/// Checks a store against the last accessor, and a load against the last writer. Handles scoped fences, atomics and
/// locks like ScoRD, and also diverged lanes of one warp.
class Iguard : public Detector {
 public:
  Iguard(const TraceTables& tables, const IguardOptions& options);
  SyncInference::Depth depth() const override { return SyncInference::Depth::Sections; }
  void on(const Observation& observation) override;
  void finish(std::span<const Action> /*rest*/, const SyncInference& /*inference*/) override { flush(); }
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  struct Party {
    std::uint32_t thread = kNoName;
    std::uint32_t warp = kNoName;
    std::uint32_t block = kNoName;
    std::uint32_t site = kNoName;
    std::uint32_t barrier = 0;
    std::uint32_t warp_barrier = 0;
    std::uint32_t device_fence = 0;
    std::uint32_t block_fence = 0;
    std::uint64_t event = 0;
    bool is_write = false;
    bool is_atomic = false;
  };
  struct Metadata {
    bool is_valid = false;
    bool is_modified = false;
    bool is_atomic = false;         ///< of the last access
    bool is_block_scope = false;    ///< of the last access
    bool is_block_shared = false;   ///< read by several warps of a block since the last write
    bool is_device_shared = false;  ///< read by several blocks since the last write
    std::uint16_t locks = 0;
    Party writer;
    Party accessor;
    Party reader;  ///< the last accessor other than the thread of `accessor`; used only in reports
  };
  struct HeldLock {
    std::uint32_t number = kNoName;  ///< for block scope, combined with the block's number
    bool is_block = false;
    bool is_active = false;
  };
  struct LockTable {
    std::array<HeldLock, 3> locks;
    std::uint16_t active = 0;
    bool is_empty = true;  ///< the warp or thread has not taken a lock yet
  };
  struct Fences {
    std::uint32_t device = 0;
    std::uint32_t block = 0;
  };
  enum class Safe : std::uint8_t { No, SameEpoch, NewEpoch };

  void flush();
  void access(const WarpGroup::Member& member);
  /// Applies the rules and updates the signature and the flags. Returns the kind of the race with the recorded access,
  /// or nothing if there is no race.
  std::optional<RaceKind> check(Metadata& known, const Party& now, std::uint16_t locks);
  /// Returns whether program order, a barrier or an atomic of sufficient scope orders the access.
  Safe is_safe(const Metadata& known, const Party& before, const Party& now) const;
  std::optional<RaceKind> check_fences(const Metadata& known, const Party& before, const Party& now) const;
  void note_sharing(Metadata& known, const Party& before, const Party& now);
  bool share_lock(std::uint16_t a, std::uint16_t b) const;
  Party party(const WarpGroup::Member& member);
  void report(const Metadata& known, const Party& now, std::uint32_t location, RaceKind kind);

  void update_locks(const TraceEvent& event);
  void enter_lock(const TraceEvent& event, bool is_active);
  void leave_lock(const TraceEvent& event);
  /// Returns the number of a lock within its block. As in ScoRD, adjacent locks have different numbers.
  std::uint32_t block_lock(std::uint32_t location, std::uint32_t block) const;
  void enter(LockTable& table, const HeldLock& lock);
  void recompute_active(LockTable& table) const;
  /// Returns the lock table of the thread's warp. If several lanes of the warp have acquired locks by one instruction,
  /// returns the thread's own table instead.
  LockTable& lock_table(std::uint32_t thread);
  void fence(std::uint32_t thread, Scope scope);
  void barrier(const BarrierTracker::Completion& done);
  std::uint32_t field(std::uint32_t value, std::uint32_t bits) const {
    return options_.as_source ? value & ((1U << bits) - 1U) : value;
  }

  const TraceTables& tables_;
  IguardOptions options_;
  ThreadPlaces places_;
  Granules words_;
  GlobalLocations global_locations_;
  RaceLog log_;
  WarpGroup group_;
  std::vector<Metadata> metadata_;
  std::vector<Fences> fences_;                ///< for each thread
  std::vector<std::uint32_t> barriers_;       ///< for each block
  std::vector<std::uint32_t> warp_barriers_;  ///< for each warp
  std::vector<LockTable> warp_locks_;
  std::vector<LockTable> thread_locks_;
  std::vector<bool> has_thread_locks_;  ///< for each warp
};

DetectorDescription iguard();

}  // namespace ambit::detector
