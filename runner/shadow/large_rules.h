#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "kernels/detectors/events.h"
#include "kernels/detectors/iguard_rules.h"
#include "kernels/detectors/memory.h"
#include "kernels/detectors/scord_rules.h"

// The types that the rules in kernels/detectors/ use for launches of programs, which have many threads and much memory.
// ambit_kernel::RulesOfTests describes the members.

namespace ambit::shadow {

/// The threads of a launch. The numbers of threads are unique in the grid. The first thread number of every block is a
/// multiple of the same power of two.
struct LaunchShape {
  struct Size {
    std::uint64_t threads = 0;  ///< largest thread number plus 1; there may be gaps
    std::uint64_t warps = 0;
    std::uint64_t blocks = 0;
    unsigned lanes = 32;
  } size;
  unsigned block_shift = 5;

  unsigned block_of(unsigned thread) const { return thread >> block_shift; }
  unsigned warp_of(unsigned thread) const { return thread >> 5U; }
  unsigned lane_of(unsigned thread) const { return thread & 31U; }
  template <typename Event>
  void* entry_of(const Event& event) const {
    return event.entry;
  }
  template <typename Event>
  bool is_in_shared(const Event& event) const {
    return event.is_shared;
  }
};

/// The part of an event that depends only on its instruction and lane.
struct LaunchEventInfo {
  ambit_kernel::EventKind kind = ambit_kernel::EventKind::Read;
  ambit_kernel::EventRmw rmw = {};
  ambit_kernel::EventOrder order = ambit_kernel::EventOrder::Weak;
  ambit_kernel::EventScope scope = ambit_kernel::EventScope::Device;
  bool is_volatile = false;
  unsigned thread = 0;
  unsigned site = 0;
};

/// One event of a lane. `location` is the number of the accessed word. For a lock, this number identifies the lock.
struct LaunchEvent : ambit_kernel::BasicEvent<LaunchEventInfo, unsigned> {
  void* entry = nullptr;  ///< the detector's entry for the granule
  bool is_shared = false;
};

/// Arrays that initially contain zeros. An array uses memory only for the pages that are accessed.
class LazyMemory {
 public:
  LazyMemory() = default;
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;
  ~LazyMemory() {
    for (const auto& [address, bytes] : pieces_) munmap(address, bytes);
  }

  template <typename T>
  class Array {
   public:
    explicit Array(T* values) : values_(values) {}
    T& operator[](std::uint64_t i) const { return values_[i]; }
    T load(std::uint64_t i) const { return values_[i]; }
    void store(std::uint64_t i, const T& value) const { values_[i] = value; }

   private:
    T* values_;
  };
  template <typename T>
  Array<T> take(std::uint64_t count) {
    if (count == 0) return Array<T>(nullptr);
    const std::size_t bytes = count * sizeof(T);
    void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) throw std::bad_alloc();
    pieces_.emplace_back(address, bytes);
    return Array<T>(static_cast<T*>(address));
  }

 private:
  std::vector<std::pair<void*, std::size_t>> pieces_;
};

/// Receives the races that the rules report. Copies of a LaunchLog share one state.
class LaunchLog {
 public:
  struct State {
    unsigned instruction = 0;  ///< number of the current instruction
    bool has_overflown = false;
    void (*report)(void* owner, unsigned long long first, unsigned long long second, ambit_kernel::Kind kind) = nullptr;
    void* owner = nullptr;
  };
  explicit LaunchLog(State& state) : state_(&state) {}
  void report(unsigned long long first, unsigned long long second, unsigned /*location*/, ambit_kernel::Kind kind,
              ambit_kernel::Detail /*detail*/ = ambit_kernel::Detail::None) {
    state_->report(state_->owner, first, second, kind);
  }
  void overflow() { state_->has_overflown = true; }
  unsigned event() const { return state_->instruction; }

 private:
  State* state_;
};

/// Bytes of shadow memory for one granule. An entry of any of the detectors fits into this size.
inline constexpr std::size_t kBytesOfEntry = 32;

struct RulesOfLaunches {
  using Test = LaunchShape;
  using Event = LaunchEvent;
  /// An access as it appears in reports. Bits 0 to 19 are the site, and bits 20 to 51 the thread. Bit 52 is set if the
  /// access is atomic, bit 53 if it writes, and bit 54 if the access exists.
  using Name = unsigned long long;
  using LockNumber = unsigned;
  using Counter = unsigned short;
  using EventNumber = unsigned;
  using Site = unsigned;
  using LaneMask = unsigned;
  using Options = ambit_kernel::PaperOptions;
  static constexpr bool kHasOptions = false;
  using Memory = LazyMemory;
  using Log = LaunchLog;
  template <typename T>
  using Array = LazyMemory::Array<T>;

  /// The entries are in shadow memory. An event contains the address of its entry.
  template <typename T>
  struct Entries {
    static_assert(sizeof(T) <= kBytesOfEntry);
    T& load(void* entry) const { return *static_cast<T*>(entry); }
    void store(void* /*entry*/, const T& /*value*/) const {}  // load() returned a reference to the entry
  };
  template <typename T>
  static Entries<T> take_entries(Memory& /*memory*/, const Test& /*test*/) {
    return {};
  }

  static constexpr unsigned kNameBits = 55;
  static constexpr Name kNameMask = (1ULL << kNameBits) - 1;
  static constexpr unsigned kSiteBits = 20;
  static constexpr unsigned kMostSites = 1U << kSiteBits;
  static constexpr unsigned kUnknownThread = 0xffffffffU;
  static constexpr bool kHasWholeInstructions = true;
  static constexpr bool kInfersLocks = true;

  static Name make_name(const LaunchEventInfo& info, bool is_write, bool is_atomic) {
    return 1ULL << 54U | (is_write ? 1ULL << 53U : 0U) | (is_atomic ? 1ULL << 52U : 0U) |
           static_cast<Name>(info.thread) << kSiteBits | info.site;
  }
  static bool exists(Name name) { return name != 0; }
  /// Returns the name of the same access by another thread, which is `lane` lanes after the thread in `name`.
  static Name at_lane(Name name, unsigned lane) { return name == 0 ? 0 : name + (Name{lane} << kSiteBits); }
  static unsigned thread_of(Name name) { return static_cast<unsigned>(name >> kSiteBits); }
  static unsigned site_of(Name name) { return static_cast<unsigned>(name & ((1U << kSiteBits) - 1U)); }
  static bool is_write(Name name) { return (name >> 53U & 1U) != 0; }
  static bool is_atomic(Name name) { return (name >> 52U & 1U) != 0; }

  static unsigned warp_of(const Test& test, const LaunchEventInfo& info) { return test.warp_of(info.thread); }
  static unsigned block_of(const Test& test, const LaunchEventInfo& info) { return test.block_of(info.thread); }
  static unsigned warp_of(const Test& test, Name name) { return test.warp_of(thread_of(name)); }
  static unsigned block_of(const Test& test, Name name) { return test.block_of(thread_of(name)); }
  static bool has_site(unsigned /*site*/) { return true; }
  static LaneMask access_bit(unsigned lane) { return 1U << lane; }
  static LaneMask fence_bit(unsigned lane) { return 1U << lane; }

  /// The warp and the block of a thread. The thread's number determines both.
  struct OwnerPlace {
    static unsigned warp(const Test& test, Name owner) { return test.warp_of(thread_of(owner)); }
    static unsigned block(const Test& test, Name owner) { return test.block_of(thread_of(owner)); }
    static void set(unsigned /*warp*/, unsigned /*block*/) {}
  };

  // An entry of iGUARD has two accesses in 32 bytes, so the counters have few bits. The counters wrap at prime numbers,
  // so that a loop with 2^n barriers or fences does not return to the same count.
  static unsigned short wrapped(unsigned counter, unsigned at) {
    return static_cast<unsigned short>(counter + 1 == at ? 0 : counter + 1);
  }
  static unsigned short next_barrier(unsigned short counter) { return wrapped(counter, 1021); }
  static unsigned short next_warp_barrier(unsigned short counter) { return wrapped(counter, 509); }
  static unsigned short next_fence(unsigned short counter) { return wrapped(counter, 2039); }

  using Member = Event;
  static const Event& event_of(const Member& member) { return member; }

  /// An access without its thread, because the entry has no space for the thread.
  class IguardReader {
   public:
    IguardReader& operator=(Name name) {
      bits_ = static_cast<unsigned>(name & ((1U << kSiteBits) - 1U)) | static_cast<unsigned>(name >> 52U) << kSiteBits;
      return *this;
    }
    operator Name() const {  // NOLINT(google-explicit-constructor)
      if (bits_ == 0) return 0;
      const Name flags = bits_ >> kSiteBits;
      return flags << 52U | static_cast<Name>(kUnknownThread) << kSiteBits | (bits_ & ((1U << kSiteBits) - 1U));
    }

   private:
    unsigned bits_;
  };
};

}  // namespace ambit::shadow

namespace ambit_kernel {

/// The entry in 32 bytes: the flags are in the same eight bytes as the owner.
template <>
struct alignas(16) ScordWord<ambit::shadow::RulesOfLaunches> : ambit::shadow::RulesOfLaunches::OwnerPlace {
  using Name = ambit::shadow::RulesOfLaunches::Name;

  bool is_used : 1;
  bool is_modified : 1;
  bool is_block_shared : 1;
  bool is_device_shared : 1;
  bool is_strong : 1;
  bool is_atomic : 1;
  bool is_block_scope : 1;
  Name owner : ambit::shadow::RulesOfLaunches::kNameBits;
  unsigned short locks;
  unsigned short barrier;
  unsigned short device_fence;
  unsigned short block_fence;
  Name writer;
  Name reader;

  void set_owner(Name name) { owner = name & ambit::shadow::RulesOfLaunches::kNameMask; }
};

/// The access in 12 bytes.
template <>
struct [[gnu::packed, gnu::aligned(4)]] IguardParty<ambit::shadow::RulesOfLaunches> {
  using Name = ambit::shadow::RulesOfLaunches::Name;

  Name name : ambit::shadow::RulesOfLaunches::kNameBits;
  Name warp_barrier : 9;
  unsigned barrier : 10;
  unsigned device_fence : 11;
  unsigned block_fence : 11;

  IguardParty() = default;
  IguardParty(Name name_, unsigned barrier_, unsigned warp_barrier_, unsigned device_fence_, unsigned block_fence_)
      : name(name_ & ambit::shadow::RulesOfLaunches::kNameMask),
        warp_barrier(warp_barrier_ & 511U),
        barrier(barrier_ & 1023U),
        device_fence(device_fence_ & 2047U),
        block_fence(block_fence_ & 2047U) {}
};

}  // namespace ambit_kernel
