// The events that the detectors' rules receive, and the races that the rules report. The types are simple, because
// NVRTC compiles this file as part of kernels, and the host compiles it to process traces and launches.
#pragma once

namespace ambit_kernel {

/// The value that denotes no location, no barrier or no granule.
constexpr unsigned short kNone = 0xffff;

constexpr unsigned kMostThreads = 64;      ///< limit on threads, so that a set of threads fits into a word
constexpr unsigned kMostSites = 4096;      ///< limit on sites, so that a race fits into a word
constexpr unsigned kMostLocations = 4096;  ///< limit on locations, so that a race fits into a word

// The enumerators have the same values as in ambit::TraceOp, TraceRmw, Order, Scope and RaceKind
// (runner/cuda/emit/in_gpu.cpp asserts this).
enum class EventKind : unsigned char {
  Read = 0,
  Write = 1,
  Rmw = 2,
  Reduction = 3,
  Fence = 4,
  Barrier = 5,
  WarpBarrier = 6,
  Exit = 11
};
enum class EventRmw : unsigned char { Exchange = 3, CompareExchange = 11 };
enum class EventOrder : unsigned char { Weak = 0, Acquire = 2, AcqRel = 4, SeqCst = 5 };
enum class EventScope : unsigned char { Block = 1, Device = 3 };
enum class Kind : unsigned char {
  Unsynchronized = 0,
  MissingFence = 1,
  FenceScopeTooNarrow = 2,
  AtomicScopeTooNarrow = 3,
  NotAtomic = 4,
  NoCommonLock = 5,
  MissingBarrier = 7,
  IntraWarp = 8,
  None = 15
};
/// Tells which rule two accesses violate, if several rules report this kind of race. Only traces use the detail.
enum class Detail : unsigned char { None, ReadAfterWrite, WriteAfterRead, WriteAfterWrite, OneSideHoldsLock };

/// The part of an event that depends only on its instruction.
struct EventInfo {
  EventKind kind;
  EventRmw rmw;
  EventOrder order;
  EventScope scope;
  unsigned char thread;
  bool is_volatile;
  bool is_arrival;         ///< the thread arrives at a barrier and does not wait
  unsigned char reserved;  ///< always 0
  unsigned short site;     ///< place of the instruction in the source
  unsigned short barrier;  ///< number of the barrier; kNone for other events
};

/// One event of a run. `Info` is EventInfo or another type with the members of EventInfo that the detectors use.
template <typename Info, typename Location>
struct BasicEvent {
  Info info;
  Location location;    ///< location of an access
  bool is_failed;       ///< whether the event is a compare-exchange that failed
  long long value;      ///< the value written
  long long old_value;  ///< the value before a read-modify-write

  bool is_access() const { return info.kind <= EventKind::Reduction; }
  bool is_update() const { return info.kind == EventKind::Rmw || info.kind == EventKind::Reduction; }
  /// Returns whether the instruction can write. Returns true even for a failed compare-exchange.
  bool may_write() const { return info.kind == EventKind::Write || is_update(); }
  bool is_strong() const { return info.order != EventOrder::Weak; }
  bool is_atomic() const { return is_strong() && !info.is_volatile; }
  bool is_device_wide() const { return info.scope >= EventScope::Device; }
};

/// An event of a test.
using Event = BasicEvent<EventInfo, unsigned short>;

/// The place of a thread in the test. Each block and each warp has a number that is unique in the whole test.
struct Place {
  unsigned char block;
  unsigned char warp;
  unsigned char lane;
};

struct BarrierInfo {
  EventScope level;
  bool is_warp;
  unsigned short count;  ///< arrivals that complete the barrier; 0 for all threads of the level
};

struct TestSize {
  unsigned threads;
  unsigned warps;
  unsigned lanes;  ///< number of threads in the largest warp
  unsigned blocks;
  unsigned granules;  ///< number of granules; a granule is four bytes of memory with one entry
  unsigned barriers;
  // Members for ldetector:
  unsigned locations;
  unsigned words;  ///< size of a RunState in words, without cells and thread positions
};

/// The facts about a test that the detectors need. They do not change during a run.
struct TestInfo {
  TestSize size;
  const Place* places;               ///< the place of each thread
  const unsigned short* granule_of;  ///< the granule of each location
  const unsigned char* is_shared;    ///< for each location: 1 if it is in shared memory
  const BarrierInfo* barriers;

  unsigned block_of(unsigned thread) const { return places[thread].block; }
  unsigned warp_of(unsigned thread) const { return places[thread].warp; }
  unsigned lane_of(unsigned thread) const { return places[thread].lane; }
  /// Returns the index of the detector's entry for the accessed memory.
  unsigned entry_of(const Event& event) const { return granule_of[event.location]; }
  bool is_in_shared(const Event& event) const { return is_shared[event.location] != 0; }
};

/// Encodes an access in a report. Bit 31: the access exists. Bit 30: the access writes. Bit 29: the access is atomic.
/// Bits 12 to 17: the thread. Bits 0 to 11: the site.
using Name = unsigned;
constexpr Name kNobody = 0;

inline Name make_name(unsigned thread, unsigned site, bool is_write, bool is_atomic) {
  return 1U << 31U | (is_write ? 1U << 30U : 0U) | (is_atomic ? 1U << 29U : 0U) | thread << 12U | site;
}
inline unsigned thread_of(Name name) { return name >> 12U & 63U; }
inline unsigned site_of(Name name) { return name & 4095U; }
inline bool is_write(Name name) { return (name >> 30U & 1U) != 0; }
inline bool is_atomic(Name name) { return (name >> 29U & 1U) != 0; }

/// Encodes a race. Bits 0 to 11: site of the earlier access; bits 12 to 23: site of the later access. Bits 24 to 29 and
/// 30 to 35: their threads. Bits 36 to 39: which accesses write, and which accesses are atomic. Bits 40 to 43: the
/// kind; bits 44 to 55: the location. Bit 63 is always set, so that a race is never 0.
using Race = unsigned long long;
constexpr Race kSitesOfRace = 0xffffff;
/// The bits that identify a race: its sites and which accesses write, because one line may contain a load and a store.
constexpr Race kSitesAndWrites = kSitesOfRace | 5ULL << 36U;

inline Race make_race(Name first, Name second, unsigned location, Kind kind) {
  const unsigned how = (is_write(first) ? 1U : 0U) | (is_atomic(first) ? 2U : 0U) | (is_write(second) ? 4U : 0U) |
                       (is_atomic(second) ? 8U : 0U);
  return 1ULL << 63U | static_cast<Race>(location) << 44U | static_cast<Race>(kind) << 40U |
         static_cast<Race>(how) << 36U | static_cast<Race>(thread_of(second)) << 30U | thread_of(first) << 24U |
         site_of(second) << 12U | site_of(first);
}

/// Returns the Bloom filter of a lock, as in HAccRG, ScoRD and iGUARD: two bins of 8 bits, computed from the low bits
/// of the lock's number.
inline unsigned short bloom_bits(unsigned lock) {
  return static_cast<unsigned short>(1U << (lock & 7U) | 1U << (8U + (lock >> 3U & 7U)));
}
/// Returns whether two filters certainly have no lock in common.
inline bool is_disjoint(unsigned a, unsigned b) {
  const unsigned common = a & b;
  return (common & 0xffU) == 0 || common >> 8U == 0;
}

/// Records whether the last event of a warp was a fence, and which lanes have executed this fence.
template <typename LaneMask, typename Site>
struct alignas(8) FenceOfWarp {
  LaneMask lanes;
  Site site;
  EventScope scope;

  /// Must be called for every event of the warp. `bit` is the bit of the event's lane. Returns true for the first fence
  /// of an instruction. Returns false for other events and if a further lane executes the same fence instruction (same
  /// site and scope, and no other event of the warp in between). If `has_site` is false, each fence counts as a
  /// separate instruction.
  bool begins(bool is_fence, Site its_site, bool has_site, EventScope its_scope, LaneMask bit) {
    const bool is_same = lanes != 0 && has_site && its_site == site && its_scope == scope;
    const bool is_next_lane = is_fence && is_same && (lanes & bit) == 0;
    lanes = is_fence ? bit | (is_next_lane ? lanes : LaneMask{0}) : LaneMask{0};
    site = its_site;
    scope = its_scope;
    return is_fence && !is_next_lane;
  }
};

}  // namespace ambit_kernel
