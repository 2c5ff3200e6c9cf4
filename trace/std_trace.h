#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace.h"
#include "trace/line_source.h"
#include "trace/trace_checker.h"

namespace ambit::trace {

/// Reads the STD format of CPU race detectors. Each line is an event, such as `T0|r(V1)|345`. The operations are r, w,
/// acq, rel, fork and join. The last field is the place in the source. All threads are in one block; each thread is in
/// a separate warp.
class StdTraceReader : public TraceReader {
 public:
  StdTraceReader(std::unique_ptr<std::istream> in, std::string name);
  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  /// An error whose place is a part of a line.
  struct Complaint {
    std::string_view at;
    std::string message;
    std::string hint;
  };
  using Outcome = std::optional<Complaint>;

  /// Sets `id` to the number of the thread that has this name.
  Outcome thread(std::string_view name, std::uint32_t& id);
  Outcome location(std::string_view name, std::uint32_t& id);
  Outcome parse(std::string_view line, TraceEvent& event);
  /// Reads the operation `head` and the operand of the operation.
  Outcome take_operation(std::string_view head, std::string_view operand, TraceEvent& event);

  LineSource lines_;
  TraceTables tables_;
  TraceChecker checker_;
  bool has_events_ = false;
};

}  // namespace ambit::trace
