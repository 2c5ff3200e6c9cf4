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

/// A set of 64-bit hashes with open addressing. The speed of this set is important, because readers look up each value
/// in the set.
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
  static constexpr std::uint64_t kFree = 0;  ///< the number 0 is stored as 1

  /// Returns the slot that contains the number, or the free slot in which the number belongs.
  std::size_t place_of(std::uint64_t number) const {
    if (number == kFree) number = 1;
    std::size_t at = number & (slots_.size() - 1);
    while (slots_[at] != kFree && slots_[at] != number) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<std::uint64_t> slots_;  ///< the size is 0 or a power of two; at least half of the slots are free
  std::size_t size_ = 0;
};

/// Finds contradictions in a trace. Examples: a thread has an event after its exit or during a wait at a barrier; a
/// thread releases a lock that it does not hold; a thread acquires a held lock; a read returns a value that was never
/// written. All readers call the checker for each event.
class TraceChecker {
 public:
  /// Checks the next event. Returns an error if the event contradicts earlier events; otherwise, nothing.
  std::optional<std::string> check(const TraceEvent& event, const TraceTables& tables);

  /// The largest number of stored (location, value) pairs. If a trace has more pairs, values are not checked.
  static constexpr std::size_t kMaxValues = std::size_t{1} << 20U;

 private:
  struct Holder {
    std::uint32_t thread;
    Scope scope;
  };
  struct LocationValues {
    bool is_known = false;    ///< whether `initial` has been determined
    bool is_checked = false;  ///< whether all earlier values of the location are known
    Value initial = 0;
    Value last = 0;
  };

  std::optional<std::string> transaction(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> acquire(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> release(const TraceEvent& event, const TraceTables& tables);
  std::optional<std::string> check_operation(const TraceEvent& event, const TraceTables& tables);
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
  std::vector<bool> is_in_transaction_;
  std::vector<bool> was_issued_;
  std::vector<bool> has_acted_;
  std::vector<bool> was_forked_;
  std::vector<bool> was_joined_;
};

}  // namespace ambit::trace
