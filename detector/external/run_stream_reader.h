#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace.h"
#include "detector/external/run_stream.h"

namespace ambit::external {

/// Reads the binary form of a stream of runs from a file descriptor.
class RunStreamReader {
 public:
  explicit RunStreamReader(int descriptor) : descriptor_(descriptor) {}

  /// Reads the head of the stream and the options. Returns an error if the input is not a stream of runs or has another
  /// version.
  Result<bool> open();
  const std::map<std::string, std::string>& options() const { return options_; }

  /// Skips to the next run. Returns false at the end of the stream. Returns an error if the stream is malformed or
  /// truncated.
  Result<bool> next_run();
  const RunName& run() const { return run_; }
  const TraceTables& tables() const { return tables_; }

  /// Returns the next events of the run as records (docs/reference/traces.md), or an empty span at the end of the run.
  /// The records are valid until the next call. tables() has the records' names. The records are not checked.
  Result<std::span<const std::byte>> records();
  /// Returns the number of the run's events read so far.
  std::uint64_t events() const { return events_; }

 private:
  struct Frame {
    FrameKind kind = FrameKind::End;
    std::span<const std::byte> payload;
  };

  Diagnostic error(std::string message) const;
  /// Reads at least the given number of bytes. Returns false if the stream ends before the first byte.
  Result<bool> fill(std::size_t bytes);
  Result<std::optional<Frame>> frame();
  Result<bool> begin(std::span<const std::byte> payload);

  int descriptor_;
  std::vector<std::byte> buffer_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::optional<Frame> pending_;  ///< the bytes that open() has read ahead
  std::map<std::string, std::string> options_;
  RunName run_;
  TraceTables tables_;
  std::uint64_t events_ = 0;
};

/// Reads a run of a stream as a trace.
class StreamedRun : public TraceReader {
 public:
  /// `stream` must outlive this object, and next_run() must have been called.
  explicit StreamedRun(RunStreamReader& stream) : stream_(stream) {}
  const TraceTables& tables() const override { return stream_.tables(); }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  RunStreamReader& stream_;
  std::span<const std::byte> left_;
};

}  // namespace ambit::external
