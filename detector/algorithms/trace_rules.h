#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "detector/detector.h"
#include "detector/inference/places.h"
#include "detector/race_log.h"
#include "kernels/detectors/events.h"

// The rules in kernels/detectors/ use these types for traces. ambit_kernel::RulesOfTests describes the members. Tables
// grow while Ambit reads a trace, counters do not wrap, and reports name the events.

namespace ambit::detector {

/// The part of an event that depends only on its instruction.
struct TraceEventInfo {
  ambit_kernel::EventKind kind;
  ambit_kernel::EventRmw rmw;
  ambit_kernel::EventOrder order;
  ambit_kernel::EventScope scope;
  bool is_volatile;
  std::uint32_t thread;
  std::uint32_t site;
  std::uint32_t warp;
  std::uint32_t block;
  std::uint64_t number;  ///< number of the event
};

/// The accessed memory.
struct TraceEntry {
  std::uint32_t index;  ///< index of the granule's entry
  bool is_new;          ///< the entry has no state of this granule (it was another granule's, or was reset)
  bool is_shared;       ///< the location is in shared memory
};

/// An event of a trace. `location` is the accessed location or the lock.
struct TraceRuleEvent : ambit_kernel::BasicEvent<TraceEventInfo, std::uint32_t> {
  TraceEntry entry;
};

/// The access that an entry records. If the entry records no access, the thread is kNoName.
struct TraceName {
  std::uint32_t thread = kNoName;
  std::uint32_t site = kNoName;
  std::uint32_t warp = kNoName;
  std::uint32_t block = kNoName;
  std::uint64_t event : 62 = 0;  ///< number of the event
  std::uint64_t is_write : 1 = 0;
  std::uint64_t is_atomic : 1 = 0;
};

/// The threads of a trace. An object is only a reference: its copies refer to the same threads.
class TraceShape {
 public:
  struct Size {
    static constexpr unsigned lanes = 32;  ///< must be more than 1, because a warp can have several threads
    // Tables grow, so they have no initial sizes.
    static constexpr unsigned threads = 0;
    static constexpr unsigned warps = 0;
    static constexpr unsigned blocks = 0;
  };
  static constexpr Size size{};

  TraceShape(const TraceTables& tables, const ThreadPlaces& places) : tables_(&tables), places_(&places) {}
  std::uint32_t warp_of(std::uint32_t thread) const { return places_->known(thread).warp; }
  std::uint32_t block_of(std::uint32_t thread) const { return places_->known(thread).block; }
  std::uint32_t lane_of(std::uint32_t thread) const { return static_cast<std::uint32_t>(place_of(thread).lane); }
  /// Returns the number of the thread's warp in its block.
  int warp_in_block(std::uint32_t thread) const { return place_of(thread).warp; }
  static TraceEntry entry_of(const TraceRuleEvent& event) { return event.entry; }
  static bool is_in_shared(const TraceRuleEvent& event) { return event.entry.is_shared; }

 private:
  const ThreadPlace& place_of(std::uint32_t thread) const { return tables_->threads()[thread].place; }

  const TraceTables* tables_;
  const ThreadPlaces* places_;
};

/// A table that grows when an index is used for the first time. The table stores its size, because std::vector computes
/// its size by a division.
template <typename T>
class TraceArray {
 public:
  TraceArray() = default;
  TraceArray(const TraceArray&) = delete;
  TraceArray& operator=(const TraceArray&) = delete;

  T& operator[](std::uint32_t i) const {
    if (i >= size_) [[unlikely]] {
      grow(i + 1);
    }
    return data_[i];
  }
  T& load(std::uint32_t i) const { return (*this)[i]; }
  void store(std::uint32_t i, const T& value) const { data_[i] = value; }

 private:
  [[gnu::noinline, gnu::cold]] void grow(std::uint32_t size) const {
    values_.resize(size);
    data_ = values_.data();
    size_ = size;
  }

  mutable std::vector<T> values_;
  mutable T* data_ = nullptr;
  mutable std::uint32_t size_ = 0;
};

/// The entries of the granules.
template <typename T>
class TraceEntries {
 public:
  T& load(TraceEntry entry) const {
    T& known = entries_[entry.index];
    if (entry.is_new) known = T{};
    return known;
  }
  void store(TraceEntry /*entry*/, const T& /*value*/) const {}  // load() returned the entry itself

 private:
  TraceArray<T> entries_;
};

/// A function that returns the reason of a race as a part of the report's sentence.
using WhyOfRace = std::string_view (*)(ambit_kernel::Kind kind, ambit_kernel::Detail detail);

/// Receives the races that the rules report. An object is only a reference: its copies refer to the same log.
class TraceRuleLog {
 public:
  struct State {
    RaceLog log;
    WhyOfRace why;
    std::uint64_t event = 0;  ///< number of the current event
  };
  explicit TraceRuleLog(State& state) : state_(&state) {}
  void report(const TraceName& first, const TraceName& second, std::uint32_t location, ambit_kernel::Kind kind,
              ambit_kernel::Detail detail = ambit_kernel::Detail::None);
  std::uint64_t event() const { return state_->event; }

 private:
  State* state_;
};

/// The types that all detectors share.
struct TypesOfTraces {
  using Test = TraceShape;
  using Event = TraceRuleEvent;
  using Name = TraceName;
  using LockNumber = std::uint32_t;
  using Counter = std::uint32_t;
  using EventNumber = std::uint64_t;
  using Site = std::uint32_t;
  using LaneMask = std::uint64_t;
  /// The arrays allocate their own memory.
  struct Memory {
    template <typename T>
    TraceArray<T> take(unsigned /*count*/) {
      return {};
    }
  };
  using Log = TraceRuleLog;
  static constexpr bool kHasOptions = true;
  template <typename T>
  using Array = TraceArray<T>;
  template <typename T>
  using Entries = TraceEntries<T>;
  template <typename T>
  static Entries<T> take_entries(Memory& /*memory*/, const Test& /*test*/) {
    return {};
  }
  static Name make_name(const TraceEventInfo& info, bool is_write, bool is_atomic) {
    constexpr std::uint64_t kEventBits = (std::uint64_t{1} << 62U) - 1;
    return {info.thread, info.site, info.warp, info.block, info.number & kEventBits, is_write, is_atomic};
  }
  static bool exists(const Name& name) { return name.thread != kNoName; }
  static std::uint32_t thread_of(const Name& name) { return name.thread; }
  static std::uint32_t site_of(const Name& name) { return name.site; }
  static bool is_write(const Name& name) { return name.is_write != 0; }
  static bool is_atomic(const Name& name) { return name.is_atomic != 0; }
  static std::uint32_t warp_of(const Test& /*test*/, const TraceEventInfo& info) { return info.warp; }
  static std::uint32_t block_of(const Test& /*test*/, const TraceEventInfo& info) { return info.block; }
  static std::uint32_t warp_of(const Test& /*test*/, const Name& name) { return name.warp; }
  static std::uint32_t block_of(const Test& /*test*/, const Name& name) { return name.block; }
  static int warp_in_block(const Test& test, const Name& name) { return test.warp_in_block(name.thread); }
  static bool has_site(std::uint32_t site) { return site != kNoName; }
  static LaneMask access_bit(unsigned lane) { return lane < 32 ? LaneMask{1} << lane : 0; }
  static LaneMask fence_bit(unsigned lane) { return lane < 64 ? LaneMask{1} << lane : ~LaneMask{0}; }
  static constexpr bool kHasWholeInstructions = false;
  static constexpr bool kInfersLocks = false;
  struct OwnerPlace {
    static std::uint32_t warp(const Test& /*test*/, const Name& owner) { return owner.warp; }
    static std::uint32_t block(const Test& /*test*/, const Name& owner) { return owner.block; }
    static void set(std::uint32_t /*warp*/, std::uint32_t /*block*/) {}
  };
  using IguardReader = Name;
  using Member = Event;
  static const Member& member_of(const Event& event) { return event; }
  static const Event& event_of(const Member& member) { return member; }
  static Counter next_barrier(Counter counter) { return counter + 1; }
  static Counter next_warp_barrier(Counter counter) { return counter + 1; }
  static Counter next_fence(Counter counter) { return counter + 1; }
};

template <typename DetectorOptions>
struct RulesOfTraces : TypesOfTraces {
  using Options = DetectorOptions;
};

/// The base class of detectors that pass a trace's events to the rules of kernels/detectors/.
class RuleDetector : public Detector {
 public:
  SyncInference::Depth depth() const override { return SyncInference::Depth::Sections; }
  std::vector<RaceReport> races() const override { return log_.log.reports(); }

 protected:
  using FenceInstruction = ambit_kernel::FenceOfWarp<std::uint64_t, std::uint32_t>;

  /// `granule_bytes` is the number of bytes that share an entry.
  RuleDetector(const TraceTables& tables, std::uint32_t granule_bytes, WhyOfRace why)
      : tables_(tables),
        places_(tables),
        granules_(tables, granule_bytes),
        log_{RaceLog(tables), why},
        global_locations_(tables) {}

  TraceShape shape() const { return {tables_, places_}; }
  TraceRuleLog log() { return TraceRuleLog(log_); }

  /// Converts the event to the form that the rules read. If the trace has no values, the converted compare-exchange
  /// changes 0 to 1, and the converted exchange writes 0. An unknown operation that writes 0 becomes an exchange.
  TraceRuleEvent event_of(const Observation& observation) {
    const TraceEvent& event = observation.event;
    const ThreadPlaces::Numbers& at = places_.of(event.thread);
    TraceRuleEvent made;
    made.info = {static_cast<ambit_kernel::EventKind>(event.op),
                 static_cast<ambit_kernel::EventRmw>(event.rmw),
                 static_cast<ambit_kernel::EventOrder>(event.order),
                 static_cast<ambit_kernel::EventScope>(event.scope),
                 event.is_volatile,
                 event.thread,
                 event.site,
                 at.warp,
                 at.block,
                 observation.number};
    made.location = event.object;
    if (!event.is_access()) return made;
    made.entry = {granules_.of(event.object), false, !is_global(event.object)};
    if (event.is_update()) set_values(made, event);
    return made;
  }
  bool is_global(std::uint32_t location) { return global_locations_.contains(location); }
  /// Must be called for every event. Returns true if the event is a fence and the first fence of the warp by this
  /// instruction.
  bool begins_fence_of_warp(const TraceEvent& event) {
    const bool is_fence = event.op == TraceOp::Fence;
    const std::uint64_t bit = is_fence ? TypesOfTraces::fence_bit(shape().lane_of(event.thread)) : 0;
    return at(instructions_, places_.of(event.thread).warp)
        .begins(is_fence, event.site, event.site != kNoName, static_cast<ambit_kernel::EventScope>(event.scope), bit);
  }

  const TraceTables& tables_;
  ThreadPlaces places_;
  Granules granules_;
  TraceRuleLog::State log_;

 private:
  static void set_values(TraceRuleEvent& made, const TraceEvent& event);

  GlobalLocations global_locations_;
  std::vector<FenceInstruction> instructions_;  ///< for each warp
};

}  // namespace ambit::detector
