#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/barrier_tracker.h"
#include "core/trace.h"

namespace ambit::trace {

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
  std::unordered_set<std::uint64_t> written_;
  bool values_are_checked_ = true;
  std::vector<bool> has_acted_;
  std::vector<bool> was_joined_;
};

}  // namespace ambit::trace
