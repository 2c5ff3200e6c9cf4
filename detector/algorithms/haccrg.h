#pragma once

#include <cstdint>
#include <vector>

#include "detector/algorithms/warp_group.h"
#include "detector/detector.h"
#include "detector/inference/places.h"
#include "detector/race_log.h"

namespace ambit::detector {

/// The state of a granule in HAccRG: its bits M (modified) and S (shared).
enum class HaccrgState : std::uint8_t {
  Unknown,      ///< M = S = 1: not accessed yet
  OneReader,    ///< M = S = 0
  Written,      ///< M = 1, S = 0
  ManyReaders,  ///< M = 0, S = 1
};
enum class HaccrgRace : std::uint8_t { None, ReadAfterWrite, WriteAfterRead, WriteAfterWrite };

struct HaccrgTransition {
  HaccrgState next;
  bool takes_thread;  ///< the accessing thread becomes the entry's thread
  HaccrgRace race;
};
/// Returns the transition of the automaton of Holey 2015, chapter 6. `is_other` is true if the access is not by the
/// entry's warp. The publication does not define the state after a race. In this implementation, a read that races
/// keeps the state, and a write that races takes over the entry.
HaccrgTransition haccrg_step(HaccrgState state, bool is_write, bool is_other);

struct HaccrgOptions {
  std::uint32_t granularity = 4;  ///< bytes per entry; a power of two
  std::uint32_t pages = 0;        ///< only this number of most recently used 4096-byte pages have entries; 0 for all
                                  ///< pages
};

/// HAccRG (Holey, Mekkat, Yew, Zhai, ICPP 2013; Holey 2015, chapter 6): a state machine of four states for each
/// granule. An entry also has the number of the block's barriers, the number of the warp's fences, and a signature of
/// the held locks. The software form of HAccRG (SRG) reports the same races.
class Haccrg : public Detector {
 public:
  Haccrg(const TraceTables& tables, const HaccrgOptions& options);
  SyncInference::Depth depth() const override { return SyncInference::Depth::Sections; }
  void on(const Observation& observation) override;
  std::vector<RaceReport> races() const override { return log_.reports(); }

 private:
  struct Entry {
    HaccrgState state = HaccrgState::Unknown;
    std::uint16_t locks = 0;
    std::uint32_t thread = 0;
    std::uint32_t site = kNoName;
    std::uint32_t sync = 0;
    std::uint32_t fence = 0;
    std::uint32_t page_version = 0;
    std::uint64_t event = RaceAccess::kNoEvent;
    // The last write, to compare the lanes of one instruction.
    std::uint32_t last_thread = kNoName;
    std::uint32_t last_site = kNoName;
    std::uint64_t last_event = 0;
  };
  struct BlockState {
    std::uint32_t global_sync = 0;  ///< 8 bits, as in the hardware
    std::uint32_t barriers = 0;
    bool has_touched_global = false;
  };
  struct ThreadState {
    std::uint16_t locks = 0;
    std::uint32_t held = 0;
    std::uint64_t last_event = 0;  ///< 1 + the number of the event
  };
  struct Page {
    std::uint64_t last_use = 0;
    std::uint32_t version = 1;
    bool is_resident = false;
  };

  void access(const Observation& observation);
  void check_instruction(const Entry& entry, const Observation& observation);
  bool is_stale(const Entry& entry, const TraceEvent& event, bool is_shared);
  void step(Entry& entry, const Observation& observation, bool is_shared);
  /// Applies the rules for a pair of accesses if a lock protects at least one of them.
  void step_locked(Entry& entry, const Observation& observation, std::uint16_t own);
  void take(Entry& entry, const Observation& observation, bool is_shared);
  void on_action(const Action& action);
  void barrier(const BarrierTracker::Completion& done);
  /// Ensures that the page of a location has entries. Returns the page's version.
  std::uint32_t use_page(std::uint32_t location, std::uint64_t now);
  void report(const Entry& entry, const Observation& observation, RaceKind kind, const char* why);
  void report(const Entry& entry, const Observation& observation, HaccrgRace race, bool is_shared);
  Entry& entry(std::uint32_t location);
  ThreadState& thread(std::uint32_t id) { return at(threads_, id); }
  BlockState& block(std::uint32_t number) { return at(blocks_, number); }
  std::uint32_t& fences(std::uint32_t warp) { return at(fences_, warp); }
  void fence(std::uint32_t warp);

  const TraceTables& tables_;
  HaccrgOptions options_;
  ThreadPlaces places_;
  Granules granules_;
  Granules page_numbers_;
  RaceLog log_;
  std::vector<Entry> entries_;
  std::vector<ThreadState> threads_;
  std::vector<BlockState> blocks_;
  std::vector<std::uint32_t> fences_;  ///< for each warp, 8 bits wide
  WarpFences instructions_;
  std::vector<std::uint8_t> is_shared_;  ///< for each location
  std::vector<Page> pages_;
  std::vector<std::uint32_t> resident_;
};

DetectorDescription haccrg();
DetectorDescription srg();

}  // namespace ambit::detector
