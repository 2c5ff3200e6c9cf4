// Where the detectors inside a kernel keep what they know: the memory of many runs, and the races of one.
#pragma once

#include "kernels/detectors/events.h"

namespace ambit_kernel {

/// Eight bytes of anything.
using Piece __attribute__((may_alias)) = unsigned long long;

/// One array of one run. Those of all runs are interleaved, element by element, since neighbouring lanes of the device
/// look at the same element of neighbouring runs.
template <typename T>
class Column {
 public:
  Column(unsigned long long address, unsigned long long stride) : address_(address), stride_(stride) {}
  T& operator[](unsigned i) const { return *reinterpret_cast<T*>(address_ + i * stride_); }

  /// An element as a whole, eight bytes at a time where it consists of such.
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

/// Deals out the memory of run number `run` of `runs`, all 0 at its start, from an address that is a multiple of 16.
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
  /// Behind all that was dealt out.
  unsigned long long end() const { return address_; }

 private:
  unsigned long long address_;
  unsigned long long runs_;
  unsigned long long run_;
};

/// Pairs of sites that are kept of one run.
constexpr unsigned kRacesOfRun = 14;

/// The races of one run: where they are, so that a copy of this is as good.
class RunLog {
 public:
  explicit RunLog(RunMemory& memory) : counters_(memory.take<Counters>(1)), races_(memory.take<Race>(kRacesOfRun)) {}

  /// Each pair of sites once, as first seen. `same`: the bits in which two reports of one pair are equal.
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
  unsigned count() const { return counters_[0].races; }
  Race race(unsigned i) const { return races_[i]; }

  /// Something did not fit: the run's verdict is not known.
  void overflow() { counters_[0].has_overflown = 1; }
  bool has_overflown() const { return counters_[0].has_overflown != 0; }

  /// The number of the event that is looked at, where some detector needs it.
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

}  // namespace ambit_kernel
