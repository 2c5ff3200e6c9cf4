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

/// Shows transactions of a trace as critical sections of one lock (Holey's dissertation, 7.1.3): a transaction that
/// commits takes effect at its commit, where its events stand between an acquire and a release of its scope. Nothing of
/// an attempt that aborts is shown. Keeps the events of open transactions.
class TransactionSections {
 public:
  /// What there is to see after the next event, in order; valid until the next call.
  std::span<const NumberedEvent> on(const TraceEvent& event, std::uint64_t number);
  /// Whether no transaction is open: then an event that begins none is shown as it is.
  bool is_idle() const { return begun_ == 0; }

 private:
  bool is_open(std::uint32_t thread) const { return thread < open_.size() && !open_[thread].empty(); }

  std::vector<std::vector<NumberedEvent>> open_;  ///< by thread: from the begin on
  std::vector<NumberedEvent> shown_;
  std::size_t begun_ = 0;  ///< transactions that are open
};

}  // namespace ambit::detector
