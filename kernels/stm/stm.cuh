// Software transactional memories for GPUs: ESTM, PSTM and ISTM of Holey and Zhai, "Lightweight Software
// Transactions on GPUs", ICPP 2014, and Holey's dissertation, chapter 4. All memories write in place and log the old
// values. The memories differ in the contents of a shadow entry and in when they find a conflict:
//
//   Estm       exact: counts readers, so several transactions may read an entry; finds conflicts at the access
//   Pstm       pessimistic: an entry has one owner, also for reading; finds conflicts at the access
//   Istm       invisible reads: an entry has a version number and a lock bit for writers; a commit checks the versions
// IstmAsPublished like Istm, but an abort restores the old version number. It exists to show that it commits results
//              impossible in every serial order (docs/reference/transactions/memories.md)
//
// Order. The published texts have one __threadfence, before entries are released. PTX needs more order (memories.md has
// a litmus test for each point). Data accesses are strong. Taking an entry has acquire order, and returning an entry
// has release order. ISTM has a fence between its lock and its store, and a fence.sc before it checks the versions.
//
// A transaction belongs to one thread. After a failed access, the rest of the attempt does nothing: reads return 0,
// writes are dropped, and commit() undoes earlier writes. No access waits for another transaction. After a failure, a
// thread waits for a random time below a limit. Each failure doubles the limit, and a commit reduces the limit. The
// thread sleeps and then skips a random number of attempts. Sleeping alone is not enough, because sleeping does not
// separate the lanes of a warp: lanes that conflict in lockstep would conflict forever.
//
//   stm::Transaction<stm::Pstm> transaction(memory, thread);
//   do {
//     transaction.begin();
//     const unsigned value = transaction.read(from);
//     transaction.write(to, value + 1);
//   } while (!transaction.commit());
#pragma once

namespace stm {

// ---- accesses to one word with an order, at device scope; the names are those of PTX ----

#if defined(__CUDA_ARCH__)

/// ld.relaxed is a strong read. A plain load would race with the stores of other transactions.
__device__ inline unsigned load_relaxed(const unsigned* at) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

/// ld.acquire: after this load, writes that were released with the value are visible.
__device__ inline unsigned load_acquire(const unsigned* at) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

__device__ inline void store_relaxed(unsigned* at, unsigned value) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// st.release: the thread's earlier writes and reads are visible to a thread that acquires the value.
__device__ inline void store_release(unsigned* at, unsigned value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

/// atom.acquire.cas. Returns the old value.
__device__ inline unsigned cas_acquire(unsigned* at, unsigned expected, unsigned desired) {
  unsigned old;
  asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(at), "r"(expected), "r"(desired)
               : "memory");
  return old;
}

__device__ inline void fence_acq_rel() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ inline void fence_sc() { asm volatile("fence.sc.gpu;" ::: "memory"); }

/// Sleeps, so that other threads can continue.
__device__ inline void sleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory"); }

#else  // the host's part of a program uses only the types

__device__ inline unsigned load_relaxed(const unsigned* at) { return *at; }
__device__ inline unsigned load_acquire(const unsigned* at) { return *at; }
__device__ inline void store_relaxed(unsigned* at, unsigned value) { *at = value; }
__device__ inline void store_release(unsigned* at, unsigned value) { *at = value; }
__device__ inline unsigned cas_acquire(unsigned* at, unsigned, unsigned) { return *at; }
__device__ inline void fence_acq_rel() {}
__device__ inline void fence_sc() {}
__device__ inline void sleep(unsigned) {}

#endif

/// Tests define this macro as a delay, which makes rare interleavings frequent.
#ifndef STM_PAUSE
#define STM_PAUSE(step)
#endif

// ---- logs and entries ----

/// The words that transactions share. `words[i]` belongs to shadow entry `i >> shift`, so one entry guards 4 << shift
/// bytes; shift is 0 to 4. All entries are initially 0.
struct Memory {
  unsigned* words;
  unsigned* shadow;
  int shift;

  __device__ unsigned entry_of(unsigned word) const { return word >> shift; }
};

/// Stops the kernel. Call this function if a transaction has more accesses than its logs can hold.
__device__ inline void log_is_full() { __trap(); }

/// A list of pairs of numbers, in the order in which they were added.
template <int capacity>
class Log {
 public:
  __device__ void clear() { size_ = 0; }
  __device__ void add(unsigned key, unsigned value) {
    if (size_ == capacity) log_is_full();
    keys_[size_] = key;
    values_[size_] = value;
    ++size_;
  }
  __device__ int size() const { return size_; }
  __device__ unsigned key(int i) const { return keys_[i]; }
  __device__ unsigned value(int i) const { return values_[i]; }
  __device__ bool has(unsigned key) const {
    for (int i = 0; i < size_; ++i) {
      if (keys_[i] == key) return true;
    }
    return false;
  }

 private:
  unsigned keys_[capacity];
  unsigned values_[capacity];
  int size_ = 0;
};

/// ESTM. An entry has these fields: readers (14 bits), thread (15), modified, shared, lock. A thread holds the lock bit
/// only briefly, and never while it waits. The widths of the fields are published; their positions are not.
struct Estm {
  static constexpr unsigned most_threads = 0x7fff;
  // Overlapping readers prevent each other from writing, so waits must be long enough that attempts rarely overlap.
  // With the smaller limit of PSTM and ISTM, 64 threads that use one entry make no progress (memories.md).
  static constexpr int most_doublings = 18;

  template <int capacity>
  class Entries {
   public:
    __device__ void begin() {
      reads_.clear();
      owned_.clear();
    }
    __device__ bool get_for_read(const Memory& memory, unsigned entry, unsigned me) {
      const unsigned old = lock(&memory.shadow[entry]);
      unsigned next = old;
      const unsigned owner = (old & owner_mask) >> owner_shift;
      bool ok = !((old & modified) != 0 && owner != me) && (old >> reader_shift) != most_readers;
      if (ok) {
        if (owner == 0) {
          next |= me << owner_shift;
        } else if (owner != me) {
          next |= shared;
        }
        next += 1u << reader_shift;
      }
      store_release(&memory.shadow[entry], next);
      if (ok) reads_.add(entry, 0);
      return ok;
    }
    __device__ bool get_for_write(const Memory& memory, unsigned entry, unsigned me) {
      const unsigned old = lock(&memory.shadow[entry]);
      const unsigned owner = (old & owner_mask) >> owner_shift;
      const bool ok = (owner == 0 || owner == me) && (old & shared) == 0;
      store_release(&memory.shadow[entry], ok ? (old & ~owner_mask) | me << owner_shift | modified : old);
      if (ok && (old & modified) == 0) owned_.add(entry, 0);
      return ok;
    }
    __device__ bool may_commit(const Memory&) { return true; }
    __device__ void release(const Memory& memory, bool) {
      fence_acq_rel();
      for (int i = 0; i < reads_.size(); ++i) {
        unsigned* entry = &memory.shadow[reads_.key(i)];
        unsigned word = lock(entry);
        if ((word & modified) == 0) {
          word -= 1u << reader_shift;
          if (word >> reader_shift == 0) word = 0;
        }
        store_release(entry, word);
      }
      for (int i = 0; i < owned_.size(); ++i) {
        unsigned* entry = &memory.shadow[owned_.key(i)];
        lock(entry);
        store_release(entry, 0);
      }
    }

   private:
    static constexpr unsigned locked = 1, shared = 2, modified = 4;
    static constexpr int owner_shift = 3, reader_shift = 18;
    static constexpr unsigned owner_mask = 0x7fffu << owner_shift;
    static constexpr unsigned most_readers = 0x3fff;

    // Sets the lock bit, and returns the entry without the bit. The thread that holds the bit never waits, so this loop
    // ends. The loop has a single exit, so that a lane that has left the loop does not delay lanes in the loop.
    __device__ static unsigned lock(unsigned* entry) {
      unsigned old = load_relaxed(entry);
      bool done = false;
      while (!done) {
        const unsigned expected = old & ~locked;
        old = cas_acquire(entry, expected, expected | locked);
        done = old == expected;
      }
      return old;
    }

    Log<capacity> reads_;
    Log<capacity> owned_;
  };
};

/// PSTM. An entry is the number of the thread that owns it, or 0.
struct Pstm {
  static constexpr unsigned most_threads = 0xffffffff;
  static constexpr int most_doublings = 12;

  template <int capacity>
  class Entries {
   public:
    __device__ void begin() { owned_.clear(); }
    __device__ bool get_for_read(const Memory& memory, unsigned entry, unsigned me) {
      return get_for_write(memory, entry, me);
    }
    __device__ bool get_for_write(const Memory& memory, unsigned entry, unsigned me) {
      const unsigned old = cas_acquire(&memory.shadow[entry], 0, me);
      if (old == 0) owned_.add(entry, 0);
      return old == 0 || old == me;
    }
    __device__ bool may_commit(const Memory&) { return true; }
    __device__ void release(const Memory& memory, bool) {
      fence_acq_rel();
      for (int i = 0; i < owned_.size(); ++i) store_relaxed(&memory.shadow[owned_.key(i)], 0);
    }

   private:
    Log<capacity> owned_;
  };
};

/// ISTM. An entry has a version (31 bits) and a lock bit. If `new_version` is true, an abort also changes the version.
template <bool new_version>
struct IstmForm {
  static constexpr unsigned most_threads = 0xffffffff;
  static constexpr int most_doublings = 12;

  template <int capacity>
  class Entries {
   public:
    __device__ void begin() {
      reads_.clear();
      owned_.clear();
    }
    __device__ bool get_for_read(const Memory& memory, unsigned entry, unsigned) {
      const unsigned word = load_acquire(&memory.shadow[entry]);
      if ((word & locked) != 0) return owned_.has(entry);
      reads_.add(entry, word);
      STM_PAUSE(after_check);
      return true;
    }
    __device__ bool get_for_write(const Memory& memory, unsigned entry, unsigned) {
      const unsigned word = load_relaxed(&memory.shadow[entry]);
      if ((word & locked) != 0) return owned_.has(entry);
      if (cas_acquire(&memory.shadow[entry], word, word | locked) != word) return false;
      owned_.add(entry, word);
      fence_acq_rel();
      return true;
    }
    __device__ bool may_commit(const Memory& memory) {
      fence_sc();
      for (int i = 0; i < reads_.size(); ++i) {
        const unsigned word = load_relaxed(&memory.shadow[reads_.key(i)]);
        if ((word & ~locked) != reads_.value(i)) return false;
        if ((word & locked) != 0 && !owned_.has(reads_.key(i))) return false;
      }
      return true;
    }
    __device__ void release(const Memory& memory, bool committed) {
      if (!committed) fence_acq_rel();  // when a transaction commits, the fence in may_commit() is the release fence
      const unsigned step = committed || new_version ? 2 : 0;
      for (int i = 0; i < owned_.size(); ++i) {
        store_relaxed(&memory.shadow[owned_.key(i)], owned_.value(i) + step);
      }
    }

   private:
    static constexpr unsigned locked = 1;
    Log<capacity> reads_;
    Log<capacity> owned_;
  };
};
using Istm = IstmForm<true>;
using IstmAsPublished = IstmForm<false>;

/// Runs a thread's transactions one by one. `thread`: the thread's unique number, from 1 to Algorithm::most_threads.
/// `capacity` limits both the reads and the writes of a transaction; a further access stops the kernel.
template <class Algorithm, int capacity = 16>
class Transaction {
 public:
  __device__ Transaction(const Memory& memory, unsigned thread) : memory_(memory), me_(thread), random_(thread) {}

  __device__ void begin() {
    entries_.begin();
    old_.clear();
    active_ = turns_to_miss_ == 0;
  }

  /// Returns the word's value, or 0 if the attempt has failed.
  __device__ unsigned read(unsigned word) {
    if (!active_) return 0;
    active_ = entries_.get_for_read(memory_, memory_.entry_of(word), me_);
    return active_ ? load_relaxed(&memory_.words[word]) : 0;
  }

  __device__ void write(unsigned word, unsigned value) {
    if (!active_) return;
    active_ = entries_.get_for_write(memory_, memory_.entry_of(word), me_);
    if (!active_) return;
    old_.add(word, load_relaxed(&memory_.words[word]));
    store_relaxed(&memory_.words[word], value);
    STM_PAUSE(after_write);
  }

  /// Returns whether every access so far has succeeded. After a failure, the rest of the attempt does nothing.
  __device__ bool active() const { return active_; }

  /// Ends the attempt. If it failed, waits and returns false; the thread must then begin again.
  __device__ bool commit() {
    STM_PAUSE(before_commit);
    if (active_ && entries_.may_commit(memory_)) {
      entries_.release(memory_, true);
      active_ = false;
      failures_ /= 2;
      return true;
    }
    if (turns_to_miss_ > 0) {
      --turns_to_miss_;
    } else {
      abort();
      ++failed_;
      if (failures_ < Algorithm::most_doublings) ++failures_;
      turns_to_miss_ = static_cast<int>(random(1u << doublings_of_misses()));
    }
    sleep(random(64u << (failures_ < longest_sleep ? failures_ : longest_sleep)));
    return false;
  }

  /// Undoes the attempt. The transaction has no effect unless the thread begins it again.
  __device__ void abort() {
    for (int i = old_.size() - 1; i >= 0; --i) store_relaxed(&memory_.words[old_.key(i)], old_.value(i));
    entries_.release(memory_, false);
    begin();
    active_ = false;
  }

  /// Returns how many attempts of this thread failed in commit().
  __device__ unsigned long long failed() const { return failed_; }

 private:
  static constexpr int longest_sleep = 12;  // doublings of 64 ns

  // The limit on skipped attempts doubles up to 64, stays 64 while sleeps become longer, and then doubles again.
  __device__ int doublings_of_misses() const {
    if (failures_ < 6) return failures_;
    return failures_ < longest_sleep ? 6 : 6 + failures_ - longest_sleep;
  }

  // Returns a number below `bound`.
  __device__ unsigned random(unsigned bound) {
    random_ = random_ * 1664525u + 1013904223u;
    return (random_ >> 8) % bound;
  }

  Memory memory_;
  unsigned me_;
  unsigned random_;
  bool active_ = false;
  int failures_ = 0;  // number of failed attempts; halved by each commit
  int turns_to_miss_ = 0;  // number of attempts to skip; skipping also separates lanes in lockstep
  unsigned long long failed_ = 0;
  typename Algorithm::template Entries<capacity> entries_;
  Log<capacity> old_;
};

}  // namespace stm
