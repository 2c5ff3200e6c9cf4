#pragma once

#include <atomic>
#include <span>

#include "core/trace.h"

namespace ambit::api {

/// A trace that ends where it is stopped.
class StoppableReader : public TraceReader {
 public:
  /// The reader and the flag must outlive this.
  StoppableReader(TraceReader& reader, const std::atomic<bool>& stopped) : reader_(reader), stopped_(stopped) {}

  const TraceTables& tables() const override { return reader_.tables(); }
  Result<std::size_t> read(std::span<TraceEvent> events) override {
    if (stopped_.load(std::memory_order_relaxed)) return std::size_t{0};
    return reader_.read(events);
  }

 private:
  TraceReader& reader_;
  const std::atomic<bool>& stopped_;
};

}  // namespace ambit::api
