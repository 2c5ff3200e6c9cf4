// The state of the detectors inside a kernel: the memory of many runs, and the races of one run. Also defines the
// template argument of the rules.
#pragma once

#include "kernels/detectors/events.h"

namespace ambit_kernel {

/// A piece of eight bytes of an object of any type.
using Piece __attribute__((may_alias)) = unsigned long long;

/// One array of one run. The arrays of all runs are interleaved element by element: neighbouring lanes run neighbouring
/// runs, and access the same element at the same time.
template <typename T>
class Column {
 public:
  Column(unsigned long long address, unsigned long long stride) : address_(address), stride_(stride) {}
  T& operator[](unsigned i) const { return *reinterpret_cast<T*>(address_ + i * stride_); }

  /// Returns a whole element. Reads eight bytes at a time if the size of an element is a multiple of eight.
  T load(unsigned i) const {
    T value;
    copy(&value, &(*this)[i]);
    return value;
  }
  void store(unsigned i, const T& value) const { copy(&(*this)[i], &value); }
  void clear(unsigned count) const {
    for (unsigned i = 0; i < count; ++i) store(i, T{});
  }

 private:
  static void copy(T* to, const T* from) {
    if constexpr (sizeof(T) % sizeof(Piece) == 0) {
      for (unsigned i = 0; i < sizeof(T) / sizeof(Piece); ++i) {
        reinterpret_cast<Piece*>(to)[i] = reinterpret_cast<const Piece*>(from)[i];
      }
    } else {
      *to = *from;
    }
  }

  unsigned long long address_;
  unsigned long long stride_;
};

/// Allocates memory for the run with number `run` of `runs` runs. The memory is initially 0, and its address is a
/// multiple of 16.
class RunMemory {
 public:
  RunMemory(unsigned long long address, unsigned long long runs, unsigned long long run)
      : address_(address), runs_(runs), run_(run) {}

  template <typename T>
  Column<T> take(unsigned count) {
    const Column<T> column(address_ + run_ * sizeof(T), runs_ * sizeof(T));
    address_ += (count * runs_ * sizeof(T) + 15) / 16 * 16;
    return column;
  }
  /// Returns the end of the allocated memory.
  unsigned long long end() const { return address_; }

 private:
  unsigned long long address_;
  unsigned long long runs_;
  unsigned long long run_;
};

/// The maximum number of races that the detector keeps for one run.
constexpr unsigned kRacesOfRun = 14;

/// The races of one run. Objects of this class are references: a copy refers to the same races.
class RunLog {
 public:
  explicit RunLog(RunMemory& memory) : counters_(memory.take<Counters>(1)), races_(memory.take<Race>(kRacesOfRun)) {}

  /// Keeps a race unless a kept race agrees with it in the bits of `same` (by default, in the sites).
  void report(Name first, Name second, unsigned location, Kind kind, Race same = kSitesOfRace) {
    const Race race = make_race(first, second, location, kind);
    const unsigned known = count();
    for (unsigned i = 0; i < known; ++i) {
      if (((races_[i] ^ race) & same) == 0) return;
    }
    if (known == kRacesOfRun) return overflow();
    races_[known] = race;
    counters_[0].races = known + 1;
  }
  /// Like report() above, but ignores the detail, because a Race has no space for it.
  void report(Name first, Name second, unsigned location, Kind kind, Detail /*detail*/) {
    report(first, second, location, kind);
  }
  unsigned count() const { return counters_[0].races; }
  Race race(unsigned i) const { return races_[i]; }

  /// Records that a table was full. The run then has no verdict.
  void overflow() { counters_[0].has_overflown = 1; }
  bool has_overflown() const { return counters_[0].has_overflown != 0; }

  /// Returns the number of the current event, for detectors that need it.
  unsigned event() const { return counters_[0].events; }
  void end_event() { ++counters_[0].events; }

  void clear() { counters_.clear(1); }

 private:
  struct alignas(16) Counters {
    unsigned races;
    unsigned has_overflown;
    unsigned events;
    unsigned reserved;
  };
  Column<Counters> counters_;
  Column<Race> races_;
};

/// Fixed options of the rules: follow the publication, not its published source code.
struct PaperOptions {
  static constexpr bool as_source = false;
  static constexpr bool needs_strong = true;
};

/// The types of a detector's rules for litmus tests, which have few threads and places. Two other classes have members
/// with the same names: RulesOfLaunches for launches of programs (runner/shadow/large_rules.h), and RulesOfTraces for
/// traces (detector/algorithms/trace_rules.h). The classes differ in the following ways.
///
/// - Storage: here and in launches, tables have a fixed size and entries are packed. In traces, tables grow, and an
///   entry also gives the number of the event.
/// - Options: only traces have options.
/// - Reports: here, a race is a word. In traces, a race is a sentence.
/// - HAccRG's locks: for traces, detector/inference infers the locks. Here and in launches, the rules
///   infer the locks from the events of each thread.
struct RulesOfTests {
  using Test = TestInfo;
  using Event = ambit_kernel::Event;
  /// An access in reports. Name{} denotes no access.
  using Name = ambit_kernel::Name;
  using LockNumber = unsigned short;
  using Counter = unsigned short;  ///< counts fences or barriers
  using EventNumber = unsigned;
  using Site = unsigned short;
  using LaneMask = unsigned;
  using Memory = RunMemory;
  using Log = RunLog;
  using Options = PaperOptions;
  static constexpr bool kHasOptions = false;
  template <typename T>
  using Array = Column<T>;
  /// The detector's table with an entry for each piece of memory.
  template <typename T>
  using Entries = Column<T>;
  template <typename T>
  static Entries<T> take_entries(Memory& memory, const Test& test) {
    return memory.take<T>(test.size.granules);
  }
  static Name make_name(const EventInfo& info, bool is_write, bool is_atomic) {
    return ambit_kernel::make_name(info.thread, info.site, is_write, is_atomic);
  }
  static bool exists(Name name) { return name != kNobody; }
  static unsigned thread_of(Name name) { return ambit_kernel::thread_of(name); }
  static unsigned site_of(Name name) { return ambit_kernel::site_of(name); }
  static bool is_write(Name name) { return ambit_kernel::is_write(name); }
  static bool is_atomic(Name name) { return ambit_kernel::is_atomic(name); }
  static unsigned warp_of(const Test& test, const EventInfo& info) { return test.warp_of(info.thread); }
  static unsigned block_of(const Test& test, const EventInfo& info) { return test.block_of(info.thread); }
  /// Returns the warp of an access. The access must exist.
  static unsigned warp_of(const Test& test, Name name) { return test.warp_of(thread_of(name)); }
  static unsigned block_of(const Test& test, Name name) { return test.block_of(thread_of(name)); }
  /// Returns whether the instruction's place in the source is known. For tests, it always is.
  static bool has_site(unsigned /*site*/) { return true; }
  /// Each function returns the bit for a lane: in masks of an access's lanes, and in masks of a fence's lanes.
  static LaneMask access_bit(unsigned lane) { return 1U << lane; }
  static LaneMask fence_bit(unsigned lane) { return 1U << lane; }
  /// True if the accesses of all lanes of an instruction arrive at the detector as one group.
  static constexpr bool kHasWholeInstructions = false;
  /// True if HaccrgRules infers the locks from the events.
  static constexpr bool kInfersLocks = true;
  /// The warp and block of the owner in an entry, stored separately from the owner's name.
  class OwnerPlace {
   public:
    unsigned warp(const Test& /*test*/, Name /*owner*/) const { return warp_; }
    unsigned block(const Test& /*test*/, Name /*owner*/) const { return block_; }
    void set(unsigned warp, unsigned block) {
      warp_ = static_cast<unsigned char>(warp);
      block_ = static_cast<unsigned char>(block);
    }

   private:
    unsigned char warp_;
    unsigned char block_;
  };
  using IguardReader = Name;
  /// iGUARD's record of a lane's access in an instruction. The record has no values, because no rule uses them.
  struct Member {
    EventInfo info;
    unsigned short location;
    unsigned short reserved;
  };
  static Member member_of(const Event& event) { return {event.info, event.location, 0}; }
  static Event event_of(const Member& member) { return Event{member.info, member.location, false, 0, 0}; }
  static Counter next_barrier(unsigned counter) { return static_cast<Counter>(counter + 1); }
  static Counter next_warp_barrier(unsigned counter) { return static_cast<Counter>(counter + 1); }
  static Counter next_fence(unsigned counter) { return static_cast<Counter>(counter + 1); }
};

}  // namespace ambit_kernel
