#pragma once

#include <atomic>
#include <span>

#include "core/trace.h"

namespace ambit::api {

/// A trace that ends when the user stops it. A stop can cause errors in the reader, such as a truncated line. This
/// class ignores an error after a stop, unless the error is in the first events.
class StoppableReader : public TraceReader {
 public:
  /// The reader and the flag must outlive this object.
  StoppableReader(TraceReader& reader, const std::atomic<bool>& stopped) : reader_(reader), stopped_(stopped) {}

  const TraceTables& tables() const override { return reader_.tables(); }
  Result<std::size_t> read(std::span<TraceEvent> events) override {
    if (stopped_.load(std::memory_order_relaxed)) return std::size_t{0};
    auto count = reader_.read(events);
    if (!count.ok() && has_events_ && stopped_.load(std::memory_order_relaxed)) return std::size_t{0};
    has_events_ = has_events_ || count.ok();
    return count;
  }

 private:
  TraceReader& reader_;
  const std::atomic<bool>& stopped_;
  bool has_events_ = false;
};

}  // namespace ambit::api
