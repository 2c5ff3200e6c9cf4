// The software version of HAccRG (Holey 2015, chapter 6) inside a kernel, with the rules of
// detector/algorithms/haccrg.h: each entry represents four bytes, and all memory has entries.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

template <typename Rules>
class HaccrgRules {
  using Test = typename Rules::Test;
  using Event = typename Rules::Event;
  using Name = typename Rules::Name;
  using LockNumber = typename Rules::LockNumber;
  using Memory = typename Rules::Memory;
  using Log = typename Rules::Log;
  template <typename T>
  using Array = typename Rules::template Array<T>;

 public:
  HaccrgRules(const Test& test, Memory& memory, const Log& log)
      : test_(test),
        entries_(Rules::template take_entries<Entry>(memory, test)),
        threads_(memory.template take<Thread>(test.size.threads)),
        last_events_(memory.template take<unsigned>(test.size.lanes > 1 ? test.size.threads : 0)),
        blocks_(memory.template take<Block>(test.size.blocks)),
        fences_(memory.template take<unsigned char>(test.size.warps)),
        instructions_(memory.template take<Instruction>(test.size.lanes > 1 ? test.size.warps : 0)),
        lock_users_(memory.template take<unsigned char>(Rules::kHasWholeInstructions ? test.size.warps : 0)),
        log_(log) {}

  void on(const Event& event) {
    look_at(event);
    if (begins_fence(event)) count_fence(test_.warp_of(event.info.thread));
    if (test_.size.lanes > 1) last_events_[event.info.thread] = log_.event() + 1;
  }

  /// Processes one lane's event, except a fence: count_fence() counts a fence once for its warp.
  void look_at(const Event& event) {
    Thread& own = threads_[event.info.thread];
    follow_locks(own, event);
    const bool is_plain = event.info.kind == EventKind::Read || event.info.kind == EventKind::Write;
    // The detector ignores atomics, because they execute in memory.
    if (is_plain && !event.is_atomic()) {
      access(event);
    }
  }
  void count_fence(unsigned warp) { ++fences_[warp]; }

  void on_barrier(unsigned long long waiting, const BarrierInfo& barrier) {
    if (barrier.is_warp) return;
    unsigned last = kNone;
    for (unsigned t = 0; t < test_.size.threads; ++t) {
      if ((waiting >> t & 1U) == 0 || test_.block_of(t) == last) continue;
      last = test_.block_of(t);
      block_barrier(last);
    }
  }

  void block_barrier(unsigned block) {
    Block& own = blocks_[block];
    own.barriers = next(own.barriers);
    if (own.has_touched_global) ++own.global_sync;
    own.has_touched_global = false;
  }
  void warp_barrier(unsigned /*warp*/) {}

  // ScordRules has comments on the next three functions.
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
  /// The bits M (modified) and S (shared) of the publication. M = S = 1 means Unknown.
  enum class State : unsigned char { Unknown, OneReader, Written, ManyReaders };
  enum class Hazard : unsigned char { None, ReadAfterWrite, WriteAfterRead, WriteAfterWrite };

  struct alignas(16) Entry {
    State state;
    unsigned char fence;
    unsigned short locks;
    unsigned short sync;
    unsigned short reserved;
    Name owner;
    Name last;            ///< the last write; used to find two lanes that write by one instruction
    unsigned last_event;  ///< number of the event of the last write
  };
  static constexpr unsigned kLocks = 4;
  struct alignas(8) Thread {
    unsigned short locks;   ///< Bloom filter of the locks
    unsigned char held;     ///< number of critical sections
    unsigned char pending;  ///< number of locks that the thread has taken and that no fence has made effective yet
    unsigned char sections;
    unsigned char reserved[3];
    LockNumber pending_locks[kLocks];
    LockNumber section_locks[kLocks];  ///< innermost last; twice the lock, plus 1 if no fence made the lock effective
  };
  /// The last event of a warp, if this event was a fence, and the lanes that have executed the fence.
  struct alignas(8) Instruction {
    unsigned lanes;
    unsigned short site;
    EventScope scope;
    unsigned char reserved;
  };
  struct Block {
    unsigned short barriers;
    unsigned char global_sync;
    bool has_touched_global;
  };

  /// Follows the rule of detector::WarpFences.
  bool begins_fence(const Event& event) {
    const bool is_fence = event.info.kind == EventKind::Fence;
    if (test_.size.lanes <= 1) return is_fence;
    Instruction& last = instructions_[test_.warp_of(event.info.thread)];
    const unsigned bit = 1U << test_.lane_of(event.info.thread);
    const bool is_same = last.lanes != 0 && event.info.site == last.site && event.info.scope == last.scope;
    const bool is_next_lane = is_fence && is_same && (last.lanes & bit) == 0;
    last.lanes = is_fence ? bit | (is_next_lane ? last.lanes : 0U) : 0U;
    last.site = event.info.site;
    last.scope = event.info.scope;
    return is_fence && !is_next_lane;
  }

  // ---- locks, as in detector/inference/sync_inference.h ----

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
    if constexpr (Rules::kHasWholeInstructions) lock_users_[test_.warp_of(event.info.thread)] = 1;
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
        push_section(own, event.location, true);  // the lock was overwritten before a fence made it effective
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

  /// Makes a lock ineffective if the thread has run no fence between taking the lock and this access.
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
    ++own.held;
    own.locks = own.locks | bloom_bits(lock);
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
    if (own.held > 0) --own.held;
    if (own.held == 0) own.locks = 0;
    return true;
  }

  // ---- accesses ----

  void access(const Event& event) {
    const bool is_write = event.info.kind == EventKind::Write;
    const bool is_shared = test_.is_in_shared(event);
    const unsigned block = test_.block_of(event.info.thread);
    if (!is_shared) blocks_[block].has_touched_global = true;
    const auto granule = test_.entry_of(event);
    auto&& known = entries_.load(granule);  // a copy, or the entry itself
    if (is_write && test_.size.lanes > 1) check_instruction(known, event);
    const unsigned short own = threads_[event.info.thread].locks;
    if (is_stale(known, block, is_shared)) {
      known.state = is_write ? State::Written : State::OneReader;
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
    return Rules::make_name(event.info.thread, event.info.site, event.info.kind == EventKind::Write, false);
  }
  unsigned warp_of(Name name) const { return test_.warp_of(Rules::thread_of(name)); }
  unsigned block_of(Name name) const { return test_.block_of(Rules::thread_of(name)); }
  unsigned short sync_of(unsigned block, bool is_shared) const {
    return is_shared ? blocks_[block].barriers : blocks_[block].global_sync;
  }

  bool is_stale(const Entry& entry, unsigned block, bool is_shared) const {
    if (entry.state == State::Unknown) return true;
    return block_of(entry.owner) == block && entry.sync != sync_of(block, is_shared);
  }

  void check_instruction(const Entry& entry, const Event& event) {
    const Name last = entry.last;
    const unsigned thread = event.info.thread;
    if (last == kNobody || Rules::site_of(last) != event.info.site || Rules::thread_of(last) == thread) return;
    if (warp_of(last) != test_.warp_of(thread)) return;
    if constexpr (Rules::kHasWholeInstructions) {
      if (entry.last_event != log_.event()) return;
    } else {
      if (last_events_[Rules::thread_of(last)] != entry.last_event + 1)
        return;  // the lane of the last write has already executed another instruction
      if (last_events_[thread] > entry.last_event) return;
    }
    log_.report(last, name_of(event), event.location, Kind::IntraWarp);
  }

  void take(Entry& entry, const Event& event, bool is_shared) const {
    entry.owner = name_of(event);
    entry.sync = sync_of(test_.block_of(event.info.thread), is_shared);
    entry.fence = fences_[test_.warp_of(event.info.thread)];
  }

  /// Advances the automaton. Returns the hazard. The state ManyReaders does not record the readers: a write races even
  /// if the writing warp was the first reader. After a race, a read keeps the state, and a write becomes the owner of
  /// the entry.
  Hazard advance(Entry& entry, const Event& event, bool is_shared) const {
    const bool is_other = warp_of(entry.owner) != test_.warp_of(event.info.thread);
    const State state = entry.state;
    if (event.info.kind == EventKind::Write) {
      Hazard hazard = Hazard::None;
      if (state == State::Written && is_other) hazard = Hazard::WriteAfterWrite;
      if (state == State::ManyReaders || (state == State::OneReader && is_other)) hazard = Hazard::WriteAfterRead;
      entry.state = State::Written;
      take(entry, event, is_shared);
      return hazard;
    }
    if (state == State::OneReader && is_other) entry.state = State::ManyReaders;
    return state == State::Written && is_other ? Hazard::ReadAfterWrite : Hazard::None;
  }

  void step(Entry& entry, const Event& event, bool is_shared) {
    const Entry before = entry;
    const Hazard hazard = advance(entry, event, is_shared);
    if (hazard == Hazard::None) return;
    if (hazard == Hazard::ReadAfterWrite) {
      if (!is_shared && before.fence != fences_[warp_of(before.owner)]) return;
      return report(before, event, is_shared ? Kind::MissingBarrier : Kind::MissingFence);
    }
    const bool same_block = block_of(before.owner) == test_.block_of(event.info.thread);
    report(before, event, same_block ? Kind::MissingBarrier : Kind::Unsynchronized);
  }

  /// Applies the rules for two accesses if a lock was held during at least one of them.
  void step_locked(Entry& entry, const Event& event, unsigned short own) {
    const bool is_write = event.info.kind == EventKind::Write;
    const bool is_other = warp_of(entry.owner) != test_.warp_of(event.info.thread);
    const bool is_disjoint_pair = own == 0 || entry.locks == 0 || is_disjoint(entry.locks, own);
    if (is_other && (is_write || entry.state == State::Written) && is_disjoint_pair) {
      report(entry, event, Kind::NoCommonLock);
    }
    advance(entry, event, false);
    entry.locks = entry.locks & own;
  }

  void report(const Entry& entry, const Event& event, Kind kind) {
    const Name first = Rules::make_name(Rules::thread_of(entry.owner), Rules::site_of(entry.owner),
                                        entry.state == State::Written, false);
    log_.report(first, name_of(event), event.location, kind);
  }

  Test test_;
  typename Rules::template Entries<Entry> entries_;
  Array<Thread> threads_;
  Array<unsigned> last_events_;  ///< for each thread, 1 + the number of its last event
  Array<Block> blocks_;
  Array<unsigned char> fences_;      ///< for each warp, its fence counter of 8 bits, as in the publication
  Array<Instruction> instructions_;  ///< for each warp; used if some warp has several threads
  Array<unsigned char> lock_users_;  ///< only for launches: for each warp, whether a thread has taken a lock
  Log log_;
};

using Haccrg = HaccrgRules<RulesOfTests>;

}  // namespace ambit_kernel
