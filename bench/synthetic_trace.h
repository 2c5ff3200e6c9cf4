#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace ambit::bench {

/// A synthetic trace has a shape: the actions that its threads repeat. No shape has races.
enum class Shape : std::uint8_t {
  /// critical sections with 16 device-wide locks, each for two variables; a third of all events are lock operations
  Locks,
  CasLocks,  ///< like Locks, with compare-exchange, fences and exchange instead of lock events
  /// each thread writes its cell of shared memory, waits at a barrier, reads its neighbour's cell, and waits again
  Barriers,
  Flags,      ///< each thread passes a value to the next thread of a ring, with a fence and a flag
  WarpLocks,  ///< the lanes of a warp take the warp's lock one after the other
  LaneLocks,  ///< each thread has a lock; every thread takes other threads' locks
};
inline constexpr std::uint8_t kShapes = 6;
std::string_view to_string(Shape shape);

/// Generates a trace of any length while the caller reads it, without storing the trace.
class SyntheticTrace : public TraceReader {
 public:
  /// The threads form blocks of at most 256 threads, and warps of 32 threads. The trace ends after the round that
  /// reaches `events` events.
  SyntheticTrace(Shape shape, std::uint32_t threads, std::uint64_t events);
  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;
  /// Restarts the trace.
  void rewind();

 private:
  static constexpr std::uint32_t kLocks = 16;

  void add_locations();
  /// Appends the next thread's events to the buffer.
  void go_on();
  void critical_section(std::uint32_t lock, std::uint32_t variables);
  void cas_section(std::uint32_t lock, std::uint32_t variables);
  void barrier_phase();
  void pass_flag();
  TraceEvent& add(TraceOp op, std::uint32_t object);
  TraceEvent& add_atomic(TraceOp op, std::uint32_t object);
  void add_fence();

  Shape shape_;
  std::uint32_t threads_;
  std::uint64_t length_;
  std::uint32_t threads_per_block_;
  TraceTables tables_;
  std::uint32_t variables_ = 0;  ///< number of the first variable
  std::vector<TraceEvent> buffer_;
  std::size_t next_ = 0;
  std::uint64_t handed_out_ = 0;
  std::uint32_t thread_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace ambit::bench
