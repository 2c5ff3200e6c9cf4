// iGUARD (Kamath, Basu, SOSP 2021) inside a kernel, with the rules of detector/iguard.h and its default options.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

class Iguard {
 public:
  Iguard(const TestInfo& test, RunMemory& memory, const RunLog& log)
      : test_(test),
        words_(memory.take<Word>(test.size.granules)),
        warp_locks_(memory.take<LockTable>(test.size.warps)),
        thread_locks_(memory.take<LockTable>(has_lanes() ? test.size.threads : 0)),
        group_(memory.take<Group>(has_lanes() ? 1 : 0)),
        members_(memory.take<Member>(has_lanes() ? test.size.lanes : 0)),
        fences_(memory.take<Fences>(test.size.threads)),
        barriers_(memory.take<unsigned short>(test.size.blocks)),
        warp_barriers_(memory.take<unsigned short>(test.size.warps)),
        log_(log) {}

  /// Checks the accesses that lanes of one warp make by one instruction, one after the other, together.
  void on(const Event& event) {
    if (event.is_access() && !has_lanes()) return look_at(event);  // no other lane can join it
    if (!event.is_access() || !takes(event)) flush();
    if (event.is_access()) add(event);
    if (event.info.kind == EventKind::Fence) fence(event.info.thread, event.is_device_wide());
  }

  void on_barrier(unsigned long long waiting, const BarrierInfo& barrier) {
    flush();
    unsigned last = kNone;
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) == 0) continue;
      const Place& place = test_.places[t];
      const unsigned number = barrier.is_warp ? place.warp : place.block;
      unsigned short& counter = barrier.is_warp ? warp_barriers_[number] : barriers_[number];
      if (number != last) counter = next(counter);
      last = number;
      // A barrier of several blocks consists of device fences and atomics.
      if (!barrier.is_warp && barrier.level > EventScope::Block) fence(t, true);
    }
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
  /// Whether some warp has several active threads.
  bool has_lanes() const { return test_.size.lanes > 1; }

  struct Member {
    EventInfo info;
    unsigned short location;
    unsigned short reserved;
  };
  struct alignas(8) Group {
    unsigned size;
    unsigned lanes;  ///< a bit each
  };
  struct Party {
    Name name;
    unsigned short barrier;
    unsigned short warp_barrier;
    unsigned short device_fence;
    unsigned short block_fence;
  };
  struct alignas(16) Word {
    bool is_valid : 1;
    bool is_modified : 1;
    bool is_atomic : 1;         ///< the last access
    bool is_block_scope : 1;    ///< the last access
    bool is_block_shared : 1;   ///< read by several warps of a block since
    bool is_device_shared : 1;  ///< read by several blocks since
    unsigned char reserved;
    unsigned short locks;
    Party writer;
    Party accessor;
    Name reader;  ///< the last accessor of another thread than `accessor`; only for reports
  };
  struct Lock {
    unsigned short number;  ///< plus 1; 0: none. For block scope mixed with the block's
    bool is_block;
    bool is_active;
  };
  static constexpr unsigned kLocks = 3;
  struct alignas(16) LockTable {
    unsigned short active;  ///< Bloom filter of the active locks
    bool is_used;           ///< since it was made
    bool is_by_thread;      ///< of a warp: its threads have tables of their own
    Lock locks[kLocks];
  };
  struct Fences {
    unsigned short device;
    unsigned short block;
  };
  enum class Safe : unsigned char { No, SameEpoch, NewEpoch };

  static constexpr unsigned kNowhere = 0x100;
  unsigned warp_of(Name name) const { return name == kNobody ? kNowhere : test_.places[thread_of(name)].warp; }
  unsigned block_of(Name name) const { return name == kNobody ? kNowhere : test_.places[thread_of(name)].block; }

  // ---- the instruction of a warp ----

  bool has_lane(unsigned lane) const { return has_lanes() && (group_[0].lanes >> lane & 1U) != 0; }

  bool takes(const Event& event) const {
    if (group_[0].size == 0) return true;
    const EventInfo& first = members_[0].info;
    const Place& place = test_.places[event.info.thread];
    return event.info.site == first.site && event.info.kind == first.kind &&
           place.warp == test_.places[first.thread].warp && !has_lane(place.lane);
  }

  void add(const Event& event) {
    members_[group_[0].size++] = Member{event.info, event.location, 0};
    group_[0].lanes |= 1U << test_.places[event.info.thread].lane;
  }

  // Inlined, so that the compiler sees that it does nothing if no warp has several threads.
  __attribute__((always_inline)) void flush() {
    if (!has_lanes() || group_[0].size == 0) return;
    const EventInfo& first = members_[0].info;
    if (group_[0].size > 1 && first.rmw == EventRmw::CompareExchange) {
      warp_locks_[test_.places[first.thread].warp].is_by_thread = true;
    }
    for (unsigned i = 0; i < group_[0].size; ++i) {
      const Member& member = members_[i];
      look_at(Event{member.info, member.location, false, 0, 0});
    }
    group_[0].size = 0;
    group_[0].lanes = 0;
  }

  void look_at(const Event& event) {
    if (event.is_update()) update_locks(event);
    if (test_.is_shared[event.location] == 0) access(event);
  }

  // ---- fences and locks ----

  LockTable& lock_table(unsigned thread) const {
    LockTable& of_warp = warp_locks_[test_.places[thread].warp];
    return has_lanes() && of_warp.is_by_thread ? thread_locks_[thread] : of_warp;
  }

  void fence(unsigned thread, bool is_device) {
    Fences& own = fences_[thread];
    (is_device ? own.device : own.block) = next(is_device ? own.device : own.block);
    LockTable& table = lock_table(thread);
    if (!table.is_used) return;
    for (Lock& lock : table.locks) lock.is_active = lock.is_active || is_device || lock.is_block;
    recompute_active(table);
  }

  static void recompute_active(LockTable& table) {
    unsigned active = 0;
    for (const Lock& lock : table.locks) {
      if (lock.number != 0 && lock.is_active) active |= bloom_bits(lock.number - 1U);
    }
    table.active = static_cast<unsigned short>(active);
  }

  void update_locks(const Event& event) {
    const bool enters = event.info.rmw == EventRmw::CompareExchange;
    if (!enters && event.info.rmw != EventRmw::Exchange) return;
    LockTable& table = lock_table(event.info.thread);
    const unsigned of_device = event.location + 1U;
    const unsigned of_block = event.location + 8U * test_.places[event.info.thread].block + 1U;
    const bool is_block = !event.is_device_wide();
    if (enters) {
      if (!is_block) enter(table, of_device, false);
      enter(table, of_block, is_block);
    } else {
      for (Lock& lock : table.locks) {
        const bool is_it = lock.number == of_block || (!is_block && lock.number == of_device);
        if (is_it && (!is_block || lock.is_block)) lock = Lock{};
      }
    }
    recompute_active(table);
  }

  static void enter(LockTable& table, unsigned number, bool is_block) {
    unsigned slot = find(table, number);
    if (slot == kLocks) slot = find(table, 0);
    if (slot == kLocks) slot = (number - 1U) % kLocks;
    table.locks[slot] = Lock{static_cast<unsigned short>(number), is_block, false};
    table.is_used = true;
  }
  static unsigned find(const LockTable& table, unsigned number) {
    unsigned slot = 0;
    while (slot < kLocks && table.locks[slot].number != number) ++slot;
    return slot;
  }

  // ---- accesses ----

  void access(const Event& event) {
    const unsigned thread = event.info.thread;
    const Place& place = test_.places[thread];
    const bool is_write = event.may_write();
    const bool is_atomic = event.is_atomic();
    const Party now{make_name(thread, event.info.site, is_write, is_atomic), barriers_[place.block],
                    warp_barriers_[place.warp], fences_[thread].device, fences_[thread].block};
    const unsigned short locks = lock_table(thread).active;
    const unsigned granule = test_.granule_of[event.location];
    Word known = words_.load(granule);
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
    if (known.accessor.name == kNobody || thread_of(known.accessor.name) != thread) {
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
    const Party& before = is_write(now.name) ? known.accessor : known.writer;
    const Safe safe = is_safe(known, before, now);
    if (safe != Safe::No) {
      known.locks = safe == Safe::SameEpoch ? known.locks & locks : locks;
      if (safe == Safe::NewEpoch && warp_of(before.name) != warp_of(now.name)) known.is_block_shared = false;
      return Kind::None;
    }
    if (is_write(now.name) || known.is_modified) {
      if (known.is_atomic && known.is_block_scope && block_of(known.writer.name) != block_of(now.name)) {
        return Kind::AtomicScopeTooNarrow;
      }
      const Kind kind = check_fences(known, before, now);
      if (kind != Kind::None) return kind;
      const bool have_lock = known.locks != 0 || locks != 0;
      if (have_lock && is_disjoint(known.locks, locks)) return Kind::NoCommonLock;
    }
    if (is_disjoint(known.locks, locks)) note_sharing(known, before, now);
    known.locks = known.locks & locks;
    return Kind::None;
  }

  /// Whether program order, a barrier or an atomic of sufficient scope orders the access.
  Safe is_safe(const Word& known, const Party& before, const Party& now) const {
    const bool is_shared = known.is_block_shared || known.is_device_shared;
    if (warp_of(before.name) == warp_of(now.name) && (!is_write(now.name) || !is_shared)) {
      const bool is_converged = thread_of(before.name) == thread_of(now.name) ||
                                has_lane(test_.places[thread_of(before.name)].lane) ||
                                before.warp_barrier != now.warp_barrier;
      if (is_converged) return before.barrier == now.barrier ? Safe::SameEpoch : Safe::NewEpoch;
    }
    const bool same_block = block_of(before.name) == block_of(now.name);
    if (same_block && before.barrier != now.barrier && !known.is_device_shared) return Safe::NewEpoch;
    const bool reaches = !known.is_block_scope || block_of(known.writer.name) == block_of(now.name);
    return known.is_atomic && is_atomic(now.name) && reaches ? Safe::SameEpoch : Safe::No;
  }

  Fences fences_of(Name name) const { return name == kNobody ? Fences{0, 0} : fences_[thread_of(name)]; }

  Kind check_fences(const Word& known, const Party& before, const Party& now) const {
    if (before.name == kNobody) return Kind::None;
    const Fences other = fences_of(before.name);
    const bool no_device_fence = before.device_fence == other.device;
    const bool no_block_fence = before.block_fence == other.block;
    if (!no_device_fence) return Kind::None;
    const Kind missing = is_atomic(before.name) != is_atomic(now.name) ? Kind::NotAtomic : Kind::MissingFence;
    if (block_of(before.name) != block_of(now.name)) return no_block_fence ? missing : Kind::FenceScopeTooNarrow;
    if (!no_block_fence || known.is_device_shared) return Kind::None;
    if (warp_of(before.name) == warp_of(now.name) && !known.is_block_shared) return Kind::IntraWarp;
    return missing;
  }

  void note_sharing(Word& known, const Party& before, const Party& now) const {
    const bool same_block = block_of(known.accessor.name) == block_of(now.name);
    const Fences other = fences_of(before.name);
    if (is_write(now.name) || known.accessor.device_fence != other.device) {
      known.is_device_shared = false;
      known.is_block_shared = false;
    } else if (same_block && known.accessor.block_fence != other.block) {
      known.is_block_shared = false;
    } else if (block_of(known.writer.name) != block_of(known.accessor.name)) {
      known.is_device_shared = known.is_device_shared || !same_block;
      known.is_block_shared = same_block && !known.is_device_shared;
    }
  }

  void report(const Word& known, Name now, unsigned location, Kind kind) {
    Name before = is_write(now) ? known.accessor.name : known.writer.name;
    if (kind == Kind::AtomicScopeTooNarrow && is_atomic(known.accessor.name)) before = known.accessor.name;
    if (before != kNobody && thread_of(before) == thread_of(now) && known.reader != kNobody) before = known.reader;
    log_.report(before, now, location, kind);
  }

  TestInfo test_;
  Column<Word> words_;
  Column<LockTable> warp_locks_;
  Column<LockTable> thread_locks_;
  Column<Group> group_;
  Column<Member> members_;
  Column<Fences> fences_;                 ///< by thread
  Column<unsigned short> barriers_;       ///< by block: completed
  Column<unsigned short> warp_barriers_;  ///< by warp
  RunLog log_;
};

}  // namespace ambit_kernel
