#pragma once

#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "core/trace.h"
#include "trace/line_source.h"
#include "trace/trace_checker.h"

namespace ambit::trace {

/// Reads the STD format of CPU race detectors, one event a line: `T0|r(V1)|345`, with r, w, acq, rel, fork, join. The
/// threads become the threads of one block, each a warp of its own; the last field is the place in the source.
class StdTraceReader : public TraceReader {
 public:
  StdTraceReader(std::unique_ptr<std::istream> in, std::string name);
  const TraceTables& tables() const override { return tables_; }
  Result<std::size_t> read(std::span<TraceEvent> events) override;

 private:
  /// Its number, in `id`; or what is wrong with the name.
  std::string thread(std::string_view name, std::uint32_t& id);
  /// What is wrong with the line; empty: nothing.
  std::string parse(std::string_view line, TraceEvent& event);

  LineSource lines_;
  TraceTables tables_;
  TraceChecker checker_;
  bool has_events_ = false;
};

}  // namespace ambit::trace
