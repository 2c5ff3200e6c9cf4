#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace.h"

namespace ambit::detector {

/// An event and its number in the trace.
struct NumberedEvent {
  TraceEvent event;
  std::uint64_t number = 0;
};

/// Converts transactions of a trace to critical sections of one lock (Holey's dissertation, 7.1.3). A transaction takes
/// effect at its commit: its events then appear between an acquire and a release of the transaction's scope. Until the
/// commit, the object stores the events. The events of aborted attempts are dropped.
class TransactionSections {
 public:
  /// Takes the next event. Returns the events that become visible, in order. The result is valid until the next call.
  std::span<const NumberedEvent> on(const TraceEvent& event, std::uint64_t number);
  /// Returns whether no transaction is open. In this case, on() returns each event unchanged, except for the start of a
  /// transaction.
  bool is_idle() const { return begun_ == 0; }

 private:
  bool is_open(std::uint32_t thread) const { return thread < open_.size() && !open_[thread].empty(); }

  std::vector<std::vector<NumberedEvent>> open_;  ///< for each thread, its events since the start of its transaction
  std::vector<NumberedEvent> shown_;
  std::size_t begun_ = 0;  ///< number of open transactions
};

}  // namespace ambit::detector
