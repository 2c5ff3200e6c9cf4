// The rules of iGUARD (Kamath, Basu, SOSP 2021; "the source" is the instrumentation that its authors published). Each
// word of global memory has its last writer and its last accessor. A store is checked against the last accessor, a load
// against the last writer. RulesOfTests (memory.h) lists the clients.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

/// An access in an entry, and the thread's counters at the access. Clients may specialise the type to pack its members.
template <typename Rules>
struct IguardParty {
  typename Rules::Name name;
  typename Rules::Counter barrier;
  typename Rules::Counter warp_barrier;
  typename Rules::Counter device_fence;
  typename Rules::Counter block_fence;
};

template <typename Rules>
class IguardRules {
  using Test = typename Rules::Test;
  using Event = typename Rules::Event;
  using Name = typename Rules::Name;
  using LockNumber = typename Rules::LockNumber;
  using Counter = typename Rules::Counter;
  using Party = IguardParty<Rules>;
  using Memory = typename Rules::Memory;
  using Log = typename Rules::Log;
  template <typename T>
  using Array = typename Rules::template Array<T>;

 public:
  IguardRules(const Test& test, Memory& memory, const Log& log, const typename Rules::Options& options = {})
      : test_(test),
        options_(options),
        words_(Rules::template take_entries<Word>(memory, test)),
        warp_locks_(memory.template take<LockTable>(test.size.warps)),
        thread_locks_(memory.template take<LockTable>(has_lanes() ? test.size.threads : 0)),
        group_(memory.template take<Group>(has_lanes() ? 1 : 0)),
        members_(memory.template take<Member>(has_lanes() ? test.size.lanes : 0)),
        fences_(memory.template take<Fences>(test.size.threads)),
        barriers_(memory.template take<Counter>(test.size.blocks)),
        warp_barriers_(memory.template take<Counter>(test.size.warps)),
        log_(log) {}

  /// Processes an event. If several lanes of a warp access memory in one instruction, the detector checks their
  /// accesses together.
  void on(const Event& event) {
    if (event.is_access() && !has_lanes()) return look_at(event);  // no other lane can join the instruction
    if (!event.is_access() || !takes(event)) flush();
    if (event.is_access()) add(event);
    if (event.info.kind == EventKind::Fence) fence(event.info.thread, event.is_device_wide());
  }

  void on_barrier(unsigned long long waiting, const BarrierInfo& barrier) {
    flush();
    unsigned last = kNone;
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) == 0) continue;
      const unsigned number = barrier.is_warp ? test_.warp_of(t) : test_.block_of(t);
      if (number != last) barrier.is_warp ? warp_barrier(number) : block_barrier(number);
      last = number;
      // A barrier of several blocks is implemented with device fences and atomics.
      if (!barrier.is_warp && barrier.level > EventScope::Block) fence(t, true);
    }
  }

  /// Each function counts a completed barrier of a block or of a warp.
  void block_barrier(unsigned block) { barriers_[block] = Rules::next_barrier(barriers_[block]); }
  void warp_barrier(unsigned warp) { warp_barriers_[warp] = Rules::next_warp_barrier(warp_barriers_[warp]); }

  /// Counts a fence of a thread. A device-scope fence makes all held locks effective; a block-scope fence makes only
  /// the locks of block scope effective.
  void fence(unsigned thread, bool is_device) {
    Fences& own = fences_[thread];
    Counter& counter = is_device ? own.device : own.block;
    counter = Rules::next_fence(counter);
    LockTable& table = lock_table(thread);
    if (!table.is_used) return;
    for (Lock& lock : table.locks) lock.is_active = lock.is_active || is_device || lock.is_block;
    recompute_active(table);
  }

  /// Adds the lock `event.location` to the locks of the thread or of its warp, with the scope of the event. A fence
  /// makes the lock effective, unless `is_active` is true. A lock of device scope takes two entries of the table: the
  /// lock itself, and the lock within its block.
  void take_lock(const Event& event, bool is_active) {
    LockTable& table = lock_table(event.info.thread);
    const bool is_block = !event.is_device_wide();
    if (!is_block) enter(table, Lock{number_of_lock(event.location), false, is_active});
    enter(table, Lock{block_lock(event), is_block, is_active});
    recompute_active(table);
  }
  /// Removes the lock `event.location` from the locks of the thread or of its warp.
  void drop_lock(const Event& event) {
    LockTable& table = lock_table(event.info.thread);
    const bool is_block = !event.is_device_wide();
    const LockNumber of_device = number_of_lock(event.location);
    const LockNumber of_block = block_lock(event);
    for (Lock& lock : table.locks) {
      const bool is_same = lock.number == of_block || (!is_block && lock.number == of_device);
      if (is_same && (!is_block || lock.is_block)) lock = Lock{};
    }
    recompute_active(table);
  }

  /// Begins an instruction of several lanes. look_at() then receives the lanes' accesses.
  void begin_instruction(unsigned warp, unsigned lanes, bool is_compare_exchange) {
    group_[0].lanes = lanes;
    if (is_compare_exchange && (lanes & (lanes - 1)) != 0) warp_locks_[warp].is_by_thread = true;
  }
  /// Processes the access of one lane of the instruction.
  void look_at(const Event& event) {
    if (event.is_update()) update_locks(event);
    if (!test_.is_in_shared(event)) access(event);
  }

  /// Checks the accesses of the last instruction. Always inlined, so that the compiler removes the calls if no warp has
  /// several threads.
  __attribute__((always_inline)) void flush() {
    if (!has_lanes()) return;
    Group& group = group_[0];
    const unsigned size = group.size;
    if (size == 0) return;
    const auto& first = members_[0].info;
    if (size > 1 && first.rmw == EventRmw::CompareExchange) {
      warp_locks_[Rules::warp_of(test_, first)].is_by_thread = true;
    }
    for (unsigned i = 0; i < size; ++i) look_at(Rules::event_of(members_[i]));
    group.size = 0;
    group.lanes = 0;
  }

  // ScordRules documents the next three functions.
  bool are_lanes_alike(unsigned warp) const {
    if (!lanes_share_fences(warp)) return false;
    if (!warp_locks_[warp].is_by_thread) return true;
    unsigned different = 0;
    for (unsigned t = 32 * warp; t < 32 * warp + 31; ++t)
      different |= thread_locks_[t].active ^ thread_locks_[t + 1].active;
    return different == 0;
  }
  bool is_alike_in(const void* entry) const {
    const Word& word = *static_cast<const Word*>(entry);
    return is_alike(word.accessor.name) && is_alike(word.writer.name);
  }
  static void move_to_lane(void* entry, unsigned lane) {
    Word& word = *static_cast<Word*>(entry);
    word.accessor.name = Rules::at_lane(word.accessor.name, lane) & Rules::kNameMask;
    word.writer.name = Rules::at_lane(word.writer.name, lane) & Rules::kNameMask;
  }

  void finish() { flush(); }

  void clear() {
    words_.clear(test_.size.granules);
    warp_locks_.clear(test_.size.warps);
    fences_.clear(test_.size.threads);
    barriers_.clear(test_.size.blocks);
    warp_barriers_.clear(test_.size.warps);
    if (!has_lanes()) return;
    thread_locks_.clear(test_.size.threads);
    group_.clear(1);
  }

 private:
  /// Returns whether some warp has several threads.
  bool has_lanes() const { return test_.size.lanes > 1; }

  using Member = typename Rules::Member;
  struct alignas(8) Group {
    unsigned size;
    typename Rules::LaneMask lanes;  ///< mask of the lanes
  };
  struct alignas(16) Word {
    bool is_valid : 1;
    bool is_modified : 1;
    bool is_atomic : 1;         ///< property of the last access
    bool is_block_scope : 1;    ///< property of the last access
    bool is_block_shared : 1;   ///< several warps of a block have read the word since the last access
    bool is_device_shared : 1;  ///< several blocks have read the word since the last access
    unsigned short locks;
    /// The last thread, other than `accessor`, that accessed the word. Used only for reports.
    typename Rules::IguardReader reader;
    Party writer;
    Party accessor;
  };
  struct Lock {
    /// The lock's number plus 1; 0 for no lock. For a lock of block scope, the number depends on the block.
    LockNumber number;
    bool is_block;
    bool is_active;
  };
  static constexpr unsigned kLocks = 3;
  // The widths of the counters in the source, in bits.
  static constexpr unsigned kFenceBits = 6;
  static constexpr unsigned kBarrierBits = 8;
  static constexpr unsigned kWarpBarrierBits = 6;
  struct alignas(16) LockTable {
    unsigned short active;  ///< Bloom filter of the active locks
    bool is_used;           ///< whether the table has been used
    bool is_by_thread;      ///< for a warp's table: whether the warp's threads use their own tables
    Lock locks[kLocks];
  };
  struct Fences {
    Counter device;
    Counter block;
  };
  enum class Safe : unsigned char { No, SameEpoch, NewEpoch };

  static constexpr unsigned kNowhere = 0xffffffffU;
  unsigned warp_of(const Name& name) const { return Rules::exists(name) ? Rules::warp_of(test_, name) : kNowhere; }
  unsigned block_of(const Name& name) const { return Rules::exists(name) ? Rules::block_of(test_, name) : kNowhere; }
  /// Returns a counter's value as an entry stores it. In the source, the field is narrow, so the value wraps.
  Counter field(unsigned counter, unsigned bits) const {
    return static_cast<Counter>(options_.as_source ? counter & ((1U << bits) - 1U) : counter);
  }

  // ---- collecting the accesses of one instruction ----

  bool has_lane(unsigned lane) const { return has_lanes() && (group_[0].lanes & Rules::access_bit(lane)) != 0; }

  /// Returns whether the access can belong to the group's instruction: the access has the same site and kind, and
  /// another lane of the same warp makes it.
  bool takes(const Event& event) const {
    if (group_[0].size == 0) return true;
    const auto& first = members_[0].info;
    return event.info.site == first.site && Rules::has_site(first.site) && event.info.kind == first.kind &&
           Rules::warp_of(test_, event.info) == Rules::warp_of(test_, first) &&
           !has_lane(test_.lane_of(event.info.thread));
  }

  void add(const Event& event) {
    Group& group = group_[0];
    members_[group.size++] = Rules::member_of(event);
    group.lanes |= Rules::access_bit(test_.lane_of(event.info.thread));
  }

  // ---- fences and locks ----

  LockTable& lock_table(unsigned thread) const {
    LockTable& of_warp = warp_locks_[test_.warp_of(thread)];
    return has_lanes() && of_warp.is_by_thread ? thread_locks_[thread] : of_warp;
  }

  void recompute_active(LockTable& table) const {
    unsigned active = 0;
    for (const Lock& lock : table.locks) {
      if (lock.number != 0 && lock.is_active) active |= signature_of(lock.number - 1U);
    }
    table.active = static_cast<unsigned short>(active);
  }
  /// Returns the Bloom filter of a lock. In the source, the second bin overlaps the first bin.
  unsigned signature_of(unsigned lock) const {
    return options_.as_source ? 1U << (lock & 7U) | 8U << (lock >> 3U & 7U) : bloom_bits(lock);
  }
  bool share_no_lock(unsigned a, unsigned b) const { return options_.as_source ? (a & b) == 0 : is_disjoint(a, b); }

  /// iGUARD does not receive values, so every compare-exchange acquires a lock and every exchange releases the lock.
  void update_locks(const Event& event) {
    if (event.info.rmw == EventRmw::CompareExchange) take_lock(event, false);
    if (event.info.rmw == EventRmw::Exchange) drop_lock(event);
  }

  static LockNumber number_of_lock(unsigned location) { return static_cast<LockNumber>(location + 1U); }
  /// Returns the number of a lock within its block. As in ScoRD, adjacent locks have different numbers.
  LockNumber block_lock(const Event& event) const {
    const unsigned block = Rules::block_of(test_, event.info);
    return number_of_lock(options_.as_source ? event.location ^ block : event.location + 8U * block);
  }

  static void enter(LockTable& table, const Lock& lock) {
    unsigned slot = find(table, lock.number);
    if (slot == kLocks) slot = find(table, 0);
    if (slot == kLocks) slot = (lock.number - 1U) % kLocks;
    table.locks[slot] = lock;
    table.is_used = true;
  }
  static unsigned find(const LockTable& table, unsigned number) {
    unsigned slot = 0;
    while (slot < kLocks && table.locks[slot].number != number) ++slot;
    return slot;
  }

  // ---- accesses ----

  bool is_alike(Name first) const { return !Rules::exists(first) || lanes_share_fences(warp_of(first)); }
  /// Returns whether all lanes of the warp have executed the same fences.
  bool lanes_share_fences(unsigned warp) const {
    unsigned different = 0;
    for (unsigned t = 32 * warp; t < 32 * warp + 31; ++t) {
      different |= fences_[t].device ^ fences_[t + 1].device;
      different |= fences_[t].block ^ fences_[t + 1].block;
    }
    return different == 0;
  }

  void access(const Event& event) {
    const unsigned thread = event.info.thread;
    const unsigned block = Rules::block_of(test_, event.info);
    const unsigned warp = Rules::warp_of(test_, event.info);
    const bool is_write = event.may_write();
    const bool is_atomic = event.is_atomic();
    const Fences own = fences_[thread];
    const Party now{Rules::make_name(event.info, is_write, is_atomic), field(barriers_[block], kBarrierBits),
                    field(warp_barriers_[warp], kWarpBarrierBits), field(own.device, kFenceBits),
                    field(own.block, kFenceBits)};
    const unsigned short locks = lock_table(thread).active;
    const auto granule = test_.entry_of(event);
    auto&& known = words_.load(granule);  // a copy, or the entry itself
    const Kind kind = check(known, now, locks);
    if (kind != Kind::None) {
      report(known, now.name, event.location, kind);
      known.is_modified = is_write;
      known.is_block_shared = false;
      known.is_device_shared = false;
      known.locks = locks;
    }
    known.is_atomic = is_atomic;
    known.is_block_scope = is_atomic && event.info.scope <= EventScope::Block;
    if (!Rules::exists(known.accessor.name) || Rules::thread_of(known.accessor.name) != thread) {
      known.reader = known.accessor.name;
    }
    known.accessor = now;
    if (is_write) {
      known.is_modified = true;
      known.writer = now;
    }
    words_.store(granule, known);
  }

  Kind check(Word& known, const Party& now, unsigned short locks) const {
    if (!known.is_valid) {
      known.is_valid = true;
      known.locks = locks;
      return Kind::None;
    }
    const Party& before = Rules::is_write(now.name) ? known.accessor : known.writer;
    const Safe safe = is_safe(known, before, now);
    if (safe != Safe::No) {
      known.locks = safe == Safe::SameEpoch ? known.locks & locks : locks;
      if (safe == Safe::NewEpoch && warp_of(before.name) != warp_of(now.name)) known.is_block_shared = false;
      return Kind::None;
    }
    if (Rules::is_write(now.name) || known.is_modified) {
      if (known.is_atomic && known.is_block_scope && block_of(known.writer.name) != block_of(now.name)) {
        return Kind::AtomicScopeTooNarrow;
      }
      const Kind kind = check_fences(known, before, now);
      if (kind != Kind::None) return kind;
      const bool is_lock_held = known.locks != 0 || locks != 0;
      if (is_lock_held && share_no_lock(known.locks, locks)) return Kind::NoCommonLock;
    }
    if (share_no_lock(known.locks, locks)) note_sharing(known, before, now);
    known.locks = known.locks & locks;
    return Kind::None;
  }

  /// Returns whether program order, a barrier or an atomic of sufficient scope orders the access.
  Safe is_safe(const Word& known, const Party& before, const Party& now) const {
    const bool is_shared = known.is_block_shared || known.is_device_shared;
    if (warp_of(before.name) == warp_of(now.name) && (!Rules::is_write(now.name) || !is_shared)) {
      const bool is_converged = Rules::thread_of(before.name) == Rules::thread_of(now.name) ||
                                has_lane(test_.lane_of(Rules::thread_of(before.name))) ||
                                before.warp_barrier != now.warp_barrier;
      if (is_converged) return before.barrier == now.barrier ? Safe::SameEpoch : Safe::NewEpoch;
    }
    const bool same_block = block_of(before.name) == block_of(now.name);
    if (same_block && before.barrier != now.barrier && !known.is_device_shared) return Safe::NewEpoch;
    const bool reaches = !known.is_block_scope || block_of(known.writer.name) == block_of(now.name);
    return known.is_atomic && Rules::is_atomic(now.name) && reaches ? Safe::SameEpoch : Safe::No;
  }

  /// Returns how many fences the thread of an access has executed.
  Fences fences_of(const Name& name) const {
    if (!Rules::exists(name)) return Fences{0, 0};
    const Fences own = fences_[Rules::thread_of(name)];
    return Fences{field(own.device, kFenceBits), field(own.block, kFenceBits)};
  }

  Kind check_fences(const Word& known, const Party& before, const Party& now) const {
    if (!Rules::exists(before.name)) return Kind::None;
    const Fences other = fences_of(before.name);
    const bool no_device_fence = before.device_fence == other.device;
    const bool no_block_fence = before.block_fence == other.block;
    if (!no_device_fence) return Kind::None;
    const Kind missing =
        Rules::is_atomic(before.name) != Rules::is_atomic(now.name) ? Kind::NotAtomic : Kind::MissingFence;
    if (block_of(before.name) != block_of(now.name)) return no_block_fence ? missing : Kind::FenceScopeTooNarrow;
    if (!no_block_fence || known.is_device_shared) return Kind::None;
    if (warp_of(before.name) == warp_of(now.name) && !known.is_block_shared) return Kind::IntraWarp;
    return missing;
  }

  void note_sharing(Word& known, const Party& before, const Party& now) const {
    const bool same_block = block_of(known.accessor.name) == block_of(now.name);
    const Fences other = fences_of(before.name);
    if (Rules::is_write(now.name) || known.accessor.device_fence != other.device) {
      known.is_device_shared = false;
      known.is_block_shared = false;
    } else if (same_block && known.accessor.block_fence != other.block) {
      known.is_block_shared = false;
    } else if (block_of(known.writer.name) != block_of(known.accessor.name)) {
      known.is_device_shared = known.is_device_shared || !same_block;
      known.is_block_shared = same_block && !known.is_device_shared;
    }
  }

  void report(const Word& known, const Name& now, unsigned location, Kind kind) {
    Name before = Rules::is_write(now) ? known.accessor.name : known.writer.name;
    if (kind == Kind::AtomicScopeTooNarrow && Rules::is_atomic(known.accessor.name)) before = known.accessor.name;
    const Name reader = known.reader;
    const bool is_own = Rules::exists(before) && Rules::thread_of(before) == Rules::thread_of(now);
    if (is_own && Rules::exists(reader)) before = reader;
    log_.report(before, now, location, kind);
  }

  Test test_;
  typename Rules::Options options_;
  typename Rules::template Entries<Word> words_;
  Array<LockTable> warp_locks_;
  Array<LockTable> thread_locks_;
  Array<Group> group_;
  Array<Member> members_;
  Array<Fences> fences_;          ///< counters, by thread
  Array<Counter> barriers_;       ///< number of completed barriers, by block
  Array<Counter> warp_barriers_;  ///< number of completed barriers, by warp
  Log log_;
};

using Iguard = IguardRules<RulesOfTests>;

}  // namespace ambit_kernel
