#pragma once

#include <cstdint>
#include <string>

#include "api/exec/program_request.h"

namespace ambit::api {

/// Decides how often a program runs. Without --runs, the program runs until its runs have cost about a second, each
/// time with the next seed. The cost is estimated from the number of instructions, so the same program and seed give
/// the same report.
class RunCount {
 public:
  explicit RunCount(const ProgramRequest& request);

  /// Returns whether the program runs again after `outcome.report.runs` runs. If not, and if --runs does not give the
  /// number, sets ProgramOutcome::why_no_more_runs.
  bool wants_another(ProgramOutcome& outcome);
  /// Returns whether runs that try remedies may follow. For this, the program must terminate, need no input, and be
  /// short.
  bool may_try_remedies(const ProgramOutcome& outcome) const;
  /// Returns whether this object chooses the number of runs. If so, all runs after the first have no input, and Ambit
  /// drops their output.
  bool is_chosen() const { return !fixed_; }

 private:
  const char* why_stop(const ProgramOutcome& outcome) const;

  const ProgramRequest& request_;
  bool fixed_;
  long begin_seconds_;  ///< processor time of child processes before the first run
};

}  // namespace ambit::api
