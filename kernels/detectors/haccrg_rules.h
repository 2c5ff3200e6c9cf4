// The rules of HAccRG (Holey, Mekkat, Yew, Zhai, ICPP 2013; Holey 2015, chapter 6) and of its software version, which
// reports the same races. Each granule of memory has a state machine with four states. A granule's entry also has the
// block's barrier count, the warp's fence count, and a signature of the held locks. RulesOfTests (memory.h) lists the
// clients.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

/// The state of a granule. The publication encodes it in the bits M (modified) and S (shared).
enum class HaccrgState : unsigned char {
  Unknown,      ///< M = S = 1: not accessed yet
  OneReader,    ///< M = S = 0
  Written,      ///< M = 1, S = 0
  ManyReaders,  ///< M = 0, S = 1
};

struct HaccrgStep {
  HaccrgState next;
  Detail race;  ///< None, ReadAfterWrite, WriteAfterRead or WriteAfterWrite
};
/// Returns a step of the state machine (Holey 2015, chapter 6). `is_other`: whether another warp than the entry's makes
/// the access. The state ManyReaders does not record the readers, so a write races even if its warp was the first
/// reader. The publication does not define the state after a race. Here, a racing read keeps the state.
inline HaccrgStep haccrg_step(HaccrgState state, bool is_write, bool is_other) {
  const bool is_written = state == HaccrgState::Written;
  if (is_write) {
    Detail race = Detail::None;
    if (is_written && is_other) race = Detail::WriteAfterWrite;
    if (state == HaccrgState::ManyReaders) race = Detail::WriteAfterRead;
    if (state == HaccrgState::OneReader && is_other) race = Detail::WriteAfterRead;
    return HaccrgStep{HaccrgState::Written, race};
  }
  if (state == HaccrgState::Unknown) return HaccrgStep{HaccrgState::OneReader, Detail::None};
  if (state == HaccrgState::OneReader && is_other) return HaccrgStep{HaccrgState::ManyReaders, Detail::None};
  return HaccrgStep{state, is_written && is_other ? Detail::ReadAfterWrite : Detail::None};
}

template <typename Rules>
class HaccrgRules {
  using Test = typename Rules::Test;
  using Event = typename Rules::Event;
  using Name = typename Rules::Name;
  using LockNumber = typename Rules::LockNumber;
  using Counter = typename Rules::Counter;
  using EventNumber = typename Rules::EventNumber;
  using Memory = typename Rules::Memory;
  using Log = typename Rules::Log;
  template <typename T>
  using Array = typename Rules::template Array<T>;

 public:
  HaccrgRules(const Test& test, Memory& memory, const Log& log, const typename Rules::Options& /*options*/ = {})
      : test_(test),
        entries_(Rules::template take_entries<Entry>(memory, test)),
        threads_(memory.template take<Thread>(test.size.threads)),
        last_events_(memory.template take<EventNumber>(test.size.lanes > 1 ? test.size.threads : 0)),
        blocks_(memory.template take<Block>(test.size.blocks)),
        fences_(memory.template take<unsigned char>(test.size.warps)),
        instructions_(memory.template take<Instruction>(test.size.lanes > 1 ? test.size.warps : 0)),
        lock_users_(memory.template take<unsigned char>(Rules::kHasWholeInstructions ? test.size.warps : 0)),
        log_(log) {}

  void on(const Event& event) {
    look_at(event);
    if (begins_fence(event)) count_fence(Rules::warp_of(test_, event.info));
    if (test_.size.lanes > 1) last_events_[event.info.thread] = log_.event() + 1;
  }

  /// Processes one lane's event, except a fence, which count_fence() counts once for the whole warp.
  void look_at(const Event& event) {
    if constexpr (Rules::kInfersLocks) follow_locks(threads_[event.info.thread], event);
    const bool is_plain = event.info.kind == EventKind::Read || event.info.kind == EventKind::Write;
    // The detector ignores atomic accesses, because they execute in memory.
    if (is_plain && !event.is_atomic()) access(event);
  }
  /// Counts a warp's fence of any scope.
  void count_fence(unsigned warp) { ++fences_[warp]; }

  /// Begins a critical section of the thread.
  void take_lock(unsigned thread, unsigned lock) { hold(threads_[thread], lock); }
  /// Ends a critical section of the thread. The thread's signature becomes empty only when its last critical section
  /// ends, because a single lock cannot be removed from a signature.
  void drop_lock(unsigned thread) { drop(threads_[thread]); }

  void on_barrier(unsigned long long waiting, const BarrierInfo& barrier) {
    if (barrier.is_warp) return;
    unsigned last = kNone;
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) == 0 || test_.block_of(t) == last) continue;
      last = test_.block_of(t);
      block_barrier(last);
    }
  }

  /// Counts a completed barrier of a block. For global memory, a barrier counts only if the block has accessed global
  /// memory since the last barrier.
  void block_barrier(unsigned block) {
    Block& own = blocks_[block];
    ++own.barriers;
    if (own.has_touched_global) ++own.global_sync;
    own.has_touched_global = false;
  }
  /// Does nothing, because HAccRG treats a warp as one thread.
  void warp_barrier(unsigned /*warp*/) {}

  // ScordRules has the same three functions, with comments.
  bool are_lanes_alike(unsigned warp) const {
    if (lock_users_[warp] == 0) return true;
    unsigned any = 0;
    for (unsigned t = 32 * warp; t < 32 * warp + 32; ++t) {
      any |= threads_[t].locks | threads_[t].held | threads_[t].pending | threads_[t].sections;
    }
    return any == 0;
  }
  bool is_alike_in(const void* /*entry*/) const { return true; }
  static void move_to_lane(void* entry, unsigned lane) {
    Entry& known = *static_cast<Entry*>(entry);
    known.owner = Rules::at_lane(known.owner, lane);
    known.last = Rules::at_lane(known.last, lane);
  }

  void finish() {}

  void clear() {
    entries_.clear(test_.size.granules);
    threads_.clear(test_.size.threads);
    if (test_.size.lanes > 1) last_events_.clear(test_.size.threads);
    blocks_.clear(test_.size.blocks);
    fences_.clear(test_.size.warps);
    if (test_.size.lanes > 1) instructions_.clear(test_.size.warps);
  }

 private:
  struct alignas(16) Entry {
    HaccrgState state;
    unsigned char fence;  ///< fence count of 8 bits, as published
    unsigned short locks;
    Counter sync;
    Name owner;
    Name last;               ///< the last write; shows whether two lanes write in one instruction
    EventNumber last_event;  ///< number of the event of the last write
  };
  static constexpr unsigned kLocks = 4;
  struct alignas(8) Thread {
    unsigned short locks;  ///< Bloom filter of the held locks
    Counter held;          ///< number of open critical sections
    // The other members are used if the rules infer the locks.
    unsigned char pending;  ///< number of the thread's locks that no fence has made effective yet
    unsigned char sections;
    unsigned char reserved[2];
    LockNumber pending_locks[kLocks];
    LockNumber section_locks[kLocks];  ///< lock * 2, plus 1 if no fence made it effective; innermost last
  };
  using Instruction = FenceOfWarp<typename Rules::LaneMask, typename Rules::Site>;
  struct Block {
    Counter barriers;
    unsigned char global_sync;  ///< 8 bits, as in the publication
    bool has_touched_global;
  };

  bool begins_fence(const Event& event) {
    const bool is_fence = event.info.kind == EventKind::Fence;
    if (test_.size.lanes <= 1) return is_fence;
    const auto bit = is_fence ? Rules::fence_bit(test_.lane_of(event.info.thread)) : 0;
    Instruction& last = instructions_[Rules::warp_of(test_, event.info)];
    return last.begins(is_fence, event.info.site, Rules::has_site(event.info.site), event.info.scope, bit);
  }

  // ---- inference of locks, as in detector/inference/sync_inference.h ----

  static bool can_acquire(EventOrder order) {
    return order == EventOrder::Acquire || order == EventOrder::AcqRel || order == EventOrder::SeqCst;
  }

  void follow_locks(Thread& own, const Event& event) {
    if (event.is_access()) {
      if (event.info.rmw == EventRmw::CompareExchange) {
        on_compare_exchange(own, event);
      } else {
        on_access(own, event);
      }
    } else if (event.info.kind == EventKind::Fence && can_acquire(event.info.order)) {
      for (unsigned i = 0; i < own.pending; ++i) begin_section(own, own.pending_locks[i]);
      own.pending = 0;
    } else if (event.info.kind == EventKind::Exit) {
      defeat(own, kNone);
    }
  }

  void on_compare_exchange(Thread& own, const Event& event) {
    if (event.is_failed) return;
    if constexpr (Rules::kHasWholeInstructions) lock_users_[Rules::warp_of(test_, event.info)] = 1;
    if (event.old_value != 0 || event.value == 0) {
      defeat(own, event.location);
    } else if (can_acquire(event.info.order)) {
      begin_section(own, event.location);
    } else if (own.pending == kLocks) {
      log_.overflow();
    } else {
      own.pending_locks[own.pending++] = event.location;
    }
  }

  void on_access(Thread& own, const Event& event) {
    const bool writes = event.may_write();
    if (writes) {
      for (unsigned i = 0; i < own.pending; ++i) {
        if (own.pending_locks[i] != event.location) continue;
        push_section(own, event.location, true);  // a write to the lock before a fence made it effective
        for (unsigned after = i + 1; after < own.pending; ++after) {
          own.pending_locks[after - 1] = own.pending_locks[after];
        }
        --own.pending;
        break;
      }
    }
    const bool is_exchange = event.info.kind == EventKind::Rmw && event.info.rmw == EventRmw::Exchange;
    const bool may_unlock = (event.info.kind == EventKind::Write || is_exchange) && event.value == 0;
    if (may_unlock && end_section(own, event.location)) return;
    defeat(own, event.location);
  }

  /// Makes a lock ineffective if the thread executed no fence between taking the lock and this access.
  void defeat(Thread& own, unsigned except) {
    unsigned kept = 0;
    for (unsigned i = 0; i < own.pending; ++i) {
      const LockNumber lock = own.pending_locks[i];
      if (lock == except) {
        own.pending_locks[kept++] = lock;
      } else {
        push_section(own, lock, true);
      }
    }
    own.pending = static_cast<unsigned char>(kept);
  }

  void push_section(Thread& own, unsigned lock, bool is_bare) {
    if (own.sections == kLocks) {
      log_.overflow();
    } else {
      own.section_locks[own.sections++] = static_cast<LockNumber>(2U * lock + (is_bare ? 1U : 0U));
    }
  }

  void begin_section(Thread& own, unsigned lock) {
    push_section(own, lock, false);
    hold(own, lock);
  }
  static void hold(Thread& own, unsigned lock) {
    ++own.held;
    own.locks = own.locks | bloom_bits(lock);
  }
  static void drop(Thread& own) {
    if (own.held > 0) --own.held;
    if (own.held == 0) own.locks = 0;
  }

  /// Ends a critical section. Returns whether a fence had made the lock effective.
  static bool end_section(Thread& own, unsigned lock) {
    unsigned i = own.sections;
    while (i > 0 && own.section_locks[i - 1] / 2U != lock) --i;
    if (i == 0) return false;
    const bool is_bare = own.section_locks[i - 1] % 2U != 0;
    for (; i < own.sections; ++i) own.section_locks[i - 1] = own.section_locks[i];
    --own.sections;
    if (is_bare) return false;
    drop(own);
    return true;
  }

  // ---- accesses ----

  void access(const Event& event) {
    const bool is_write = event.info.kind == EventKind::Write;
    const bool is_shared = test_.is_in_shared(event);
    const unsigned block = Rules::block_of(test_, event.info);
    if (!is_shared) blocks_[block].has_touched_global = true;
    const auto granule = test_.entry_of(event);
    auto&& known = entries_.load(granule);  // a copy of the entry, or the entry itself
    if (is_write && test_.size.lanes > 1) check_instruction(known, event);
    const unsigned short own = threads_[event.info.thread].locks;
    if (is_stale(known, block, is_shared)) {
      known.state = haccrg_step(HaccrgState::Unknown, is_write, false).next;
      take(known, event, is_shared);
      known.locks = own;
    } else if (!is_shared && (own | known.locks) != 0) {
      step_locked(known, event, own);
    } else {
      step(known, event, is_shared);
    }
    if (is_write) {
      known.last = name_of(event);
      if (test_.size.lanes > 1) known.last_event = log_.event();
    }
    entries_.store(granule, known);
  }

  static Name name_of(const Event& event) {
    return Rules::make_name(event.info, event.info.kind == EventKind::Write, false);
  }
  unsigned warp_of(const Name& name) const { return Rules::warp_of(test_, name); }
  unsigned block_of(const Name& name) const { return Rules::block_of(test_, name); }
  Counter sync_of(unsigned block, bool is_shared) const {
    return is_shared ? blocks_[block].barriers : blocks_[block].global_sync;
  }

  bool is_stale(const Entry& entry, unsigned block, bool is_shared) const {
    if (entry.state == HaccrgState::Unknown) return true;
    return block_of(entry.owner) == block && entry.sync != sync_of(block, is_shared);
  }

  void check_instruction(const Entry& entry, const Event& event) {
    const Name& last = entry.last;
    const unsigned thread = event.info.thread;
    if (!Rules::exists(last) || !Rules::has_site(event.info.site)) return;
    if (Rules::site_of(last) != event.info.site || Rules::thread_of(last) == thread) return;
    if (warp_of(last) != Rules::warp_of(test_, event.info)) return;
    if constexpr (Rules::kHasWholeInstructions) {
      if (entry.last_event != log_.event()) return;
    } else {
      if (last_events_[Rules::thread_of(last)] != entry.last_event + 1)
        return;  // the lane of the last write already executed another instruction
      if (last_events_[thread] > entry.last_event) return;
    }
    log_.report(last, name_of(event), event.location, Kind::IntraWarp);
  }

  void take(Entry& entry, const Event& event, bool is_shared) const {
    entry.owner = name_of(event);
    entry.sync = sync_of(Rules::block_of(test_, event.info), is_shared);
    entry.fence = fences_[Rules::warp_of(test_, event.info)];
  }

  /// Advances the state machine. A write makes its thread the owner, even after a race. Returns the race.
  Detail advance(Entry& entry, const Event& event, bool is_shared) const {
    const bool is_write = event.info.kind == EventKind::Write;
    const bool is_other = warp_of(entry.owner) != Rules::warp_of(test_, event.info);
    const HaccrgStep step = haccrg_step(entry.state, is_write, is_other);
    entry.state = step.next;
    if (is_write) take(entry, event, is_shared);
    return step.race;
  }

  void step(Entry& entry, const Event& event, bool is_shared) {
    const Name owner = entry.owner;
    const unsigned char fence = entry.fence;
    const Detail race = advance(entry, event, is_shared);
    if (race == Detail::None) return;
    Kind kind = block_of(owner) == Rules::block_of(test_, event.info) ? Kind::MissingBarrier : Kind::Unsynchronized;
    if (race == Detail::ReadAfterWrite) {
      // In global memory, a fence by the writer's warp orders a later read.
      if (!is_shared && fence != fences_[warp_of(owner)]) return;
      kind = is_shared ? Kind::MissingBarrier : Kind::MissingFence;
    }
    log_.report(owner, name_of(event), event.location, kind, race);
  }

  /// Applies the rules for two accesses if at least one of the threads held a lock.
  void step_locked(Entry& entry, const Event& event, unsigned short own) {
    const bool is_write = event.info.kind == EventKind::Write;
    const bool is_other = warp_of(entry.owner) != Rules::warp_of(test_, event.info);
    const bool is_one_sided = own == 0 || entry.locks == 0;
    const bool conflicts = is_other && (is_write || entry.state == HaccrgState::Written);
    if (conflicts && (is_one_sided || is_disjoint(entry.locks, own))) {
      log_.report(entry.owner, name_of(event), event.location, Kind::NoCommonLock,
                  is_one_sided ? Detail::OneSideHoldsLock : Detail::None);
    }
    advance(entry, event, false);
    entry.locks = entry.locks & own;
  }

  Test test_;
  typename Rules::template Entries<Entry> entries_;
  Array<Thread> threads_;
  Array<EventNumber> last_events_;  ///< for each thread, 1 + the number of its last event
  Array<Block> blocks_;
  Array<unsigned char> fences_;      ///< fence counter of each warp: 8 bits, as published
  Array<Instruction> instructions_;  ///< one for each warp; used if a warp has several threads
  Array<unsigned char> lock_users_;  ///< for launches: whether a thread of each warp has taken a lock
  Log log_;
};

using Haccrg = HaccrgRules<RulesOfTests>;

}  // namespace ambit_kernel
