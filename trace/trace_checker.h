#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/trace.h"

namespace ambit::trace {

/// Mixed 64-bit numbers, by open addressing: readers ask for every value.
class NumberSet {
 public:
  void insert(std::uint64_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[place_of(number)];
    size_ += slot == kFree ? 1 : 0;
    slot = number == kFree ? 1 : number;
  }
  bool contains(std::uint64_t number) const { return size_ != 0 && slots_[place_of(number)] != kFree; }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::uint64_t kFree = 0;  ///< as a number it is the same as 1

  /// Where it is, or would be.
  std::size_t place_of(std::uint64_t number) const {
    if (number == kFree) number = 1;
    std::size_t at = number & (slots_.size() - 1);
    while (slots_[at] != kFree && slots_[at] != number) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<std::uint64_t> slots_;  ///< a power of two of them, or none; at least half are free
  std::size_t size_ = 0;
};

/// Finds out whether a trace contradicts itself: an event by a thread that has exited or waits at a barrier, a release
/// without an acquire, a lock taken while another holds it, a read of a value that was never written. Every reader asks
/// it for every event.
class TraceChecker {
 public:
  /// What is wrong with the next event; nothing: it fits what came before.
  std::optional<std::string> check(const TraceEvent& event, const TraceTables& tables);

  /// Most (location, value) pairs remembered; values are no longer checked once there are more.
  static constexpr std::size_t kMaxValues = std::size_t{1} << 20U;

 private:
  struct Holder {
    std::uint32_t thread;
    Scope scope;
  };
  struct LocationValues {
    bool is_known = false;    ///< initial value looked up
    bool is_checked = false;  ///< every value that it ever held is known
    Value initial = 0;
    Value last = 0;
  };

  std::optional<std::string> acquire(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> release(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> fork_or_join(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> check_values(const TraceEvent& event, const TraceTables& tables);
  LocationValues& values_of(std::uint32_t location, const TraceTables& tables);
  bool was_written(std::uint32_t location, const LocationValues& values, Value value) const;

  BarrierTracker barriers_;
  std::vector<BarrierTracker::Completion> completions_;
  std::unordered_map<std::uint32_t, std::vector<Holder>> holders_;
  std::vector<LocationValues> locations_;
  NumberSet written_;
  bool values_are_checked_ = true;
  std::vector<bool> has_acted_;
  std::vector<bool> was_forked_;
  std::vector<bool> was_joined_;
};

}  // namespace ambit::trace
