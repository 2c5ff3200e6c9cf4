// LDetector (Li, Ding, Hu, Soyata, WoDet 2014) inside a kernel, with the rules of runner/sim/ldetector.h. LDetector
// receives no events, but executes the test itself on copies of memory, warp by warp and region by region.
#pragma once

#include "kernels/detectors/events.h"
#include "kernels/detectors/memory.h"

namespace ambit_kernel {

/// The position of a thread of the test. Bits 0 to 23: the position in the thread's program; 0 is the beginning. If the
/// thread waits at a barrier of its block, bits 24 to 39 give the barrier, and bits 40 to 55 the number of threads that
/// the barrier expects.
using ThreadPosition = long long;
constexpr ThreadPosition kPlaceBits = 0xffffff;
constexpr ThreadPosition kExited = 1LL << 62U;
constexpr ThreadPosition kAtBarrier = 1LL << 61U;
inline ThreadPosition at_barrier(unsigned place, unsigned barrier, unsigned expected) {
  return kAtBarrier | static_cast<ThreadPosition>(expected) << 40U | static_cast<ThreadPosition>(barrier) << 24U |
         place;
}

/// A state of a run: the cells, the threads' positions, and the machine's words (such as registers).
using RunState = Column<long long>;

/// The memory of one run.
struct RegionMemory {
  RegionMemory(const TestSize& size, RunMemory memory)
      : log(memory),
        now(memory.take<long long>(state_length(size))),
        start(memory.take<long long>(state_length(size))),
        again(memory.take<long long>(state_length(size))),
        before(memory.take<long long>(size.locations)),
        alone(memory.take<long long>(state_length(size))),
        united(memory.take<long long>(size.locations)),
        changed(memory.take<unsigned long long>(size.locations)),
        writes(memory.take<Name>(size.warps * size.locations)),
        reads(memory.take<Name>(size.locations)),
        end(memory.end()) {}

  static unsigned state_length(const TestSize& size) { return size.locations + size.threads + size.words; }
  /// Returns the number of bytes for `runs` runs.
  static unsigned long long bytes(const TestSize& size, unsigned long long runs) {
    return RegionMemory(size, RunMemory(0, runs, 0)).end;
  }

  RunLog log;
  RunState now;              ///< state after pass one
  RunState start;            ///< state at the start of the region
  RunState again;            ///< state in pass two
  RunState before;           ///< for each location, the value before the tested warp ran in pass two
  RunState alone;            ///< state of a warp that sees another warp's value in only one cell
  Column<long long> united;  ///< for each location, its value after the first warp that changed it in pass one
  Column<unsigned long long> changed;  ///< for each shared location, the block's warps that changed it in pass one
  Column<Name> writes;                 ///< for each warp and location, the warp's last store in pass one
  Column<Name> reads;      ///< for each location, the first load in pass two before any store by the tested warp
  unsigned long long end;  ///< address after the memory of the last member
};

/// One execution of a region by a warp. The machine that executes the threads accesses memory through this class.
class WarpRun {
 public:
  WarpRun(const TestSize& size, RunState state, unsigned max_jumps)
      : state_(state), first_position_(size.locations), first_word_(size.locations + size.threads), jumps_(max_jumps) {}

  void keep_writes(Column<Name> writes, unsigned row) {
    writes_ = writes;
    row_ = row;
    keeps_writes_ = true;
  }
  void keep_reads(Column<Name> reads) {
    reads_ = reads;
    keeps_reads_ = true;
  }

  long long load(unsigned thread, unsigned site, unsigned location) {
    if (keeps_reads_ && reads_[location] == kNobody) reads_[location] = make_name(thread, site, false, false);
    return state_[location];
  }
  void store(unsigned thread, unsigned site, unsigned location, long long value) {
    if (keeps_writes_) writes_[row_ + location] = make_name(thread, site, true, false);
    if (keeps_reads_ && reads_[location] == kNobody) reads_[location] = kOwn;
    state_[location] = value;
  }
  ThreadPosition position(unsigned thread) const { return state_[first_position_ + thread]; }
  void set_position(unsigned thread, ThreadPosition position) { state_[first_position_ + thread] = position; }
  long long& word(unsigned i) const { return state_[first_word_ + i]; }
  /// Must be called at each backward jump. Returns false if the warp has made too many backward jumps.
  bool may_jump_back() { return jumps_-- != 0; }

 private:
  static constexpr Name kOwn = 1;  ///< marks a cell that the warp wrote before it read the cell

  RunState state_;
  unsigned first_position_;
  unsigned first_word_;
  unsigned jumps_;
  Column<Name> writes_{0, 0};
  Column<Name> reads_{0, 0};
  unsigned row_ = 0;
  bool keeps_writes_ = false;
  bool keeps_reads_ = false;
};

/// The result of a thread's step.
enum class Step : unsigned char { Done, Waits, GaveUp };

/// The threads of a test, ordered by block, warp and lane.
struct WarpTable {
  const unsigned char* threads;
  /// For each warp, the index of its first thread in `threads`; one more entry marks the end.
  const unsigned char* first_thread;
  const unsigned char* first_warp;  ///< for each block, the index of its first warp; one more entry marks the end
};

/// Facts about a test that do not change during a run.
struct RegionTest {
  TestSize size;
  WarpTable warps;
  const unsigned char* is_shared;  ///< for each location: 1 if it is in shared memory
  const long long* initial;        ///< for each location, its initial value
};

/// Runs a test repeatedly. `Machine` has `RegionTest test() const` and `Step step(WarpRun&, unsigned thread) const`.
/// step() runs a thread up to its next step. The thread must not have ended and must not wait at a barrier of its
/// block. If its warp has no other lane, step() may run several steps, but not past a barrier of the block.
template <typename Machine>
class LDetector {
 public:
  /// The detector abandons a run if a warp makes more than `max_jumps` backward jumps in one region.
  LDetector(RunMemory memory, const Machine& machine, unsigned max_jumps)
      : memory_(machine.test().size, memory), machine_(machine), max_jumps_(max_jumps) {}

  void play() {
    memory_.log.clear();
    memory_.now.clear(RegionMemory::state_length(size()));
    for (unsigned i = 0; i < size().locations; ++i) memory_.now[i] = machine_.test().initial[i];
    bool has_shared = false;
    for (unsigned i = 0; i < size().locations; ++i) has_shared = has_shared || is_shared(i);
    for (unsigned block = 0; has_shared && block < size().blocks; ++block) play_block(block);
  }

  const RunLog& log() const { return memory_.log; }

 private:
  /// Runs a block until a region has a race or some warp does not finish the region.
  void play_block(unsigned block) {
    first_ = warps().first_warp[block];
    last_ = warps().first_warp[block + 1];
    do {
      copy(memory_.start, memory_.now);
      if (!pass_one()) return memory_.log.overflow();
    } while (!has_write_write() && !has_read_write() && pass_barrier());
  }

  void copy(RunState to, RunState from) const {
    for (unsigned i = 0; i < RegionMemory::state_length(size()); ++i) to[i] = from[i];
  }
  Name writer(unsigned warp, unsigned location) const { return memory_.writes[warp * size().locations + location]; }
  unsigned long long bit(unsigned warp) const { return 1ULL << (warp - first_); }
  /// Returns whether the warp changed the location in pass one.
  bool has_changed(unsigned warp, unsigned location) const { return (memory_.changed[location] & bit(warp)) != 0; }

  TestSize size() const { return machine_.test().size; }
  WarpTable warps() const { return machine_.test().warps; }
  bool is_shared(unsigned location) const { return machine_.test().is_shared[location] != 0; }

  /// Runs the lanes in turn until all lanes reach the end of the region. Returns false if some lane never reaches it.
  static __attribute__((noinline)) bool run(const Machine machine, unsigned warp, WarpRun run) {
    const WarpTable warps = machine.test().warps;
    const unsigned first = warps.first_thread[warp];
    const unsigned last = warps.first_thread[warp + 1];
    for (;;) {
      bool has_moved = false;
      bool is_at_end = true;
      for (unsigned i = first; i < last; ++i) {
        const unsigned thread = warps.threads[i];
        if ((run.position(thread) & (kExited | kAtBarrier)) != 0) continue;
        is_at_end = false;
        const Step step = machine.step(run, thread);
        if (step == Step::GaveUp) return false;
        has_moved = has_moved || step == Step::Done;
      }
      if (!has_moved) return is_at_end;
    }
  }
  WarpRun run_on(RunState state) const { return WarpRun(size(), state, max_jumps_); }

  /// Runs pass one. Returns false if some warp does not reach the end of the region.
  bool pass_one() {
    memory_.changed.clear(size().locations);
    for (unsigned warp = first_; warp < last_; ++warp) {
      WarpRun one = run_on(memory_.now);
      one.keep_writes(memory_.writes, warp * size().locations);
      if (!run(machine_, warp, one)) return false;
      for (unsigned i = 0; i < size().locations; ++i) {
        if (!is_shared(i) || memory_.now[i] == memory_.start[i]) continue;
        if (memory_.changed[i] == 0) memory_.united[i] = memory_.now[i];
        memory_.changed[i] |= bit(warp);
        memory_.now[i] = memory_.start[i];
      }
    }
    for (unsigned i = 0; i < size().locations; ++i) {
      if (memory_.changed[i] != 0) memory_.now[i] = memory_.united[i];
    }
    return true;
  }

  /// Reports the cells that several warps changed. A report names the first warp that changed the cell and one other
  /// warp. Returns whether it reported a cell.
  bool has_write_write() {
    bool is_racy = false;
    for (unsigned i = 0; i < size().locations; ++i) {
      is_racy = is_racy || (memory_.changed[i] & (memory_.changed[i] - 1)) != 0;
    }
    for (unsigned warp = first_; is_racy && warp < last_; ++warp) {
      for (unsigned i = 0; i < size().locations; ++i) {
        if (!has_changed(warp, i)) continue;
        unsigned first = first_;
        while (!has_changed(first, i)) ++first;
        if (first == warp) continue;
        memory_.log.report(writer(first, i), writer(warp, i), i, Kind::MissingBarrier, kSitesAndWrites);
      }
    }
    return is_racy;
  }

  /// Runs pass two and checks its result. Returns whether there is a race.
  bool has_read_write() {
    bool is_racy = false;
    copy(memory_.again, memory_.start);
    for (unsigned warp = first_; warp < last_; ++warp) {
      for (unsigned i = 0; i < size().locations; ++i) {
        memory_.reads[i] = kNobody;
        memory_.before[i] = memory_.again[i];
        if (is_shared(i)) memory_.again[i] = has_changed(warp, i) ? memory_.start[i] : memory_.now[i];
      }
      WarpRun two = run_on(memory_.again);
      two.keep_reads(memory_.reads);
      const bool has_ended = run(machine_, warp, two);
      if (has_ended && !is_different()) continue;
      // In pass one, the warp ended. If the warp does not end in pass two, it has read a value from another warp.
      const bool is_explained = report_reads(warp, true) || report_reads(warp, false);
      if (!is_explained && !has_ended) memory_.log.overflow();
      is_racy = is_racy || is_explained || !has_ended;
    }
    return is_racy;
  }
  /// Returns whether some changed cell has another value now than after pass one.
  bool is_different() const {
    for (unsigned i = 0; i < size().locations; ++i) {
      if (memory_.changed[i] != 0 && memory_.again[i] != memory_.now[i]) return true;
    }
    return false;
  }

  /// Reports the warp's reads of cells that other warps changed. With `only_influential`, reports a read only if this
  /// read alone changes the result.
  bool report_reads(unsigned warp, bool only_influential) {
    bool is_racy = false;
    for (unsigned other = first_; other < last_; ++other) {
      for (unsigned i = 0; i < size().locations; ++i) {
        if (other == warp || !has_changed(other, i)) continue;
        const Name reader = memory_.reads[i];
        if (reader >> 31U == 0U) continue;  // the warp did not read the cell, or read only its own store
        if (only_influential && !has_influence(warp, i)) continue;
        memory_.log.report(writer(other, i), reader, i, Kind::MissingBarrier, kSitesAndWrites);
        is_racy = true;
      }
    }
    return is_racy;
  }
  /// Returns whether the warp's result changes if this cell (but no other cell) has the other warp's value.
  bool has_influence(unsigned warp, unsigned location) const {
    copy(memory_.alone, memory_.start);  // also copies the positions and registers of the warp's threads
    for (unsigned i = 0; i < size().locations; ++i) {
      if (!is_shared(i)) memory_.alone[i] = memory_.before[i];
    }
    memory_.alone[location] = memory_.now[location];
    if (!run(machine_, warp, run_on(memory_.alone))) return true;
    for (unsigned i = 0; i < size().locations; ++i) {
      if (has_changed(warp, i) && memory_.alone[i] != memory_.now[i]) return true;
    }
    return false;
  }

  /// Completes the barrier if all threads that have not exited wait at it. Returns false if all threads have exited, or
  /// if some thread never arrives.
  bool pass_barrier() const {
    WarpRun block = run_on(memory_.now);
    const unsigned first = warps().first_thread[first_];
    const unsigned last = warps().first_thread[last_];
    ThreadPosition barrier = 0;
    unsigned waiting = 0;
    unsigned exited = 0;
    for (unsigned i = first; i < last; ++i) {
      const ThreadPosition at = block.position(warps().threads[i]) & ~kPlaceBits;
      if ((at & kExited) != 0) {
        ++exited;
        continue;
      }
      if (waiting != 0 && at != barrier) return false;
      barrier = at;
      ++waiting;
    }
    if (waiting == 0 || waiting + exited < (static_cast<unsigned>(barrier >> 40U) & 0xffffU)) return false;
    for (unsigned i = first; i < last; ++i) {
      const unsigned thread = warps().threads[i];
      const ThreadPosition at = block.position(thread);
      if ((at & kExited) == 0) block.set_position(thread, at & kPlaceBits);
    }
    return true;
  }

  RegionMemory memory_;
  Machine machine_;
  unsigned max_jumps_;
  unsigned first_ = 0;  ///< number of the block's first warp
  unsigned last_ = 0;   ///< number of the block's last warp plus 1
};

}  // namespace ambit_kernel
