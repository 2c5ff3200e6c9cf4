#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/trace.h"
#include "detector/clocks/launch_history.h"
#include "detector/inference/sync_inference.h"
#include "runner/shadow/launch_checker.h"
#include "runner/shadow/program_detector.h"
#include "runner/shadow/shadow_memory.h"
#include "runner/shadow/site_numbers.h"
#include "runner/virtual/observer.h"

namespace ambit::shadow {

/// Detectors with vector clocks for launches. These detectors use the rules of detector/ (SyncInference, HappensBefore,
/// CausalOrder), and keep a record for each word in shadow memory. ClockDetectors reports the same races as
/// TraceDetectors. For a plain access by a thread without locks, only the record of the word changes. The virtual GPU
/// reports when barriers complete. The inference processes all other events, lane by lane.
class ClockDetectors : public virtual_gpu::Observer {
 public:
  struct Choice {
    std::string name;
    std::uint32_t number = 0;  ///< number of the detector for the sink
  };
  /// Returns whether ClockDetectors supports the detector named `name`, with default options.
  static bool has(const std::string& name);
  /// `sink` must outlive this object. `history_limit` limits the bytes of each detector's history
  /// (LaunchHistory::set_limit).
  ClockDetectors(const std::vector<Choice>& choices, RaceSink& sink,
                 std::size_t history_limit = detector::LaunchHistory::kDefaultLimit);
  ~ClockDetectors() override;

  bool wants_values() const override { return true; }
  void begin_launch(const virtual_gpu::LaunchInfo& info) override;
  void end_launch() override;
  void access(const virtual_gpu::WarpAccess& access) override;
  void fence(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes, Order order,
             Scope scope) override;
  void barrier(const virtual_gpu::BarrierArrival& arrival) override;
  void barrier_complete(std::uint32_t block, std::uint32_t barrier) override;
  void warp_barrier(std::uint32_t site, std::uint32_t block, std::uint32_t warp, std::uint32_t lanes,
                    bool orders_memory) override;
  void block_end(std::uint32_t block) override;

 private:
  /// For each warp, the lanes that wait at a barrier.
  struct Waiting {
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> arrived_only;
    bool is_of_all = false;
    bool is_open = false;
  };
  struct BlockState {
    std::vector<std::uint32_t> warps;  ///< for each warp, 1 + the number of its first thread; 0 if not yet known
    std::vector<std::uint32_t> acted;  ///< for each warp, the lanes that have acted
    std::vector<std::uint32_t> exited;  ///< for each warp, the lanes that have exited
    /// For each warp: the lanes that met at its last barrier. Another barrier of the same lanes has no effect. The mask
    /// is 0 if a lane was in a critical section or the warp has acted since that barrier.
    std::vector<std::uint32_t> met;
    std::unordered_map<std::uint32_t, Waiting> barriers;

    void note_action(std::uint32_t warp, std::uint32_t lanes) {
      acted[warp] |= lanes;
      met[warp] = 0;
    }
  };

  BlockState& state_of(std::uint32_t block);
  std::uint32_t first_thread(BlockState& state, std::uint32_t block, std::uint32_t warp);
  std::uint32_t lanes_of(std::uint32_t warp) const;
  std::uint32_t& number_at(const WordPlace& place);
  std::uint32_t location_of(const WordPlace& place);
  /// Adds a location for the word at `place`. Returns 1 + the number of this location.
  std::uint32_t add_place(const WordPlace& place);
  bool is_lock(const WordPlace& place);
  bool has_locks(const WordPlace& place);
  void find_numbers(const virtual_gpu::WarpAccess& access, std::uint32_t first);
  bool takes_relaxed(const virtual_gpu::WarpAccess& access, std::uint32_t lane, std::uint32_t thread,
                     TraceEvent& event);
  void locations_of_run(const virtual_gpu::WarpAccess& access);
  bool takes_relaxed_run(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event);
  bool acts_as_one(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event);
  void access_run(const virtual_gpu::WarpAccess& access, std::uint32_t first, TraceEvent& event);
  bool are_all_busy(std::uint32_t first) const;
  void use_bytes(const virtual_gpu::WarpAccess& access);
  bool has_bytes(const virtual_gpu::WarpAccess& access);
  void show_data(const virtual_gpu::WarpAccess& access, std::uint32_t lanes, std::uint32_t first, std::uint32_t site);
  void interpret_access(const virtual_gpu::WarpAccess& access, std::uint32_t lane, std::uint32_t thread,
                        TraceEvent& event);
  void interpret(const TraceEvent& event);
  void apply(std::span<const detector::Action> actions);
  /// Calls `act` for each of the lanes of a warp.
  template <typename Act>
  void act_as_warp(const Act& act);
  void exit(BlockState& state, std::uint32_t warp, std::uint32_t lane);
  void report(const std::vector<RaceReport>& races, std::uint32_t number);

  RaceSink& sink_;
  std::vector<Choice> choices_;
  TraceTables tables_;
  std::uint32_t threads_of_block_ = 1;
  std::uint32_t cluster_ = 1;
  std::unordered_map<std::uint32_t, BlockState> blocks_;  ///< resident blocks
  std::uint32_t last_block_ = 0;
  BlockState* last_state_ = nullptr;
  SiteNumbers sites_;
  ShadowMemory<4> locations_;  ///< 1 + number of the location, for words that the inference uses
  ShadowOfBlocks<4> shared_locations_;
  WordPlaces places_;                        ///< the place of each location
  std::array<std::uint32_t, 32> objects_{};  ///< results of locations_of_run()
  /// Results of find_numbers(); null if the inference must process the lane.
  std::array<std::uint32_t*, 32> numbers_{};
  std::optional<detector::SyncInference> inference_;
  std::vector<std::unique_ptr<LaunchChecker>> checkers_;
  BarrierTracker::Completion done_;
};

}  // namespace ambit::shadow
