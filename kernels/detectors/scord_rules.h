// The rules of ScoRD (Kamath, George, Basu, ISCA 2020; "the source" is the simulator that its authors published). Each
// word of global memory has an entry, and the rules check each access against the word's entry. A warp counts as one
// thread. RulesOfTests (memory.h) lists the clients.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

/// The entry of a word. Clients may specialise the type to pack its members.
template <typename Rules>
struct alignas(16) ScordWord : Rules::OwnerPlace {
  bool is_used : 1;
  bool is_modified : 1;
  bool is_block_shared : 1;   ///< several warps of the block have used the word
  bool is_device_shared : 1;  ///< several blocks have used the word
  bool is_strong : 1;
  bool is_atomic : 1;
  bool is_block_scope : 1;  ///< the owner's access has block scope
  typename Rules::Name owner;
  unsigned short locks;  ///< the owner's locks; the next three members also describe the owner
  typename Rules::Counter barrier;
  typename Rules::Counter device_fence;
  typename Rules::Counter block_fence;
  typename Rules::Name writer;  ///< the last writer
  typename Rules::Name reader;  ///< the last reader that did not become the owner

  void set_owner(const typename Rules::Name& name) { owner = name; }
};

template <typename Rules>
class ScordRules {
  using Test = typename Rules::Test;
  using Event = typename Rules::Event;
  using Name = typename Rules::Name;
  using LockNumber = typename Rules::LockNumber;
  using Counter = typename Rules::Counter;
  using Word = ScordWord<Rules>;
  using Memory = typename Rules::Memory;
  using Log = typename Rules::Log;
  template <typename T>
  using Array = typename Rules::template Array<T>;

 public:
  ScordRules(const Test& test, Memory& memory, const Log& log, const typename Rules::Options& options = {})
      : test_(test),
        options_(options),
        words_(Rules::template take_entries<Word>(memory, test)),
        warps_(memory.template take<Warp>(test.size.warps)),
        locks_(memory.template take<Locks>(test.size.warps)),
        barriers_(memory.template take<Counter>(test.size.blocks)),
        log_(log) {}

  /// Processes an event. Counts each lane's fence separately, even if several lanes execute it in one instruction.
  void on(const Event& event) {
    if (event.is_access()) {
      if (!test_.is_in_shared(event)) access(event);
      update_locks(event);
    } else if (event.info.kind == EventKind::Fence) {
      fence(event.info.thread, event.is_device_wide());
    }
  }

  void on_barrier(unsigned long long waiting, const BarrierInfo& barrier) {
    if (barrier.is_warp) return;
    unsigned last = kNone;
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) == 0) continue;
      const unsigned block = test_.block_of(t);
      if (block != last) block_barrier(block);
      last = block;
      // A barrier of several blocks consists of device fences and atomics.
      if (barrier.level > EventScope::Block) fence(t, true);
    }
  }

  // ---- for launches (RulesOfLaunches): accesses of whole warps to adjacent words ----

  /// Returns whether equal accesses by different lanes of a warp to words with equal entries give equal results.
  bool are_lanes_alike(unsigned /*warp*/) const { return true; }
  /// Returns whether move_to_lane() can convert the entry, which names lane 0 of its warps, for every other lane.
  bool is_alike_in(const void* /*entry*/) const { return true; }
  /// Converts an entry that names lane 0 of its warps into the entry that names another lane.
  static void move_to_lane(void* entry, unsigned lane) {
    Word& word = *static_cast<Word*>(entry);
    word.set_owner(Rules::at_lane(word.owner, lane));
    word.writer = Rules::at_lane(word.writer, lane);
    word.reader = Rules::at_lane(word.reader, lane);
  }

  /// Counts a completed barrier of a block.
  void block_barrier(unsigned block) { ++barriers_[block]; }
  /// Does nothing, because ScoRD treats a warp as one thread.
  void warp_barrier(unsigned /*warp*/) {}
  /// Counts a fence for the thread's warp.
  void fence(unsigned thread, bool is_device) { fence_of_warp(test_.warp_of(thread), is_device); }
  /// Counts a fence of a warp. A device-scope fence makes all held locks of the warp effective; a block-scope fence
  /// only the locks of block scope.
  void fence_of_warp(unsigned number, bool is_device) {
    Warp own = warps_.load(number);
    ++(is_device ? own.device_fence : own.block_fence);
    if (own.held != 0) {
      Locks& locks = locks_[number];
      for (unsigned i = 0; i < own.held; ++i) {
        locks.slots[i].is_active = locks.slots[i].is_active || is_device || locks.slots[i].is_block;
      }
      recompute_active(own, locks);
    }
    warps_.store(number, own);
  }

  /// Adds the lock `event.location` to the locks of the thread's warp, with the scope of the event. A fence makes the
  /// lock effective, unless `is_active` is true. A lock of device scope takes two places: one for itself, and one for
  /// its block.
  void take_lock(const Event& event, bool is_active) {
    const unsigned number = Rules::warp_of(test_, event.info);
    Warp own = warps_.load(number);
    Locks& locks = locks_[number];
    if (event.is_device_wide()) enter(own, locks, {event.location, false, is_active});
    enter(own, locks, {block_lock(event), true, is_active});
    recompute_active(own, locks);
    warps_.store(number, own);
  }
  /// Removes the lock `event.location` from the locks of the thread's warp.
  void drop_lock(const Event& event) {
    const unsigned number = Rules::warp_of(test_, event.info);
    Warp own = warps_.load(number);
    Locks& locks = locks_[number];
    if (event.is_device_wide()) leave(own, locks, event.location, false);
    leave(own, locks, block_lock(event), true);
    recompute_active(own, locks);
    warps_.store(number, own);
  }

  void finish() {}

  void clear() {
    words_.clear(test_.size.granules);
    warps_.clear(test_.size.warps);
    barriers_.clear(test_.size.blocks);
  }

 private:
  struct Lock {
    LockNumber number;  ///< number of the lock; if the lock has block scope, the number depends on the block
    bool is_block;
    bool is_active;
  };
  static constexpr unsigned kLocks = 4;
  // The widths of the fields in the source, in bits.
  static constexpr unsigned kFenceBits = 6;
  static constexpr unsigned kBarrierBits = 8;
  static constexpr unsigned kBlockBits = 7;
  static constexpr unsigned kHashBits = 6;  ///< number of low bits of a lock's number that its filter uses
  struct alignas(8) Warp {
    Counter device_fence;
    Counter block_fence;
    unsigned short active;  ///< Bloom filter of the active locks
    unsigned short held;    ///< number of held locks
  };
  struct alignas(16) Locks {
    Lock slots[kLocks];  ///< held locks, the oldest first
  };
  struct Access {
    Name name;
    unsigned location;
    unsigned warp;
    unsigned block;
    Counter barrier;
    Warp own;
    bool is_store;
    bool is_atomic;
    bool is_strong;
    bool is_block_scope;
  };

  /// Returns the value of a counter in its field. In the source, the field is narrow, so the value wraps.
  Counter field(unsigned counter, unsigned bits) const {
    return static_cast<Counter>(options_.as_source ? counter & ((1U << bits) - 1U) : counter);
  }

  void access(const Event& event) {
    const unsigned warp = Rules::warp_of(test_, event.info);
    const unsigned block = Rules::block_of(test_, event.info);
    // A failed compare-exchange counts as an atomic store, because its instruction may write.
    const bool is_store = event.may_write();
    const Access now{Rules::make_name(event.info, is_store, event.is_atomic()),
                     event.location,
                     warp,
                     block,
                     field(barriers_[block], kBarrierBits),
                     warps_.load(warp),
                     is_store,
                     event.is_atomic(),
                     event.is_strong(),
                     event.info.scope <= EventScope::Block};
    const auto granule = test_.entry_of(event);
    auto&& known = words_.load(granule);  // a copy, or the entry itself
    const Kind kind = check(known, now);
    if (kind != Kind::None) {
      log_.report(party(known, now), now.name, now.location, kind);
      // After a race, the source resets the entry. After a missing fence, the source treats a store like a load.
      const bool is_fence = kind == Kind::MissingFence || kind == Kind::FenceScopeTooNarrow;
      start_again(known, now, now.is_store && !(options_.as_source && is_fence));
    }
    words_.store(granule, known);
  }

  unsigned warp_of(const Word& known) const { return known.warp(test_, known.owner); }
  unsigned block_of(const Word& known) const { return known.block(test_, known.owner); }
  bool is_same_block(unsigned a, unsigned b) const {
    return options_.as_source ? field(a ^ b, kBlockBits) == 0 : a == b;
  }
  bool is_same_warp(const Word& known, const Access& now) const {
    if (warp_of(known) == now.warp) return true;
    if constexpr (Rules::kHasOptions) {
      // If the source cannot distinguish the numbers of two blocks, it treats warps of the two blocks as one warp.
      if (!options_.as_source || block_of(known) == now.block || !is_same_block(block_of(known), now.block))
        return false;
      return Rules::warp_in_block(test_, known.owner) == Rules::warp_in_block(test_, now.name);
    }
    return false;
  }

  Kind check(Word& known, const Access& now) const {
    const bool same_block = is_same_block(block_of(known), now.block);
    const bool looks_unused =
        options_.as_source && known.is_modified && known.is_block_shared && known.is_device_shared;
    if (!known.is_used || looks_unused || (same_block && known.barrier != now.barrier && !known.is_device_shared)) {
      start_again(known, now, now.is_store);
      return Kind::None;
    }
    const bool same_warp = is_same_warp(known, now);
    if (same_warp && !known.is_block_shared && !known.is_device_shared) {
      // If the warp has fenced since its write, the word no longer counts as modified.
      const bool has_fenced = known.block_fence != field(now.own.block_fence, kFenceBits) ||
                              known.device_fence != field(now.own.device_fence, kFenceBits);
      start_again(known, now, now.is_store || (known.is_modified && !has_fenced));
      return Kind::None;
    }
    if (known.is_atomic && known.is_block_scope && !same_block) return Kind::AtomicScopeTooNarrow;
    if (known.is_atomic && now.is_atomic) {
      make_owner(known, now);
      known.is_modified = known.is_modified || now.is_store;
      return Kind::None;
    }
    if (now.is_store || (known.is_modified && !same_warp)) {
      const Kind kind = check_fences(known, now, same_block);
      if (kind != Kind::None) return kind;
    }
    return now.is_store ? pass_write(known, now) : pass_read(known, now, same_warp, same_block);
  }

  Kind check_fences(const Word& known, const Access& now, bool same_block) const {
    const Warp other = warps_.load(warp_of(known));
    const bool no_device_fence = known.device_fence == field(other.device_fence, kFenceBits);
    const bool no_block_fence = known.block_fence == field(other.block_fence, kFenceBits) ||
                                (now.is_store && known.is_device_shared && same_block);
    if (no_device_fence && (no_block_fence || !same_block)) {
      if (known.is_atomic != now.is_atomic && no_block_fence) return Kind::NotAtomic;
      return no_block_fence ? Kind::MissingFence : Kind::FenceScopeTooNarrow;
    }
    return !options_.needs_strong || (known.is_strong && now.is_strong) ? Kind::None : Kind::Unsynchronized;
  }

  /// Returns whether a filter represents no lock: at least one of its two bins of 8 bits is empty.
  static bool holds_none(unsigned locks) { return is_disjoint(locks, locks); }

  Kind pass_read(Word& known, const Access& now, bool same_warp, bool same_block) const {
    const unsigned short locks = now.own.active;
    if (!holds_none(known.locks) || !holds_none(locks)) {
      if (known.is_modified && is_disjoint(known.locks, locks)) return Kind::NoCommonLock;
      if (holds_none(known.locks)) {
        known.locks = locks;
      } else if (!holds_none(locks)) {
        known.locks = known.locks & locks;
      }
      share_under_lock(known, now, same_warp, same_block);
    } else if (known.is_modified) {
      // The read is ordered after the write. From now on, the entry describes the read.
      known.is_modified = same_warp;
      known.is_block_shared = false;
      known.is_device_shared = false;
      make_owner(known, now);
    } else {
      share(known, now, false, same_block);
    }
    return Kind::None;
  }

  void share_under_lock(Word& known, const Access& now, bool same_warp, bool same_block) const {
    if (!options_.as_source) return share(known, now, same_warp, same_block);
    // The source has a comparison where it needs an assignment, so it does not record reads by another block.
    if (!same_block) {
      known.is_block_shared = false;
    } else if (!same_warp && !known.is_device_shared) {
      known.is_block_shared = true;
    }
  }

  static void share(Word& known, const Access& now, bool same_warp, bool same_block) {
    if (!same_block || known.is_device_shared) {
      known.is_device_shared = true;
      known.is_block_shared = false;
    } else if (!same_warp) {
      known.is_block_shared = true;
    }
    if (Rules::thread_of(now.name) != Rules::thread_of(known.owner)) known.reader = now.name;
  }

  Kind pass_write(Word& known, const Access& now) const {
    const unsigned short locks = now.own.active;
    const bool is_protected = !holds_none(known.locks) || !holds_none(locks);
    if (is_protected && is_disjoint(known.locks, locks)) return Kind::NoCommonLock;
    make_owner(known, now);
    known.is_modified = true;
    if (is_protected) {
      known.locks = known.locks & locks;
    } else {
      known.is_block_shared = false;
      known.is_device_shared = false;
    }
    return Kind::None;
  }

  void start_again(Word& known, const Access& now, bool is_modified) const {
    known.is_used = true;
    known.is_strong = true;
    make_owner(known, now);
    known.is_modified = is_modified;
    known.is_block_shared = false;
    known.is_device_shared = false;
    known.locks = now.own.active;
    known.reader = Name{};
  }

  void make_owner(Word& known, const Access& now) const {
    known.is_strong = known.is_strong && now.is_strong;
    known.is_atomic = now.is_atomic;
    known.is_block_scope = now.is_block_scope;
    known.set(now.warp, now.block);
    known.barrier = now.barrier;
    known.device_fence = field(now.own.device_fence, kFenceBits);
    known.block_fence = field(now.own.block_fence, kFenceBits);
    known.set_owner(now.name);
    if (now.is_store) known.writer = now.name;
  }

  /// Returns the earlier access for a report. For a load, this is the last write. For a store, it is the owner's access
  /// or, if the owner is in the same warp, a read.
  Name party(const Word& known, const Access& now) const {
    if (!now.is_store && is_of_other_warp(known.writer, now)) return known.writer;
    return warp_of(known) == now.warp && is_of_other_warp(known.reader, now) ? known.reader : known.owner;
  }
  bool is_of_other_warp(Name name, const Access& now) const {
    return Rules::exists(name) && Rules::warp_of(test_, name) != now.warp;
  }

  // ---- fences and locks ----

  void update_locks(const Event& event) {
    if (event.info.kind != EventKind::Rmw || event.is_failed) return;
    if (event.info.rmw == EventRmw::CompareExchange && event.old_value == 0 && event.value != 0) {
      take_lock(event, false);
    } else if (event.info.rmw == EventRmw::Exchange && event.value == 0) {
      drop_lock(event);
    }
  }

  /// Returns the number of a lock within its block. The block's number changes only the second bin of the Bloom filter,
  /// so the result never equals the number of a neighbouring lock. In the source, the numbers can be equal.
  LockNumber block_lock(const Event& event) const {
    const unsigned block = Rules::block_of(test_, event.info) + 1U;
    return static_cast<LockNumber>(options_.as_source ? event.location ^ block : event.location + 8U * block);
  }

  bool matches(const Lock& lock, LockNumber number, bool is_block) const {
    return lock.is_block == is_block && field_of_lock(lock.number) == field_of_lock(number);
  }
  LockNumber field_of_lock(LockNumber number) const {
    return static_cast<LockNumber>(options_.as_source ? number & ((1U << kHashBits) - 1U) : number);
  }

  void enter(Warp& own, Locks& locks, const Lock& lock) const {
    for (unsigned i = 0; i < own.held; ++i) {
      if (matches(locks.slots[i], lock.number, lock.is_block)) return;
    }
    if (own.held == kLocks) {
      for (unsigned i = 1; i < kLocks; ++i) locks.slots[i - 1] = locks.slots[i];
      --own.held;
    }
    locks.slots[own.held++] = lock;
  }

  void leave(Warp& own, Locks& locks, LockNumber number, bool is_block) const {
    for (unsigned i = 0; i < own.held; ++i) {
      if (!matches(locks.slots[i], number, is_block)) continue;
      for (unsigned after = i + 1; after < own.held; ++after) locks.slots[after - 1] = locks.slots[after];
      --own.held;
      return;
    }
  }

  static void recompute_active(Warp& own, const Locks& locks) {
    unsigned active = 0;
    for (unsigned i = 0; i < own.held; ++i) {
      if (locks.slots[i].is_active) active |= bloom_bits(locks.slots[i].number);
    }
    own.active = static_cast<unsigned short>(active);
  }

  Test test_;
  typename Rules::Options options_;
  typename Rules::template Entries<Word> words_;
  Array<Warp> warps_;
  Array<Locks> locks_;       ///< locks, by warp
  Array<Counter> barriers_;  ///< number of completed barriers, by block
  Log log_;
};

using Scord = ScordRules<RulesOfTests>;

}  // namespace ambit_kernel
