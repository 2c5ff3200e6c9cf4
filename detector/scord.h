#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "detector/detector.h"
#include "detector/places.h"
#include "detector/race_log.h"

namespace ambit::detector {

struct ScordOptions {
  /// As the published source does it: counters wrap at their field's width, and a read by another warp of what nobody
  /// has written leaves no trace.
  bool as_source = false;
  /// One entry of metadata for 16 neighbouring words, with a tag: a word takes the entry from another.
  bool has_cache = false;
};

/// ScoRD (Kamath, George, Basu, ISCA 2020): one entry of metadata a word, checked at each access; scoped fences,
/// atomics and locks, the latter from compare-exchange and exchange.
class Scord : public Detector {
 public:
  Scord(const TraceTables& tables, const ScordOptions& options);
  void on(const Observation& observation) override;
  void finish(std::span<const Action> rest, const SyncInference& inference) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  struct Metadata {
    bool is_valid = false;
    bool is_modified = false;
    bool is_block_shared = false;   ///< accessed by several warps of the block
    bool is_device_shared = false;  ///< accessed by several blocks
    bool is_strong = false;
    bool is_atomic = false;
    Scope scope = Scope::System;
    std::uint16_t locks = 0;
    std::uint32_t thread = 0;
    std::uint32_t site = kNoName;
    std::uint32_t location = kNoName;
    std::uint32_t barrier = 0;
    std::uint32_t device_fence = 0;
    std::uint32_t block_fence = 0;
    std::uint64_t event = 0;
  };
  struct HeldLock {
    std::uint32_t location = kNoName;
    Scope scope = Scope::Device;
    bool block_active = false;
    bool device_active = false;
  };
  struct WarpState {
    std::uint32_t device_fence = 0;
    std::uint32_t block_fence = 0;
    std::array<HeldLock, 4> locks;
    std::uint32_t next_lock = 0;
    std::uint16_t active = 0;
  };

  void access(const Observation& observation);
  void update_locks(const TraceEvent& event);
  void recompute_active(WarpState& warp, std::uint32_t block);
  void fence(const TraceEvent& event);
  Metadata& metadata(std::uint32_t location);
  WarpState& warp(std::uint32_t thread);
  std::uint32_t& barrier(std::uint32_t block);
  std::uint32_t field(std::uint32_t counter, std::uint32_t bits) const;
  bool is_first(const Metadata& known, std::uint32_t thread);
  /// Why the access races with what is known, if it does.
  std::optional<RaceKind> check(const Metadata& known, const TraceEvent& event, const WarpState& own);
  std::optional<RaceKind> check_fences(const Metadata& known, const TraceEvent& event);
  void update(Metadata& known, const Observation& observation, const WarpState& own, bool is_first);
  void report(const Metadata& known, const Observation& observation, RaceKind kind);

  const TraceTables& tables_;
  ScordOptions options_;
  ThreadPlaces places_;
  Granules words_;
  RaceLog log_;
  std::vector<Metadata> metadata_;
  std::vector<WarpState> warps_;
  std::vector<std::uint32_t> barriers_;
};

}  // namespace ambit::detector
