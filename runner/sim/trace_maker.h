#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program.h"
#include "core/trace.h"
#include "runner/sim/state.h"

namespace ambit::sim {

/// Writes down the steps of runs of one program as traces. Threads, locations and sites have the same numbers in every
/// trace of the program.
class TraceMaker {
 public:
  /// `program` must outlive it.
  explicit TraceMaker(const Program& program);

  /// The trace of a run. Threads that have ended exit after their last step.
  Trace make(const std::vector<StepEvent>& steps, const State& end) const;

 private:
  void add_launch();
  void add_names();
  /// "mp.litmus:8", or "mp.litmus:8:15" where several instructions of one thread stand on the line.
  std::string site_name(const SourceSpan& span, const std::vector<std::uint32_t>& crowded_lines) const;
  TraceEvent event_of(const StepEvent& step) const;

  const Program& program_;
  TraceTables tables_;
  std::vector<std::vector<std::uint32_t>> sites_;  ///< by thread and instruction
};

}  // namespace ambit::sim
