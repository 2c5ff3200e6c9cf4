#pragma once

#include <cstdint>
#include <string>

#include "api/exec/program_request.h"

namespace ambit::api {

/// Decides how often a program runs. Without --runs, the program runs again with the next seed until all runs together
/// have cost about a second. RunCount estimates the cost from the number of instructions, so the same program and seed
/// give the same report.
class RunCount {
 public:
  explicit RunCount(const ProgramRequest& request);

  /// Returns whether the program runs again after `outcome.report.runs` runs. If the program does not run again, and if
  /// --runs does not give the number of runs, sets ProgramOutcome::why_no_more_runs.
  bool wants_another(ProgramOutcome& outcome);
  /// Returns whether the program may run again to try remedies: it terminates, needs no input, and is short.
  bool may_try_remedies(const ProgramOutcome& outcome) const;
  /// Returns whether this object chooses the number of runs. If it does, only the first run reads input, and Ambit
  /// drops the output of the later runs.
  bool is_chosen() const { return !fixed_; }

 private:
  const char* why_stop(const ProgramOutcome& outcome) const;

  const ProgramRequest& request_;
  bool fixed_;
  long begin_seconds_;  ///< processor time of child processes before the first run
};

}  // namespace ambit::api
