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

struct ScordOptions {
  /// If true, behave like the published source. Numbers wrap at the width of their field. An entry does not record a
  /// second reader under a lock. If a word was written and is shared by blocks, the entry of the word can look unused.
  bool as_source = false;
  /// If true, fences order only strong accesses (volatile or atomic). The published source has this option, too.
  bool needs_strong = true;
  /// If true, entries are in a direct-mapped table with tags, and a word can evict the entry of another word.
  bool has_cache = false;
};

/// ScoRD (Kamath, George, Basu, ISCA 2020): keeps one metadata entry for each word of global memory, and checks each
/// access against this entry. Handles scoped fences, atomics and locks. Infers locks from compare-exchange and
/// exchange.
class Scord : public Detector {
 public:
  Scord(const TraceTables& tables, const ScordOptions& options);
  SyncInference::Depth depth() const override { return SyncInference::Depth::Sections; }
  void on(const Observation& observation) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  /// Data that only reports use.
  struct Named {
    std::uint32_t thread = kNoName;
    std::uint32_t site = kNoName;
    std::uint64_t event = 0;
    bool is_write = false;
    bool is_atomic = false;
  };
  struct Metadata {
    bool is_unused = true;
    bool is_modified = false;
    bool is_block_shared = false;   ///< used by several warps of the block
    bool is_device_shared = false;  ///< used by several blocks
    bool is_strong = false;
    bool is_atomic = false;
    Scope scope = Scope::System;
    std::uint16_t locks = 0;
    std::uint32_t warp = 0;
    std::uint32_t block = 0;
    std::uint32_t barrier = 0;
    std::uint32_t device_fence = 0;
    std::uint32_t block_fence = 0;
    std::uint32_t tag = 0;
    Named owner;
    Named writer;  ///< last writer
    Named reader;  ///< last reader that did not become the owner of the entry
  };
  struct HeldLock {
    std::uint32_t number = kNoName;  ///< for block scope, combined with the block's number
    bool is_block = false;
    bool is_active = false;
  };
  struct WarpState {
    std::uint32_t device_fence = 0;
    std::uint32_t block_fence = 0;
    std::uint32_t place = 0;        ///< number of the warp within its block
    std::array<HeldLock, 4> locks;  ///< first in, first out
    std::uint32_t held = 0;
    std::uint16_t active = 0;
  };
  /// An access with the values that the rules use.
  struct Access {
    const Observation& observation;
    const WarpState& own;
    std::uint32_t warp;
    std::uint32_t block;
    std::uint32_t barrier;
    bool is_store;
    bool is_atomic;
    bool is_strong;
  };

  void access(const Observation& observation);
  /// Applies the rules and updates the metadata. Returns the kind of the race with the recorded access, or nothing if
  /// there is no race.
  std::optional<RaceKind> check(Metadata& known, const Access& now);
  std::optional<RaceKind> check_fences(const Metadata& known, const Access& now, bool same_block) const;
  std::optional<RaceKind> pass_read(Metadata& known, const Access& now, bool same_warp, bool same_block);
  std::optional<RaceKind> pass_write(Metadata& known, const Access& now);
  void start_again(Metadata& known, const Access& now, bool is_modified);
  void make_owner(Metadata& known, const Access& now);
  void share(Metadata& known, const Access& now, bool same_warp, bool same_block);
  bool is_same_block(std::uint32_t a, std::uint32_t b) const;
  bool is_same_warp(const Metadata& known, const Access& now) const;

  void on_barrier(const BarrierTracker::Completion& done);
  void update_locks(const TraceEvent& event);
  void enter_lock(const TraceEvent& event, bool is_active);
  void leave_lock(const TraceEvent& event);
  /// Returns the number of a lock within its block. The block's number changes only the second bin of the Bloom filter.
  /// So the numbers of adjacent locks differ, as in the published source.
  std::uint32_t block_lock(std::uint32_t location, std::uint32_t block) const;
  void enter(WarpState& warp, const HeldLock& lock);
  void leave(WarpState& warp, std::uint32_t number, bool is_block);
  void recompute_active(WarpState& warp);
  void fence(WarpState& own, Scope scope);
  Metadata& metadata(std::uint32_t location);
  WarpState& warp(std::uint32_t thread) { return at(warps_, places_.of(thread).warp); }
  std::uint32_t& barrier(std::uint32_t block) { return at(barriers_, block); }
  std::uint32_t field(std::uint32_t counter, std::uint32_t bits) const {
    return options_.as_source ? counter & ((1U << bits) - 1U) : counter;
  }
  /// Returns the party that a report names. For a load, this is the last writer. For a store, it is the owner, or a
  /// reader if the owner is the store's own warp.
  const Named& party(const Metadata& known, const Access& now);
  void report(const Metadata& known, const Access& now, RaceKind kind);

  const TraceTables& tables_;
  ScordOptions options_;
  ThreadPlaces places_;
  Granules words_;
  GlobalLocations global_locations_;
  RaceLog log_;
  std::vector<Metadata> metadata_;
  std::vector<WarpState> warps_;
  WarpFences instructions_;
  std::vector<std::uint32_t> barriers_;
};

DetectorDescription scord();

}  // namespace ambit::detector
